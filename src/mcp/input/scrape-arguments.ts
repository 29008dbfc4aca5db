// How a page is read, as arguments of tools. They are those of the public MCP server, which has the options of formats and
// parsers beside their lists; `toScrapeOptions` writes them as the HTTP interface does. The service checks the values.
import { z } from 'zod';
import { FORMAT_TYPES } from '../../contracts/formats/formats.ts';
import type { SentBody } from '../../contracts/route-types.ts';
import { invalidArgument } from './invalid-argument.ts';
import { optional, required } from './lenient.ts';

const flag = () => optional(z.boolean());
const count = () => optional(z.number());
const texts = () => optional(z.array(z.string()));

export const jsonSchemaArgument = () => optional(z.record(z.string(), z.unknown()));

/** Also the options of an uploaded file. */
export const contentFields = {
  formats: optional(
    z
      .array(z.union([z.enum(FORMAT_TYPES), z.looseObject({ type: z.string() })]))
      .describe('Default: markdown. json needs jsonOptions, query needs queryOptions.'),
  ),
  jsonOptions: optional(z.object({ prompt: optional(z.string()), schema: jsonSchemaArgument() })),
  queryOptions: optional(
    z.object({ prompt: required(z.string()), mode: optional(z.enum(['directQuote', 'freeform'])) }),
  ),
  parsers: optional(z.array(z.union([z.enum(['pdf', 'image']), z.looseObject({ type: z.string() })]))),
  pdfOptions: optional(z.object({ maxPages: count() })),
  onlyMainContent: flag(),
  redactPII: flag(),
  includeTags: texts(),
  excludeTags: texts(),
  removeBase64Images: flag(),
  skipTlsVerification: flag(),
  storeInCache: flag(),
  zeroDataRetention: flag(),
  maxAge: optional(z.number().describe('Milliseconds; 0 fetches the page now. Default: 2 days.')),
  proxy: optional(z.enum(['basic', 'stealth', 'enhanced', 'auto'])),
};

const action = z.looseObject({
  type: z.enum([
    ...['wait', 'screenshot', 'click', 'write', 'press', 'scroll', 'scrape', 'executeJavascript', 'pdf', 'generatePDF'],
  ] as [string, ...string[]]),
  selector: optional(z.string()),
  milliseconds: count(),
  text: optional(z.string()),
  key: optional(z.string()),
  direction: optional(z.enum(['up', 'down'])),
  script: optional(z.string()),
  fullPage: flag(),
});

export const scrapeFields = {
  ...contentFields,
  screenshotOptions: optional(
    z.object({
      fullPage: flag(),
      quality: count(),
      viewport: optional(z.object({ width: required(z.number()), height: required(z.number()) })),
    }),
  ),
  waitFor: optional(z.number().describe('Milliseconds.')),
  actions: optional(z.array(action)),
  mobile: flag(),
  location: optional(z.object({ country: optional(z.string()), languages: texts() })),
  lockdown: flag(),
  profile: optional(z.object({ name: required(z.string()), saveChanges: flag() })),
};

const scrapeArguments = z.object(scrapeFields);
export type ScrapeArguments = z.output<typeof scrapeArguments>;

/** For tools that scrape by the way. Clients see only a part of the schema: the rest is that of firecrawl_scrape. */
export const scrapeOptionsArgument = (description: string) =>
  optional(
    z
      .looseObject({ formats: scrapeFields.formats, onlyMainContent: scrapeFields.onlyMainContent })
      .describe(`${description} Options as in firecrawl_scrape.`)
      .pipe(scrapeArguments as z.ZodType<ScrapeArguments, Record<string, unknown>>),
  );

export type ScrapeOptionsBody = Omit<SentBody<'scrape'>, 'url'>;

/** Options that are absent or empty are left out, so that the defaults of the service hold. */
export function toScrapeOptions(given: ScrapeArguments): ScrapeOptionsBody {
  const { jsonOptions, queryOptions, screenshotOptions, pdfOptions, formats, parsers, ...rest } = given;
  const options = {
    ...rest,
    formats: withOptions(formats, { json: jsonOptions, query: queryOptions, screenshot: screenshotOptions }),
    parsers: withOptions(parsers, { pdf: pdfOptions }),
  };
  if (options.formats.some((format) => format === 'query' || (isQuery(format) && !format.prompt))) {
    throw invalidArgument('The format `query` needs `queryOptions.prompt`: what to find out about the page.');
  }
  // The tools name the options; the service checks their values, and says what is wrong with them.
  return withoutEmpty(options) as ScrapeOptionsBody;
}

const isQuery = (format: Entry): format is Exclude<Entry, string> =>
  typeof format === 'object' && format.type === 'query';

type Entry = string | { type: string; [option: string]: unknown };

/** Entries with the options that were given for them; those for which only options were given come last. */
function withOptions(list: readonly Entry[] = [], options: Record<string, object | undefined>): Entry[] {
  const typeOf = (entry: Entry) => (typeof entry === 'string' ? entry : entry.type);
  const added = Object.keys(options).filter((type) => options[type] && !list.some((entry) => typeOf(entry) === type));
  return [...list, ...added].map((entry) => {
    const found = options[typeOf(entry)];
    if (typeof entry === 'string') return found ? { type: entry, ...found } : entry;
    return { ...found, ...entry };
  });
}

/** Without members that are absent, an empty list or an empty object. */
export const withoutEmpty = <T extends object>(value: T): Partial<T> =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => !isEmpty(member))) as Partial<T>;

const isEmpty = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

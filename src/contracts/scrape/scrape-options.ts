// How a page is fetched and transformed: the ScrapeOptions of the specification, with their bounds and defaults.
import { z } from 'zod';
import { archiveFields, checkArchiveOptions } from '../archive/archive-options.ts';
import { selectorText } from '../bounds.ts';
import { profileOption } from '../browser/profile.ts';
import { formats } from '../formats/formats.ts';
import { textList } from '../optional-text.ts';
import { threatProtection } from '../threats/threat-protection.ts';
import { actions, MAX_WAITING_MS, waitingTime } from './actions.ts';
import { DEFAULT_MAX_AGE_MS } from './cache-ages.ts';
import { givenHeaders, hasHeaders } from './given-headers.ts';
import { location } from './location.ts';
import { REDACTED_ENTITIES, REDACTION_MODES, REPLACE_STYLES } from './redaction.ts';
import { checkUnredactable } from './unredactable.ts';

export const DEFAULT_TIMEOUT_MS = 60_000;
/** No page is given more time, whatever was asked for. */
export const MAX_TIMEOUT_MS = 300_000;

const selectors = textList(500, selectorText);

const parserObject = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('pdf'),
    mode: z
      .enum(['fast', 'auto', 'ocr'])
      .default('auto')
      .describe('`fast`: only the text in the file; `ocr`: every page by OCR; `auto`: OCR for pages without text.'),
    maxPages: z.int().min(1).max(10_000).optional().describe('Reads only the first pages.'),
    pages: z.boolean().optional().describe('Adds `pages`: the Markdown of each page.'),
    pageMarkdown: z.boolean().optional().describe('The same as `pages`.'),
    blocks: z.boolean().optional().describe('Adds `blocks`: headings, texts, tables and figures with their positions.'),
    pageMarkers: z.boolean().optional().describe('Adds a comment where a page begins.'),
  }),
  z.object({ type: z.literal('image') }),
]);

const parsers = z
  .array(z.union([z.enum(['pdf', 'image']).transform((type) => parserObject.parse({ type })), parserObject]))
  .max(20);

const redactPII = z.union([
  z.boolean(),
  z.strictObject({
    mode: z
      .enum(REDACTION_MODES)
      .default('accurate')
      .describe('How personal data is found: `fast` by rules, `accurate` and `aggressive` also by a model.'),
    replaceStyle: z.enum(REPLACE_STYLES).default('tag').describe('What stands in its place.'),
    entities: z
      .array(z.enum(REDACTED_ENTITIES))
      .max(20)
      .optional()
      .describe('Only these kinds; all of them by default.'),
  }),
]);

export const auditMetadata = z.object({
  username: z.string().max(1024).optional().describe('Name of the person or program.'),
});

export const scrapeOptionFields = {
  formats: formats
    .default(() => [{ type: 'markdown' as const }])
    .meta({ whenAbsent: ['markdown'] })
    .describe('What to make of the page; a format with options is an object.'),
  onlyMainContent: z.boolean().default(true).describe('Removes navigation, headers and footers.'),
  onlyCleanContent: z.boolean().default(false).describe('Removes boilerplate from the Markdown with a language model.'),
  includeTags: selectors
    .default(() => [])
    .describe('CSS selectors of the elements to read; replaces `onlyMainContent`.'),
  excludeTags: selectors.default(() => []).describe('CSS selectors of elements to leave out.'),
  headers: givenHeaders.describe('Request headers; sent only to the origin of the URL.'),
  waitFor: z
    .int()
    .min(0)
    .max(MAX_WAITING_MS)
    .default(0)
    .describe('Milliseconds to wait in the browser before the page is read.'),
  timeout: z
    .int()
    .min(1_000)
    .optional()
    .meta({ whenAbsent: DEFAULT_TIMEOUT_MS, maximum: MAX_TIMEOUT_MS })
    .describe(`Milliseconds for everything; more than ${MAX_TIMEOUT_MS} count as that.`),
  mobile: z.boolean().default(false).describe('Requests the page as a phone.'),
  blockAds: z.boolean().default(true).describe('Blocks advertisements, trackers and consent banners.'),
  removeBase64Images: z.boolean().default(true).describe('Removes images that are part of the page as base64.'),
  siteMemory: z
    .boolean()
    .default(true)
    .describe('Whether what other pages of the site have in common helps to choose the main content.'),
  skipTlsVerification: z
    .boolean()
    .default(true)
    .describe('Accepts invalid certificates, and says so in `metadata.tlsVerified`.'),
  proxy: z
    .enum(['basic', 'enhanced', 'stealth', 'auto'])
    .default('auto')
    .describe('`auto` makes enhanced attempts after a basic one was refused.'),
  maxAge: z
    .int()
    .min(0)
    .optional()
    .meta({ whenAbsent: DEFAULT_MAX_AGE_MS })
    .describe('Accepts a cached copy younger than this many milliseconds; 0 fetches the page again.'),
  minAge: z.int().min(0).optional().describe('Reads only the cache: a copy at least this many milliseconds old.'),
  storeInCache: z.boolean().default(true).describe('Whether the page may be kept in the cache and the index.'),
  lockdown: z.boolean().default(false).describe('Reads only the cache, sends no request, and stores nothing.'),
  location: location
    .default(() => location.parse({}))
    .describe('Selects the proxy, the languages and the time zone: `country` and `languages`.'),
  parsers: parsers
    .default(() => [{ type: 'pdf' as const, mode: 'auto' as const }])
    .meta({ whenAbsent: ['pdf'] })
    .describe('How files are read: `pdf` with its options, `image`.'),
  profile: profileOption.optional().describe('A named browser profile, whose cookies and storage are used.'),
  redactPII: redactPII.default(false).describe('Replaces personal data in the text.'),
  actions: actions.default(() => []).describe('What to do on the page first, such as click, write or scroll.'),
  threatProtection: threatProtection.optional().describe('Which URLs may be visited, besides the rules of the team.'),
  checkPromptInjection: z
    .boolean()
    .default(false)
    .describe(
      'Refuses pages whose text, hidden text included, tries to give orders to a language model. 4 credits for each page that was read.',
    ),
  fastMode: z.boolean().default(false).describe('Never uses a browser unless another option needs one.'),
  safeMode: z.boolean().default(false).describe('For requests whose URLs or options come from somebody else.'),
  auditMetadata: auditMetadata.optional().describe('Noted in the audit log.'),
  ...archiveFields,
};

const scrapeOptionShape = z.object(scrapeOptionFields);
type ParsedOptions = z.output<typeof scrapeOptionShape>;

/** Rules that span several options. Every object that includes ScrapeOptions applies them. */
export function checkTogether(options: ParsedOptions, context: z.RefinementCtx): void {
  if (options.timeout !== undefined && options.waitFor > options.timeout / 2) {
    context.addIssue({ code: 'custom', path: ['waitFor'], message: 'waitFor must not exceed half of timeout' });
  }
  if (waitingTime(options.actions) + options.waitFor > MAX_WAITING_MS) {
    const message = `All waits in \`actions\` and \`waitFor\` together must not exceed ${MAX_WAITING_MS / 1000} seconds.`;
    context.addIssue({ code: 'custom', path: ['actions'], message });
  }
  if (options.checkPromptInjection && options.formats.some(({ type }) => type === 'rawBase64')) {
    const message = '`checkPromptInjection` reads text, and `rawBase64` is a file. Leave one of them out.';
    context.addIssue({ code: 'custom', path: ['checkPromptInjection'], message });
  }
  checkUnredactable(options, context);
  checkArchiveOptions(options, context);
}

/** What many clients send as their default. */
const SHORT_TIMEOUT_MS = 30_000;

/** Formats that take longer have more time than that default, above all if the page may be tried through other proxies. */
function timeoutFor({ formats, proxy }: ParsedOptions): number {
  if (!formats.some(({ type }) => type === 'json' || type === 'changeTracking')) return SHORT_TIMEOUT_MS;
  return proxy === 'basic' ? 2 * SHORT_TIMEOUT_MS : 4 * SHORT_TIMEOUT_MS;
}

/** Who sets only `waitFor` has as much time left for the page as who sets both. */
const defaultTimeout = ({ waitFor }: ParsedOptions): number => Math.max(DEFAULT_TIMEOUT_MS, 2 * waitFor);

/** Sets the options that depend on others, or that the specification forces. */
export function applyDependentOptions<T extends ParsedOptions>(options: T) {
  const sensitive =
    options.actions.length > 0 ||
    hasHeaders(options.headers) ||
    options.profile !== undefined ||
    options.redactPII !== false ||
    options.source !== undefined;
  return {
    ...options,
    timeout: options.timeout === SHORT_TIMEOUT_MS ? timeoutFor(options) : (options.timeout ?? defaultTimeout(options)),
    proxy: options.proxy === 'stealth' ? ('enhanced' as const) : options.proxy,
    storeInCache: options.storeInCache && !sensitive,
  };
}

export const scrapeOptions = scrapeOptionShape.superRefine(checkTogether).transform(applyDependentOptions);

export type ScrapeOptions = z.output<typeof scrapeOptions>;

/** The time that a page has. */
export const timeLimit = ({ timeout }: Pick<ScrapeOptions, 'timeout'>): number => Math.min(timeout, MAX_TIMEOUT_MS);

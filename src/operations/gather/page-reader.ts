// Reads pages for a gathering, several at once, and keeps what is needed of them.
import type { Format } from '../../contracts/formats/formats.ts';
import type { SourcePage } from '../../understand/gather/gathered.ts';
import { addressOf } from '../../understand/gather/page-links.ts';
import type { JsonSchema } from '../../understand/json/schema/subschemas.ts';
import { type GatheredPage, isRefused, LIMIT_CODES, type Refused, type WebTools } from './web-tools.ts';

export interface PageReader {
  /** The pages that could be read, in the order of the URLs. One without Markdown has only links. */
  read(urls: readonly string[], asked: AskedPage): Promise<SourcePage[]>;
  /** Whether an address was read or tried. */
  isTried(url: string): boolean;
  count(): number;
  /** What callers have to know about pages that could not be read. */
  warnings(): string[];
  /** Notes that something was refused, for example a search. */
  noteRefusal(what: string, refused: Refused): void;
  /** The limit of the run because of which something was not read. From then on nothing is. */
  ended(): ReaderEnd | undefined;
}

export interface AskedPage {
  schema?: JsonSchema;
  /** Asks for the data of the page in any form. */
  isFree?: boolean;
  /** Only where a model can follow it. */
  prompt?: string;
  /** The caller named the URLs, so failures are worth a warning. */
  isNamed?: boolean;
}

export type ReaderEnd = 'max_credits' | 'max_time';

const AT_ONCE = 4;
const MAX_WARNINGS = 10;
const FAILED = 400;

export function createPageReader(web: WebTools, isTimeUp: () => boolean = () => false): PageReader {
  const tried = new Set<string>();
  const warnings = new Set<string>();
  const pages = new Set<string>();
  let ended: ReaderEnd | undefined;

  const noteRefusal = (what: string, { refused, code }: Refused) => {
    if (code === LIMIT_CODES.credits) ended ??= 'max_credits';
    else warnings.add(`${what}: ${refused}`);
  };

  const readOne = async (url: string, asked: AskedPage): Promise<SourcePage[]> => {
    if (isTimeUp()) ended ??= 'max_time';
    if (ended) return [];
    tried.add(addressOf(url) ?? url);
    const { isNamed } = asked;
    const page = await web.scrape(url, { formats: formatsOf(asked) });
    if (isRefused(page)) {
      if (isNamed || page.code === LIMIT_CODES.credits) noteRefusal(`${url} could not be read`, page);
      return [];
    }
    tried.add(addressOf(page.finalUrl) ?? page.finalUrl);
    const problem = problemOf(page);
    if (problem !== undefined) {
      if (isNamed || page.verdict === 'login-wall' || page.statusCode === 401) warnings.add(`${url}: ${problem}`);
      // What stands in place of a page may still link to others.
      return page.statusCode < FAILED ? [{ url: page.finalUrl, markdown: '', links: page.links }] : [];
    }
    // A model that failed is named here. Without one, the result as a whole says so.
    if (asked.prompt !== undefined && page.warning !== undefined) warnings.add(`${url}: ${page.warning}`);
    pages.add(page.finalUrl);
    return [readPage(page)];
  };

  return {
    async read(urls, asked) {
      const found: SourcePage[][] = [];
      for (let at = 0; at < urls.length; at += AT_ONCE) {
        found.push(...(await Promise.all(urls.slice(at, at + AT_ONCE).map((url) => readOne(url, asked)))));
      }
      return found.flat();
    },
    isTried: (url) => tried.has(addressOf(url) ?? url),
    count: () => pages.size,
    warnings: () => [...warnings].slice(0, MAX_WARNINGS),
    noteRefusal,
    ended: () => ended,
  };
}

const formatsOf = ({ schema, isFree, prompt }: AskedPage): Format[] =>
  schema || isFree ? [{ type: 'json', ...(schema && { schema }), ...(prompt && { prompt }) }] : [];

/** Why what came is not the page, in words. */
function problemOf({ verdict, statusCode }: GatheredPage): string | undefined {
  if (verdict === 'login-wall' || statusCode === 401) return 'the page needs a login, so it was not used.';
  if (verdict !== undefined) return `what the site sent is not the page (${verdict}), so it was not used.`;
  return statusCode >= FAILED ? `the site answered with status ${statusCode}, so the page was not used.` : undefined;
}

const readPage = ({
  finalUrl,
  title,
  description,
  language,
  markdown,
  links,
  next,
  json,
  citations,
}: GatheredPage): SourcePage => ({
  url: finalUrl,
  ...(title && { title }),
  ...(description && { description }),
  ...(language && { language }),
  markdown,
  links,
  ...(next && { next }),
  ...(json !== undefined && { json }),
  ...(citations && { citations }),
});

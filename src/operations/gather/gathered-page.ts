// A scraped page as a run stores it: what the run reads of it, within bounds.
import type { DocumentMetadata } from '../../contracts/scrape/document.ts';
import type { ScrapedDocument } from '../scrape.ts';
import type { GatheredPage } from './web-tools.ts';

const MAX_MARKDOWN = 80_000;
const MAX_LINKS = 1_000;
const MAX_LINK_LENGTH = 2_000;
/** Limit for the JSON text of `json`, and for that of all other formats together. */
const MAX_VALUES = 400_000;

interface Content extends Record<string, unknown> {
  markdown?: string | null;
  links?: string[];
  json?: unknown;
}

interface Rules {
  /** Links are redacted as well, so only those of the content may be kept. */
  isRedacted: boolean;
}

export function gatheredPage(
  url: string,
  { content, metadata, warning, discovered }: ScrapedDocument,
  { isRedacted }: Rules,
): GatheredPage {
  const { markdown, links, json, ...more } = JSON.parse(Buffer.from(content).toString()) as Content;
  const notes = warning === undefined ? [] : [warning];
  const bounded = (name: string, value: unknown): object => {
    if (value === undefined || JSON.stringify(value).length <= MAX_VALUES) return { [name]: value };
    notes.push(`\`${name}\` is missing: it is longer than ${MAX_VALUES} characters.`);
    return {};
  };
  const text = markdown ?? '';
  if (text.length > MAX_MARKDOWN) {
    notes.push(`The page is long: only the first ${MAX_MARKDOWN} of ${text.length} characters were kept.`);
  }
  const page: GatheredPage = {
    url,
    finalUrl: metadata.url,
    ...aboutPage(metadata),
    statusCode: metadata.statusCode,
    ...(metadata.verdict !== undefined && { verdict: metadata.verdict }),
    markdown: text.length > MAX_MARKDOWN ? text.slice(0, MAX_MARKDOWN).toWellFormed() : text,
    links: short(isRedacted ? (links ?? []) : discovered.links),
    ...(discovered.next.length > 0 && !isRedacted && { next: short(discovered.next) }),
    ...(json !== undefined && json !== null && bounded('json', json)),
    ...(Object.keys(more).length > 0 && bounded('more', more)),
    ...(metadata.citations && { citations: metadata.citations }),
  };
  return notes.length > 0 ? { ...page, warning: notes.join(' ') } : page;
}

const short = (links: readonly string[]): string[] =>
  links.filter((link) => link.length <= MAX_LINK_LENGTH).slice(0, MAX_LINKS);

const firstOf = (text: string | string[] | undefined): string | undefined => (Array.isArray(text) ? text[0] : text);
const MAX_ABOUT = 1_000;

export function aboutPage({
  title,
  description,
  language,
}: DocumentMetadata): Pick<GatheredPage, 'title' | 'description' | 'language'> {
  const about = { title: firstOf(title), description: firstOf(description), language };
  return Object.fromEntries(
    Object.entries(about).flatMap(([name, text]) =>
      typeof text === 'string' && text !== '' ? [[name, text.slice(0, MAX_ABOUT).toWellFormed()]] : [],
    ),
  );
}

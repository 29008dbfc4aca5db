// Transforms text files other than HTML and Markdown (JSON, XML, CSV, feeds, plain text) into the requested formats.
import type { PageContent, PageMetadata, TransformOutcome, TransformRequest, Verdict } from '../../page/page.ts';
import type { Fingerprinter } from '../fingerprint/fingerprint.ts';
import { discoverInText } from '../formats/outlinks.ts';
import { indexedPage } from '../index-entry/indexed-page.ts';
import { type PlainKind, textEntry } from '../index-entry/text-entry.ts';
import { fenceFor } from '../markdown/escape-markdown.ts';
import { csvMarkdown } from './csv-table.ts';
import { readFeed } from './feed.ts';
import { layOutXml } from './xml-layout.ts';

const MAX_PRETTY = 1_000_000;

interface Rendered {
  markdown: string;
  /** Only kinds with real links have them; in others, URLs are just text. */
  links?: string[];
  metadata?: PageMetadata;
  warning?: string;
}

export function transformTextFile(
  kind: PlainKind,
  source: string,
  request: TransformRequest,
  fingerprinter: Fingerprinter,
): TransformOutcome {
  const { page, options } = request;
  const wants = new Set(options.formats);
  const rendered = render(kind, source, page.finalUrl);
  const content: PageContent = {};
  if (wants.has('markdown')) content.markdown = rendered.markdown;
  if (wants.has('html')) content.html = `<pre>${escapeHtml(source)}</pre>`;
  if (wants.has('rawHtml')) content.rawHtml = source;
  if (wants.has('links')) content.links = rendered.links ?? urlsInText(source);
  if (wants.has('images')) content.images = [];
  if (wants.has('attributes'))
    content.attributes = (options.attributes ?? []).map((wanted) => ({ ...wanted, values: [] }));
  const { markdown, links = [], metadata = {}, warning } = rendered;
  const verdict: Verdict = { kind: 'content', reason: '' };
  const discovered = discoverInText(links, page, fingerprinter.ofText(source));
  const indexed = indexedPage(request, verdict);
  return {
    content,
    metadata,
    verdict,
    warnings: warning === undefined ? [] : [warning],
    discovered,
    ...(indexed && { entry: textEntry({ kind, source, markdown, links, metadata, discovered, page: indexed }) }),
  };
}

function render(kind: PlainKind, source: string, url: string): Rendered {
  switch (kind) {
    case 'json':
      return { markdown: fenced('json', prettyJson(source)) };
    case 'xml':
      return { markdown: fenced('xml', layOutXml(source)) };
    case 'csv':
      return csvMarkdown(source);
    case 'feed':
      return readFeed(source, url) ?? { markdown: fenced('xml', source) };
    default:
      return { markdown: lines(source) };
  }
}

const lines = (source: string): string => source.replace(/\r\n?/g, '\n').trim();

function fenced(language: string, source: string): string {
  const text = lines(source);
  const fence = fenceFor(text, 3);
  return `${fence}${language}\n${text}\n${fence}`;
}

function prettyJson(source: string): string {
  if (source.length > MAX_PRETTY) return source;
  try {
    return JSON.stringify(JSON.parse(source), null, 2);
  } catch {
    // JSON Lines, JSON with comments, or invalid JSON is shown unchanged.
    return source;
  }
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const MAX_LINKS = 10_000;
const TRAILING = '.,;:!?';
const ADDRESS = /https?:\/\/[^\s"'<>\\)\]}]{1,2000}/g;

/** Without duplicates, in order of appearance. */
/** Finds the URLs in plain text. */
function urlsInText(source: string): string[] {
  const found = new Set<string>();
  for (const [match] of source.matchAll(ADDRESS)) {
    const url = URL.parse(withoutTrailing(match));
    if (url) found.add(url.href);
    if (found.size === MAX_LINKS) break;
  }
  return [...found];
}

/** Removes punctuation that ends the sentence rather than the URL. */
function withoutTrailing(address: string): string {
  let end = address.length;
  while (end > 0 && TRAILING.includes(address[end - 1]!)) end -= 1;
  return address.slice(0, end);
}

// Transforms a Markdown page: the Markdown is returned unchanged, the other formats come from the rendered HTML.
import type { PageMetadata, TransformOutcome, TransformRequest, Verdict } from '../../page/page.ts';
import type { Fingerprinter } from '../fingerprint/fingerprint.ts';
import { discoverInPage } from '../formats/outlinks.ts';
import { boundedMetadata, pageMetadata } from '../formats/page-metadata.ts';
import { fileTypeOf } from '../index-entry/facts/file-type.ts';
import { indexedPage } from '../index-entry/indexed-page.ts';
import { wholeTextEntry } from '../index-entry/whole-text-entry.ts';
import type { Extractor } from '../main-content/extractor.ts';
import { structuredData } from '../structured-data/structured-data.ts';
import { readWholeText } from '../whole-text.ts';

/** Mostly prose. */
const QUALITY = 0.8;

export function transformMarkdownFile(
  source: string,
  request: TransformRequest,
  extract: Extractor,
  fingerprinter: Fingerprinter,
): TransformOutcome {
  const { page } = request;
  const markdown = source.replace(/\r\n?/g, '\n').trim();
  const front = frontMatter(markdown);
  const body = { markdown: markdown.slice(front.end) };
  const { tree, urls, content, warnings, mask } = readWholeText({ body, markdown, rawHtml: source }, request, extract);
  const metadata = { ...pageMetadata(tree, urls), ...boundedMetadata(front.values) };
  const verdict: Verdict = { kind: 'content', reason: '' };
  const discovered = discoverInPage(tree, urls, page, fingerprinter.ofPage(tree));
  const outcome: TransformOutcome = { content, metadata, verdict, warnings, discovered };
  if (request.source?.data) outcome.data = structuredData(tree, urls);
  const indexed = indexedPage(request, verdict);
  if (!indexed) return outcome;
  const fileType = fileTypeOf('markdown', page.finalUrl);
  const entry = { tree, urls, mask: mask(), metadata, discovered, page: indexed, fileType, quality: QUALITY };
  return { ...outcome, entry: wholeTextEntry(entry) };
}

interface FrontMatter {
  values: PageMetadata;
  /** Where the text itself begins. */
  end: number;
}

const FRONT_MATTER_START = /^---[ \t]*\n/;
const MAX_FRONT_MATTER = 5_000;
const FRONT_MATTER_LINE = /^(title|description|summary|date|lang|language):[ \t]{1,9}["']?(.*?)["']?$/i;

/** Reads the simple values of the front matter: a name, a colon, and text on the same line. */
function frontMatter(markdown: string): FrontMatter {
  const values: PageMetadata = {};
  const end = FRONT_MATTER_START.test(markdown) ? markdown.slice(0, MAX_FRONT_MATTER).indexOf('\n---', 3) : -1;
  if (end === -1) return { values, end: 0 };
  for (const line of markdown.slice(0, end).split('\n')) {
    const [, name, value] = FRONT_MATTER_LINE.exec(line) ?? [];
    if (name !== undefined && value) values[name.toLowerCase()] = value;
  }
  const next = markdown.indexOf('\n', end + 1);
  return { values, end: next === -1 ? markdown.length : next };
}

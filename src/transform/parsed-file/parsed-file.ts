// Transforms a file that a parser has read into the requested formats. Such a file is content throughout: it needs no
// verdict and has no navigation.

import type { HtmlTree } from '../../markup/html/html-tree.ts';
import type { PageContent, TransformOutcome, TransformRequest, Verdict } from '../../page/page.ts';
import type { ParsedFile, ParsedFileFacts } from '../../page/parsed.ts';
import type { Fingerprinter } from '../fingerprint/fingerprint.ts';
import { pageText } from '../fingerprint/page-text.ts';
import { discoverInPage } from '../formats/outlinks.ts';
import { boundedMetadata, pageMetadata } from '../formats/page-metadata.ts';
import { parsedFileType } from '../index-entry/facts/file-type.ts';
import { nameFromUrl } from '../index-entry/facts/name-from-url.ts';
import { indexedPage } from '../index-entry/indexed-page.ts';
import { wholeTextEntry } from '../index-entry/whole-text-entry.ts';
import type { Extractor } from '../main-content/extractor.ts';
import { stripBase64Images } from '../markdown-file/base64-images.ts';
import { structuredData } from '../structured-data/structured-data.ts';
import { readWholeText } from '../whole-text.ts';
import { boundedBody } from './bounded-body.ts';
import { parsedFileQuality } from './parsed-file-quality.ts';

/** Files with less text are not identified by their text alone. */
const LITTLE_TEXT = 200;

export interface ParsedFileInput {
  facts: ParsedFileFacts;
  parsed: ParsedFile;
}

export function transformParsedFile(
  request: TransformRequest,
  { facts, parsed }: ParsedFileInput,
  extract: Extractor,
  fingerprinter: Fingerprinter,
): TransformOutcome {
  const { page, options } = request;
  const { body, warnings: cuts } = boundedBody(parsed.body);
  const whole = readWholeText({ body }, request, extract);
  const { tree, urls } = whole;
  // The metadata of the file takes precedence over that of its HTML.
  const metadata = { ...pageMetadata(tree, urls), ...boundedMetadata(parsed.metadata) };
  const verdict: Verdict = { kind: 'content', reason: '' };
  const discovered = discoverInPage(tree, urls, page, fingerprintOf(tree, page.finalUrl, fingerprinter));
  const isAsGiven = whole.isAsGiven && cuts.length === 0;
  const outcome: TransformOutcome = {
    content: { ...whole.content, ...partsOf(parsed, options.removeBase64Images, isAsGiven) },
    metadata,
    verdict,
    warnings: [...parsed.warnings, ...cuts, ...whole.warnings],
    discovered,
    document: facts,
    ...(request.source && isAsGiven && parsed.pageStarts && { pageStarts: parsed.pageStarts }),
    ...(request.source?.data && { data: structuredData(tree, urls) }),
  };
  const indexed = indexedPage(request, verdict);
  if (!indexed) return outcome;
  const entry = wholeTextEntry({
    ...{ tree, urls, mask: whole.mask(), metadata, discovered, page: indexed },
    fileType: parsedFileType(facts.kind, page.finalUrl, page.contentType),
    quality: parsedFileQuality(facts.kind, parsed),
  });
  return { ...outcome, entry };
}

/** The pages and blocks of the parser. The spans of blocks are valid only in its own Markdown. */
export function partsOf(
  { pages, blocks }: ParsedFile,
  removeBase64Images: boolean,
  isAsGiven: boolean,
): Pick<PageContent, 'pages' | 'blocks'> {
  const withoutSpans = () =>
    blocks?.map((page) => ({ ...page, items: page.items.map((block) => ({ ...block, markdownSpan: null })) }));
  return {
    ...(pages && {
      pages: removeBase64Images
        ? pages.map((page) => ({ ...page, markdown: stripBase64Images(page.markdown) }))
        : pages,
    }),
    ...(blocks && { blocks: isAsGiven ? blocks : withoutSpans() }),
  };
}

/** A crawl recognises files by their text; images and drawings with hardly any are identified by name. */
function fingerprintOf(tree: HtmlTree, url: string, fingerprinter: Fingerprinter) {
  const text = pageText(tree, LITTLE_TEXT);
  return text.trim().length < LITTLE_TEXT
    ? fingerprinter.ofText(`${text}\n${nameFromUrl(url)}`)
    : fingerprinter.ofPage(tree);
}

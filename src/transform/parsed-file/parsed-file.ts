// What a parser made of a file, in the requested formats. A document is content as a whole: nothing stands in its place,
// and none of it is navigation.
import type { PageContent, TransformOutcome, TransformRequest, Verdict } from '../../contracts/page.ts';
import type { ParsedFile, ParsedFileFacts } from '../../contracts/parsed.ts';
import type { HtmlTree } from '../../markup/html/html-tree.ts';
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
import { readWholeText } from '../whole-text.ts';
import { boundedBody } from './bounded-body.ts';
import { parsedFileQuality } from './parsed-file-quality.ts';

/** Less text than this does not tell one file from another. */
const LITTLE_TEXT = 200;

export interface ParsedFileInput {
  facts: ParsedFileFacts;
  parsed: ParsedFile;
}

export function transformParsedFile(
  request: TransformRequest,
  { facts, parsed }: ParsedFileInput,
  extract: Extractor,
  printer: Fingerprinter,
): TransformOutcome {
  const { page, options } = request;
  const { body, warnings: cuts } = boundedBody(parsed.body);
  const whole = readWholeText({ body }, request, extract);
  const { tree, urls } = whole;
  // What the HTML says about itself fills the gaps of what the file says.
  const metadata = { ...pageMetadata(tree, urls), ...boundedMetadata(parsed.metadata) };
  const verdict: Verdict = { kind: 'content', reason: '' };
  const discovered = discoverInPage(tree, urls, page, printOf(tree, page.finalUrl, printer));
  const outcome: TransformOutcome = {
    content: { ...whole.content, ...partsOf(parsed, options.removeBase64Images, whole.isAsGiven && cuts.length === 0) },
    metadata,
    verdict,
    warnings: [...parsed.warnings, ...cuts, ...whole.warnings],
    discovered,
    document: facts,
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

/** Pages and blocks as the parser gave them; the places of blocks count only in its own Markdown. */
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

/** A crawl knows a page again by its text; pictures and drawings with next to none are told by their names. */
function printOf(tree: HtmlTree, url: string, printer: Fingerprinter) {
  const text = pageText(tree, LITTLE_TEXT);
  return text.trim().length < LITTLE_TEXT ? printer.ofText(`${text}\n${nameFromUrl(url)}`) : printer.ofPage(tree);
}

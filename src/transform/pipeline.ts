// Bytes to the requested formats, in order. Each step has its reason; none is done twice, and none that nobody asked for.
import type { TransformOutcome, TransformRequest } from '../contracts/page.ts';
import { decodeText } from '../markup/charset.ts';
import { createPageUrls } from '../markup/html/page-urls.ts';
import { parseHtml } from '../markup/html/parse-html.ts';
import { createSelect } from '../markup/html/select-nodes.ts';
import { kindByName, kindOf } from '../markup/sniff.ts';
import { base64Of, transformAsBase64 } from './base64-file.ts';
import {
  type ChosenContent,
  type ContentOptions,
  chooseContent,
  isUsualContent,
  USUAL_CONTENT,
} from './choose-content.ts';
import { createFingerprinter, type Fingerprinter } from './fingerprint/fingerprint.ts';
import { makeFormats, needsChoice } from './formats/formats.ts';
import { mediaCandidates } from './formats/media-candidates.ts';
import { discoverInPage } from './formats/outlinks.ts';
import { pageMetadata } from './formats/page-metadata.ts';
import { indexedPage } from './index-entry/indexed-page.ts';
import { pageEntry } from './index-entry/page-entry.ts';
import type { Extractor } from './main-content/extractor.ts';
import { transformMarkdownFile } from './markdown-file/markdown-file.ts';
import { transformParsedFile } from './parsed-file/parsed-file.ts';
import { transformTextFile } from './text-file/text-file.ts';
import type { Judge } from './verdict/judge.ts';

export type Pipeline = (request: TransformRequest) => TransformOutcome;

export interface PipelineParts {
  judge: Judge;
  extract: Extractor;
}

export function createPipeline(parts: PipelineParts): Pipeline {
  const printer = createFingerprinter();
  return (request) => {
    const { page, options, parsedFile } = request;
    // 0. A document was read by its parser already, or is not to be read at all.
    if (parsedFile) return transformParsedFile(request, parsedFile, parts.extract, printer);
    if (request.asBase64) return transformAsBase64(request, printer);
    // 1. The kind decides how to decode: only HTML declares its charset in a <meta>.
    const found = kindOf(page.contentType, page.bytes);
    const isRaw = options.formats.includes('rawBase64');
    if (found.kind === 'binary' && isRaw) return transformAsBase64(request, printer);
    // The caller turns binary files away; what reaches this point anyway is shown as the text it claims to be.
    const kind = found.kind === 'binary' ? 'text' : kindByName(found.kind, page.finalUrl);
    const source = decodeText(page.bytes, page.contentType, { html: kind === 'html' }).text;
    const outcome =
      kind === 'html'
        ? transformHtml(parts, request, source, printer)
        : kind === 'markdown'
          ? transformMarkdownFile(source, request, parts.extract, printer)
          : transformTextFile(kind, source, request, printer);
    if (isRaw) outcome.content.rawBase64 = base64Of(page.bytes);
    return outcome;
  };
}

function transformHtml(
  { judge, extract }: PipelineParts,
  request: TransformRequest,
  source: string,
  printer: Fingerprinter,
): TransformOutcome {
  const { page, options } = request;
  const warnings: string[] = [];
  // 2. One parse; everything below reads the same tree.
  const tree = parseHtml(source);
  if (tree.truncated) warnings.push('The page is too large or too deeply nested; parts of it were cut off.');
  const urls = createPageUrls(tree, page.finalUrl);
  // 3. The verdict sees the whole page, because what stands in its place often hides outside the main content.
  const verdict = judge(tree, { url: page.finalUrl, status: page.status, headers: page.headers });
  // 4. One choice of content for Markdown, HTML, links and images, so that they agree.
  const select = createSelect(tree);
  const choose = (wanted: ContentOptions, complaints: string[]): ChosenContent =>
    chooseContent({ tree, url: page.finalUrl, select }, wanted, extract, complaints);
  const chosen = needsChoice(options.formats) ? choose(options, warnings) : undefined;
  // 5. Exactly the requested formats.
  const content = makeFormats({ tree, urls, select, options, chosen, rawHtml: source, warnings });
  // 6. Metadata comes with every answer.
  const metadata = pageMetadata(tree, urls);
  const quality = chosen?.quality === undefined ? undefined : Math.round(chosen.quality * 100) / 100;
  // 7. So does what a crawl goes by, made from the whole page: a result is stored once and serves any job.
  const discovered = discoverInPage(tree, urls, page, printer.ofPage(tree));
  const outcome: TransformOutcome = { content, metadata, verdict, warnings, quality, discovered };
  if (request.media) outcome.media = mediaCandidates(tree, urls, metadata);
  // 8. And, on request, what the index wants: always of the main content, whatever part the caller is after.
  const indexed = indexedPage(request, verdict);
  if (!indexed) return outcome;
  const main = chosen && isUsualContent(options) ? chosen : choose(USUAL_CONTENT, []);
  return { ...outcome, entry: pageEntry({ tree, urls, chosen: main, metadata, discovered, page: indexed }) };
}

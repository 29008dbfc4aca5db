// From bytes to the requested formats, step by step. No step runs twice, and none runs without being needed.

import { decodeText } from '../markup/charset.ts';
import type { HtmlTree } from '../markup/html/html-tree.ts';
import { createPageUrls, type PageUrls } from '../markup/html/page-urls.ts';
import { createSelect } from '../markup/html/select-nodes.ts';
import { kindByName, kindOf } from '../markup/sniff.ts';
import { sniffHead } from '../markup/sniff-head.ts';
import type { TransformOutcome, TransformRequest } from '../page/page.ts';
import type { AskedPrograms } from '../page/selector-programs.ts';
import { textsOf } from '../page/site-memory.ts';
import { isNeeded, type PageText, type SelectedValues } from '../page/understanding.ts';
import { base64Of, transformAsBase64 } from './base64-file.ts';
import {
  type ChosenContent,
  type ContentOptions,
  certainContent,
  chooseContent,
  isUsualContent,
  type SelectablePage,
  USUAL_CONTENT,
} from './choose-content.ts';
import { createFingerprinter, type Fingerprinter } from './fingerprint/fingerprint.ts';
import { makeFormats, needsChoice } from './formats/formats.ts';
import { mediaCandidates } from './formats/media-candidates.ts';
import { discoverInPage } from './formats/outlinks.ts';
import { pageMetadata } from './formats/page-metadata.ts';
import { indexedPage } from './index-entry/indexed-page.ts';
import { pageEntry } from './index-entry/page-entry.ts';
import type { Extraction, Extractor } from './main-content/extractor.ts';
import { repeatedTexts, templateTexts } from './main-content/siblings/template-texts.ts';
import { toMarkdown } from './markdown/markdown.ts';
import { transformMarkdownFile } from './markdown-file/markdown-file.ts';
import { sourceTree, withSource, withSourceFormats } from './page-source.ts';
import { transformParsedFile } from './parsed-file/parsed-file.ts';
import { structuredData } from './structured-data/structured-data.ts';
import { transformTextFile } from './text-file/text-file.ts';
import type { Judge } from './verdict/judge.ts';

/** Selects values by the programs that travel with a page. */
export type SelectByPrograms = (asked: AskedPrograms, source: PageText) => SelectedValues;

export type Pipeline = (request: TransformRequest, select?: SelectByPrograms) => TransformOutcome;

export interface PipelineParts {
  judge: Judge;
  extract: Extractor;
}

export function createPipeline(parts: PipelineParts): Pipeline {
  const fingerprinter = createFingerprinter();
  return (request, select) => {
    if (!request.source) return run(request, select);
    return withSource(run(withSourceFormats(request, request.source), select), request);
  };

  function run(request: TransformRequest, select: SelectByPrograms | undefined): TransformOutcome {
    const { page, options, parsedFile } = request;
    // 0. A file was read by its parser already, or is returned unread.
    if (parsedFile) return transformParsedFile(request, parsedFile, parts.extract, fingerprinter);
    if (request.asBase64) return transformAsBase64(request, fingerprinter);
    // 1. Decode according to the kind: only HTML declares its charset in a <meta>.
    const found = kindOf(page.contentType, page.head ?? sniffHead(page.bytes));
    const isRaw = options.formats.includes('rawBase64');
    if (found.kind === 'binary' && isRaw) return transformAsBase64(request, fingerprinter);
    // Binary files are refused earlier; one that gets here is shown as the text it claims to be.
    const kind = found.kind === 'binary' ? 'text' : kindByName(found.kind, page.finalUrl);
    const source = decodeText(page.bytes, page.contentType, { html: kind === 'html' }).text;
    const outcome =
      kind === 'html'
        ? transformHtml({ ...parts, fingerprinter, select }, request, source)
        : kind === 'markdown'
          ? transformMarkdownFile(source, request, parts.extract, fingerprinter)
          : transformTextFile(kind, source, request, fingerprinter);
    if (isRaw) outcome.content.rawBase64 = base64Of(page.bytes);
    return outcome;
  }
}

interface HtmlParts extends PipelineParts {
  fingerprinter: Fingerprinter;
  select: SelectByPrograms | undefined;
}

function transformHtml(
  { judge, extract, fingerprinter, select: selectByProgram }: HtmlParts,
  request: TransformRequest,
  source: string,
): TransformOutcome {
  const { page, options } = request;
  const warnings: string[] = [];
  // 2. Parse once: everything below reads the same tree, and so do jobs that follow in this thread.
  const tree = sourceTree(source, request);
  if (tree.truncated) warnings.push('The page is too large or too deeply nested; parts of it were cut off.');
  const urls = createPageUrls(tree, page.finalUrl);
  // 3. Judge the whole page: the signs of a challenge or an error are often outside the main content.
  const verdict = judge(tree, { url: page.finalUrl, status: page.status, headers: page.headers });
  // 4. Choose the content once for Markdown, HTML, links and images, so that they agree.
  const select = createSelect(tree);
  let extraction: Extraction | undefined;
  const extractHere: Extractor = (page, url, structured) => {
    extraction = extract(page, url, structured, request.site);
    return extraction;
  };
  const choose = (wanted: ContentOptions, complaints: string[]): ChosenContent =>
    chooseContent({ tree, url: page.finalUrl, select }, wanted, extractHere, complaints);
  const chosen = needsChoice(options.formats) ? choose(options, warnings) : undefined;
  const informed = siblingFacts(tree, extraction, request);
  // 5. Make exactly the requested formats.
  const content = makeFormats({ tree, urls, select, options, chosen, rawHtml: source, warnings });
  // 6. Every answer has metadata.
  const metadata = pageMetadata(tree, urls);
  const quality = chosen?.quality === undefined ? undefined : Math.round(chosen.quality * 100) / 100;
  // 7. Links and fingerprint for crawls come from the whole page: a result is stored once and serves any job.
  const discovered = discoverInPage(tree, urls, page, fingerprinter.ofPage(tree));
  const outcome: TransformOutcome = { content, metadata, verdict, warnings, quality, ...informed, discovered };
  if (request.source?.clean)
    outcome.cleanMarkdown = cleanMarkdown({ tree, url: page.finalUrl, select }, urls, request, extractHere);
  // 8. What known programs select saves other formats the rest of the page.
  if (request.programs && selectByProgram && verdict.kind === 'content') {
    const { language } = metadata;
    const text = { url: page.finalUrl, html: source, markdown: content.markdown ?? '' };
    const read = { ...text, ...(typeof language === 'string' && { language }) };
    outcome.selected = request.programs.asked.map((asked) => selectByProgram(asked, read));
  }
  if (isNeeded(request.source?.data, outcome.selected)) outcome.data = structuredData(tree, urls);
  if (request.media) outcome.media = mediaCandidates(tree, urls, metadata);
  // 9. On request, make the index entry: always from the main content, whatever part the caller asked for.
  const indexed = indexedPage(request, verdict);
  if (!indexed) return outcome;
  const main = chosen && isUsualContent(options) ? chosen : choose(USUAL_CONTENT, []);
  const entry = pageEntry({ tree, urls, chosen: main, metadata, discovered, page: indexed });
  return { ...outcome, entry, ...(extraction && { texts: textsOf(extraction.table.words, extraction.table.hashes) }) };
}

/** What other pages of the site had to do with the choice. */
function siblingFacts(
  tree: HtmlTree,
  extraction: Extraction | undefined,
  { explains, source }: TransformRequest,
): Pick<TransformOutcome, 'siblings' | 'template' | 'repeated'> {
  if (!extraction?.siblings) return {};
  return {
    siblings: extraction.siblings.count,
    ...(explains && { template: templateTexts(tree, extraction) }),
    ...(source && { repeated: repeatedTexts(tree, extraction) }),
  };
}

/** For callers who want no boilerplate at all. Links, images and HTML stay as they are. */
function cleanMarkdown(
  page: SelectablePage,
  urls: PageUrls,
  { options }: TransformRequest,
  extract: Extractor,
): string | undefined {
  const certain = certainContent(page, options, extract);
  if (!certain) return undefined;
  const { mask, replacementText } = certain;
  return replacementText ?? toMarkdown({ tree: page.tree, mask, urls, removeBase64Images: options.removeBase64Images });
}

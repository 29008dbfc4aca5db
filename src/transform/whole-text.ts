// Transforms a text that is content throughout, as Markdown or HTML. It becomes a tree like any page, and only what the
// caller excludes is left out.

import type { HtmlTree } from '../markup/html/html-tree.ts';
import type { Mask } from '../markup/html/node-mask.ts';
import { createPageUrls, type PageUrls } from '../markup/html/page-urls.ts';
import { createSelect } from '../markup/html/select-nodes.ts';
import type { PageContent, TransformRequest } from '../page/page.ts';
import type { ParsedFile } from '../page/parsed.ts';
import { chooseContent } from './choose-content.ts';
import { makeFormats, needsChoice } from './formats/formats.ts';
import type { Extractor } from './main-content/extractor.ts';
import { stripBase64Images } from './markdown-file/base64-images.ts';
import { renderMarkdown } from './markdown-file/render-markdown.ts';
import { sourceTree } from './page-source.ts';

export interface WholeTextSource {
  body: ParsedFile['body'];
  /** The `markdown` format, if it contains more than the body. */
  markdown?: string;
  /** The `rawHtml` format, if it is not the HTML of the body. */
  rawHtml?: string;
}

export interface WholeText {
  tree: HtmlTree;
  urls: PageUrls;
  content: PageContent;
  /** Whether the Markdown is exactly the one that was passed in. */
  isAsGiven: boolean;
  warnings: string[];
  /** The mask of the whole text, whatever part the caller chose. */
  mask(): Mask;
}

const ALL = { onlyMainContent: false, includeTags: [] as string[], excludeTags: [] as string[], blockAds: false };

export function readWholeText(source: WholeTextSource, request: TransformRequest, extract: Extractor): WholeText {
  const { page, options } = request;
  const warnings: string[] = [];
  const html = htmlOf(source.body, warnings);
  const tree = sourceTree(html, request);
  if (tree.truncated) warnings.push('The document is too large or too deeply nested; parts of it were cut off.');
  const urls = createPageUrls(tree, page.finalUrl);
  const select = createSelect(tree);
  const choose = (wanted: typeof ALL) => chooseContent({ tree, url: page.finalUrl, select }, wanted, extract, warnings);

  const { includeTags, excludeTags, removeBase64Images } = options;
  const isAll = includeTags.length + excludeTags.length === 0;
  const chosen = needsChoice(options.formats) ? choose({ ...ALL, includeTags, excludeTags }) : undefined;
  const written = source.markdown ?? ('markdown' in source.body ? source.body.markdown : undefined);
  const markdown = isAll && written !== undefined && removeBase64Images ? stripBase64Images(written) : written;
  const content = makeFormats({
    ...{ tree, urls, select, options, chosen, warnings },
    rawHtml: source.rawHtml ?? html,
    // For a part of the text, the Markdown is written from the tree.
    ...(isAll && { markdown }),
  });
  const mask = () => (chosen && isAll ? chosen : choose(ALL)).mask;
  return { tree, urls, content, isAsGiven: isAll && markdown === written, warnings, mask };
}

function htmlOf(body: ParsedFile['body'], warnings: string[]): string {
  if ('html' in body) return body.html;
  const { html, isCut } = renderMarkdown(body.markdown);
  if (isCut) warnings.push('The document is too long: its HTML, links and images are those of its beginning.');
  return html;
}

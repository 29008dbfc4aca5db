// Makes exactly the requested formats, all from one tree and one choice of content, so that they agree.
import { traitsOf } from '../../contracts/formats/format-traits.ts';
import type { HtmlTree } from '../../markup/html/html-tree.ts';
import type { PageUrls } from '../../markup/html/page-urls.ts';
import type { Select } from '../../markup/html/select-nodes.ts';
import { escapeText, toHtml } from '../../markup/html/write-html.ts';
import type { PageContent, TransformFormat, TransformOptions } from '../../page/page.ts';
import type { ChosenContent } from '../choose-content.ts';
import { toMarkdown } from '../markdown/markdown.ts';
import { attributeValues } from './attribute-values.ts';
import { pageImages } from './page-images.ts';
import { pageLinks } from './page-links.ts';

export interface FormatSource {
  tree: HtmlTree;
  urls: PageUrls;
  select: Select;
  options: TransformOptions;
  /** Absent if no requested format depends on it. */
  chosen?: ChosenContent;
  rawHtml: string;
  /** The Markdown, if it exists already. */
  markdown?: string;
  warnings: string[];
}

export const needsChoice = (formats: readonly TransformFormat[]): boolean =>
  formats.some((format) => traitsOf(format).isChosen);

export function makeFormats(source: FormatSource): PageContent {
  const { tree, urls, select, options, chosen, warnings } = source;
  const wants = new Set(options.formats);
  const content: PageContent = {};
  if (chosen) {
    const { mask, replacementText } = chosen;
    const { removeBase64Images } = options;
    if (wants.has('markdown'))
      content.markdown = source.markdown ?? replacementText ?? toMarkdown({ tree, mask, urls, removeBase64Images });
    if (wants.has('html'))
      content.html = replacementText === undefined ? toHtml(tree, mask, urls) : asParagraphs(replacementText);
    if (wants.has('links')) content.links = pageLinks(tree, mask, urls);
    if (wants.has('images')) content.images = pageImages(tree, mask, urls);
  }
  if (wants.has('rawHtml')) content.rawHtml = source.rawHtml;
  if (wants.has('attributes')) content.attributes = attributeValues(tree, select, options.attributes ?? [], warnings);
  return content;
}

const asParagraphs = (text: string): string =>
  text
    .split(/\n+/)
    .map((line) => `<p>${escapeText(line)}</p>`)
    .join('\n');

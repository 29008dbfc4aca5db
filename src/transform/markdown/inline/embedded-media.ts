// Images, and embedded players and files as links, since Markdown has no embeds.
import { type HtmlTree, TEXT } from '../../../markup/html/html-tree.ts';
import { DROPPED, type Mask } from '../../../markup/html/node-mask.ts';
import type { PageUrls } from '../../../markup/html/page-urls.ts';
import { TAG } from '../../../markup/html/tags.ts';
import { escapeText, linkTarget, linkTitle } from '../escape-markdown.ts';
import { collapseSpace } from '../white-space.ts';
import { isCounterOrSpacer } from './counter-images.ts';

const REMOVED = '<Base64-Image-Removed>';

export interface ImageContext {
  urls: PageUrls;
  mask: Mask;
  removeBase64Images: boolean;
}

export function imageMarkdown(tree: HtmlTree, node: number, { urls, mask, removeBase64Images }: ImageContext): string {
  const source = urls.imageSource(node);
  if (source === undefined || isPixel(tree, node)) return '';
  const alt = label(tree.attribute(node, 'alt') || droppedCaption(tree, mask, node));
  if (alt === '' && isCounterOrSpacer(source)) return '';
  if (/^data:/i.test(source)) {
    // A tiny inline image without a description is a spacer or a lazy-loading placeholder.
    if (alt === '' && source.length < 512) return '';
    return `![${alt}](${removeBase64Images ? REMOVED : source})`;
  }
  const title = tree.attribute(node, 'title') ?? '';
  return `![${alt}](${linkTarget(source)}${title !== '' && title !== alt ? ` ${linkTitle(title)}` : ''})`;
}

/** An iframe, video, audio, embed or object as a link, '' if it has no address. */
export function embedMarkdown(tree: HtmlTree, node: number, urls: PageUrls): string {
  if (isPixel(tree, node)) return '';
  const own = ['src', 'data-src', 'data-lazy-src', 'data'].map((name) => urls.resolve(tree.attribute(node, name)));
  const url = own.find((address) => address !== undefined) ?? urls.resolve(sourceChild(tree, node));
  if (url === undefined || !/^https?:/.test(url)) return '';
  const name = tree.attribute(node, 'title') ?? tree.attribute(node, 'aria-label') ?? '';
  return `[${label(name) || (URL.parse(url)?.hostname ?? url)}](${linkTarget(url)})`;
}

function sourceChild(tree: HtmlTree, parent: number): string | undefined {
  for (let node = parent + 1; node < tree.end[parent]!; node++) {
    if (tree.tag[node] === TAG.source) return tree.attribute(node, 'src');
  }
  return undefined;
}

/** Tracking pixels and other invisible elements. */
const isPixel = (tree: HtmlTree, node: number): boolean =>
  /^\s*[01](?:px)?\s*$/.test(tree.attribute(node, 'width') ?? '') ||
  /^\s*[01](?:px)?\s*$/.test(tree.attribute(node, 'height') ?? '') ||
  /(?:^|[;\s])(?:(?:width|height)\s*:\s*[01]px|display\s*:\s*none)/i.test(tree.attribute(node, 'style') ?? '');

const label = (text: string): string => escapeText(collapseSpace(text).trim(), true, '[', ']');

const FIGURE_LEVELS = 4;
const MAX_CAPTION = 300;

/**
 * The caption of an image that the chosen content leaves out: it still describes the image better than nothing. '' unless
 * the image is in a figure whose caption is dropped.
 */
function droppedCaption(tree: HtmlTree, mask: Mask, image: number): string {
  let figure = image;
  for (let level = 0; level <= FIGURE_LEVELS && figure > 0 && tree.tag[figure] !== TAG.figure; level++) {
    figure = tree.parent[figure]!;
  }
  if (tree.tag[figure] !== TAG.figure) return '';
  for (let node = image + 1; node < tree.end[figure]!; node++) {
    if (tree.tag[node] === TAG.figcaption) return mask[node] === DROPPED ? textIn(tree, node) : '';
  }
  return '';
}

function textIn(tree: HtmlTree, element: number): string {
  let text = '';
  for (let node = element + 1; node < tree.end[element]! && text.length < MAX_CAPTION; node++) {
    if (tree.kind[node] === TEXT) text += ` ${tree.text(node)}`;
  }
  return text.slice(0, MAX_CAPTION);
}

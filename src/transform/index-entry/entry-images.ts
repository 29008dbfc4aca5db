// The images of an index entry: those of the content, and the one that the page declares as its preview.

import { ELEMENT, type HtmlTree } from '../../markup/html/html-tree.ts';
import { KEPT, type Mask } from '../../markup/html/node-mask.ts';
import type { PageUrls } from '../../markup/html/page-urls.ts';
import { isBlock, TAG } from '../../markup/html/tags.ts';
import type { EntryImage } from '../../page/index-entry.ts';
import { MAX_URL } from './anchor-texts.ts';
import { type ImageSize, imageSize } from './image-size.ts';
import { labelOf, tidy } from './text/clip.ts';

export const MAX_IMAGES = 100;
export const MAX_ALT = 300;
export const MAX_CAPTION = 500;
/** Smaller images are icons and decoration. */
const MIN_SIDE = 32;
// Tracking pixels and parts of the layout, recognised by their URL.
const NO_PICTURE =
  /\/(?:pixel|spacer|blank|empty|1x1|transparent|favicon|beacon|track(?:ing)?|avatars?|emoji|smil(?:ey|es|ies)|icons?|load(?:er|ing)|placeholder|sprites?)(?:\.[a-z]{2,4})?(?=[/?#]|$)|[/_-]sprites?[_.-]|\/\/(?:[\w-]+\.)?gravatar\.com\/|facebook\.com\/tr\b/i;
const CAPTION = /caption|credit|legend/i;
const CAPTION_LEVELS = 4;
const CAPTION_NODES = 60;

/** The preview image that the page declares in its metadata. */
export interface DeclaredImage extends ImageSize {
  url: string;
  alt: string;
}

export function entryImages(tree: HtmlTree, mask: Mask, urls: PageUrls, named?: DeclaredImage): EntryImage[] {
  const found = new Map<string, EntryImage>();
  for (let node = 1; node < tree.size && found.size < MAX_IMAGES; node++) {
    if (mask[node] !== KEPT) continue;
    const url = addressAt(tree, node, urls);
    if (url === undefined || found.has(url)) continue;
    const size = imageSize(tree, node, url);
    if (isTiny(size)) continue;
    const alt = tidy(tree.attribute(node, 'alt') ?? '', MAX_ALT);
    found.set(url, { url, ...stated(size), alt, caption: captionOf(tree, node) });
  }
  if (named) addNamed(found, named);
  return [...found.values()].slice(0, MAX_IMAGES);
}

function addNamed(found: Map<string, EntryImage>, { url, alt, ...size }: DeclaredImage): void {
  const known = found.get(url);
  if (known) found.set(url, { ...stated(size), ...known });
  else if (!isTiny(size) && !NO_PICTURE.test(url)) found.set(url, { url, ...stated(size), alt, caption: '' });
}

function addressAt(tree: HtmlTree, node: number, urls: PageUrls): string | undefined {
  const tag = tree.tag[node];
  if (tag !== TAG.img && tag !== TAG.video) return undefined;
  const url = tag === TAG.img ? urls.imageSource(node) : urls.resolve(tree.attribute(node, 'poster'));
  return isImageUrl(url) && !NO_PICTURE.test(url) ? url : undefined;
}

export const isImageUrl = (url: string | undefined): url is string =>
  url !== undefined && url.length <= MAX_URL && (url.startsWith('https:') || url.startsWith('http:'));

const isTiny = ({ width = MIN_SIDE, height = MIN_SIDE }: ImageSize): boolean => width < MIN_SIDE || height < MIN_SIDE;

/** Leaves out unknown sides. */
const stated = ({ width, height }: ImageSize): ImageSize => ({
  ...(width !== undefined && { width }),
  ...(height !== undefined && { height }),
});

/** The caption of its figure, else the next caption or credit in a small element around it. */
function captionOf(tree: HtmlTree, image: number): string {
  let above = tree.parent[image]!;
  for (let level = 0; level < CAPTION_LEVELS && above > 0; level++) {
    const isFigure = tree.tag[above] === TAG.figure;
    const end = Math.min(tree.end[above]!, image + CAPTION_NODES);
    for (let node = isFigure ? Math.max(above + 1, image - CAPTION_NODES) : image + 1; node < end; node++) {
      if (isCaption(tree, node, isFigure)) return labelOf(tree, node, MAX_CAPTION);
      // A caption after the next image belongs to that image.
      if (!isFigure && tree.tag[node] === TAG.img) return '';
    }
    if (isFigure || tree.end[above]! - above > CAPTION_NODES) return '';
    above = tree.parent[above]!;
  }
  return '';
}

function isCaption(tree: HtmlTree, node: number, inFigure: boolean): boolean {
  if (tree.kind[node] !== ELEMENT) return false;
  if (tree.tag[node] === TAG.figcaption) return true;
  const isText = isBlock(tree.tag[node]!) || tree.tag[node] === TAG.span;
  return !inFigure && isText && CAPTION.test(tree.attribute(node, 'class') ?? '');
}

// The size of an image as far as the page states it: in the file name, the srcset, attributes or the style.
import type { HtmlTree } from '../../markup/html/html-tree.ts';
import { TAG } from '../../markup/html/tags.ts';

export interface ImageSize {
  width?: number;
  height?: number;
}

const MAX_SIDE = 100_000;
const MAX_SET = 16_384;
/** Attributes in which common systems note the size of the original file. */
const ORIGINALS: [width: string, height: string][] = [
  ['data-file-width', 'data-file-height'],
  ['data-large_image_width', 'data-large_image_height'],
  ['data-original-width', 'data-original-height'],
];
// image-1200x800.jpg, /1200x800/image.jpg
const NAMED = /[-_/.@=](\d{2,5})x(\d{2,5})(?=[-_/.@?&]|$)/;
// ?w=1200: the server resized the image to this width.
const ASKED = /[?&](?:w|width)=(\d{2,5})(?=&|$)/;
const STYLED_WIDTH = /(?:^|[;\s])width\s{0,9}:\s{0,9}(\d{1,6}px)/i;
const STYLED_HEIGHT = /(?:^|[;\s])height\s{0,9}:\s{0,9}(\d{1,6}px)/i;

export function imageSize(tree: HtmlTree, node: number, url: string): ImageSize {
  const named = NAMED.exec(url);
  if (named) return { width: readPixels(named[1]), height: readPixels(named[2]) };
  const shown = shownSize(tree, node);
  // The widest candidate was chosen as source; its aspect ratio is that of the displayed size.
  const wide = widestCandidate(tree, node) ?? readPixels(shown.width === undefined ? ASKED.exec(url)?.[1] : undefined);
  if (wide === undefined) return shown;
  const { width, height } = shown;
  return width && height ? { width: wide, height: Math.round((wide * height) / width) } : { width: wide };
}

function shownSize(tree: HtmlTree, node: number): ImageSize {
  const style = tree.attribute(node, 'style') ?? '';
  const width = readPixels(tree.attribute(node, 'width')) ?? readPixels(STYLED_WIDTH.exec(style)?.[1]);
  const height = readPixels(tree.attribute(node, 'height')) ?? readPixels(STYLED_HEIGHT.exec(style)?.[1]);
  for (const [wide, high] of ORIGINALS) {
    const original = readPixels(tree.attribute(node, wide));
    if (original !== undefined) return { width: original, height: readPixels(tree.attribute(node, high)) };
  }
  return { width, height };
}

/** A number of pixels; undefined for other units. */
export function readPixels(value: string | undefined): number | undefined {
  const digits = /^\s*(\d{1,6})(?:\.\d{1,6})?\s*(?:px)?\s*$/i.exec(value ?? '')?.[1];
  const length = Number(digits);
  return digits !== undefined && length <= MAX_SIDE ? length : undefined;
}

function widestCandidate(tree: HtmlTree, node: number): number | undefined {
  const own = tree.attribute(node, 'srcset') ?? tree.attribute(node, 'data-srcset');
  const set = own ?? pictureSet(tree, node);
  if (set === undefined) return undefined;
  let widest: number | undefined;
  for (const [, digits] of set.slice(0, MAX_SET).matchAll(/\s(\d{2,5})w(?=[\s,]|$)/g)) {
    widest = Math.max(widest ?? 0, Number(digits));
  }
  return widest;
}

function pictureSet(tree: HtmlTree, node: number): string | undefined {
  const picture = tree.parent[node]!;
  const first = picture + 1;
  return tree.tag[picture] === TAG.picture && tree.tag[first] === TAG.source
    ? tree.attribute(first, 'srcset')
    : undefined;
}

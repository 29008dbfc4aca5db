// The part of a page that is about its main heading, line by line: what a reader sees beside the name of a product, without
// the cards of other products, and what is struck through. It needs no names in the markup.

import { ELEMENT, type HtmlTree } from '../../../markup/html/html-tree.ts';
import type { Mask } from '../../../markup/html/node-mask.ts';
import type { PageUrls } from '../../../markup/html/page-urls.ts';
import { TAG, tagSet } from '../../../markup/html/tags.ts';
import { sideBySide } from '../../../markup/labels/side-by-side.ts';
import type { LabelledValue, Subject } from '../../../page/structured-data.ts';
import type { ElementText } from '../element-text.ts';
import { headedSections, mainHeading } from './main-heading.ts';
import { LineReader } from './subject-lines.ts';

const MAX_TITLE = 300;
const MAX_PAIRS = 100;
const MIN_PICTURE = 64;

export interface SubjectTools {
  tree: HtmlTree;
  mask: Mask;
  urls: PageUrls;
  text: ElementText;
}

/** `titles`: what the document calls itself. `repeated`: blocks with the same structure, such as cards. */
export function readSubject(
  tools: SubjectTools,
  titles: readonly string[],
  repeated: readonly (readonly number[])[],
): Subject {
  const { tree, mask, text } = tools;
  const main = mainHeading(tree, mask, text, titles);
  const isOther = otherThings(tree, main, repeated);
  const sections = headedSections(tree, mask, main);
  const reader = new LineReader({ tree, mask, main, isOther, sections });
  const title = main === 0 ? '' : text.lineOf(main, MAX_TITLE);
  const image = pictureOf(tools, title, reader);
  const pairs = pairsBeside(tree, reader);
  return { ...(title !== '' && { title }), lines: reader.read(), pairs, ...(image && { image }) };
}

function pairsBeside(tree: HtmlTree, reader: LineReader): LabelledValue[] {
  const pairs: LabelledValue[] = [];
  for (let node = 1; node < tree.size && pairs.length < MAX_PAIRS; node++) {
    if (tree.kind[node] !== ELEMENT || !reader.isAboutSubject(node)) continue;
    pairs.push(...sideBySide(tree, node));
  }
  return pairs;
}

/** Cards with links, pictures or buttons are other things; rows of a label and a value are not. */
function otherThings(tree: HtmlTree, main: number, repeated: readonly (readonly number[])[]): Uint8Array {
  const isOther = new Uint8Array(tree.size);
  for (const blocks of repeated) {
    if (blocks.some((node) => node <= main && main < tree.end[node]!)) continue;
    const cards = blocks.filter((node) => isCard(tree, node)).length;
    if (cards * 2 >= blocks.length) for (const node of blocks) isOther.fill(1, node, tree.end[node]!);
  }
  return isOther;
}

const isOfCard = tagSet('a img button');

function isCard(tree: HtmlTree, block: number): boolean {
  for (let node = block; node < tree.end[block]!; node++) {
    if (tree.kind[node] === ELEMENT && isOfCard(tree.tag[node]!)) return true;
  }
  return false;
}

/** The picture that is called like the heading, or the nearest one. */
function pictureOf({ tree, urls }: SubjectTools, title: string, reader: LineReader): Subject['image'] {
  let best: { url: string; alt: string; rank: number } | undefined;
  for (let node = 1; node < tree.size; node++) {
    if (tree.tag[node] !== TAG.img || tree.kind[node] !== ELEMENT || !reader.isAboutSubject(node)) continue;
    const size = Number.parseInt(tree.attribute(node, 'width') ?? '', 10);
    const url = size < MIN_PICTURE ? undefined : urls.imageSource(node);
    if (url === undefined) continue;
    const alt = (tree.attribute(node, 'alt') ?? '').trim();
    const isCalled = alt.length > 2 && title !== '' && (alt.includes(title) || title.includes(alt));
    const rank = isCalled ? -1 : reader.distance(node);
    if (!best || rank < best.rank) best = { url, alt, rank };
  }
  return best && { url: best.url, ...(best.alt !== '' && { alt: best.alt }) };
}

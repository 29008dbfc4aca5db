// What stands beside the title of a page: a kicker above it, the standfirst below it.
import { ELEMENT, type HtmlTree, TEXT } from '../../../../markup/html/html-tree.ts';
import type { PageUrls } from '../../../../markup/html/page-urls.ts';
import { isBlock, isHeading, isInvisible, TAG } from '../../../../markup/html/tags.ts';
import { findDate } from '../../values/read-date.ts';
import { fieldName } from '../field-names.ts';
import type { NamedValues } from '../scope.ts';
import { shortText } from './element-names.ts';

const NEAR = 25;
const MAX_KICKER = 35;
const MAX_KICKER_WORDS = 4;
const [MIN_STANDFIRST, MAX_STANDFIRST] = [30, 350];
const KICKER = 0.5;
const STANDFIRST = 0.52;

export function aroundTitle(
  tree: HtmlTree,
  urls: PageUrls,
  title: string | undefined,
  weights: Float32Array,
): NamedValues[] {
  const heading = title === undefined ? undefined : headingOf(tree, title);
  if (heading === undefined) return [];
  const kicker = kickerOf(tree, heading, weights);
  const standfirst = standfirstOf(tree, heading, weights);
  return [
    ...(kicker ? [{ name: fieldName('category'), values: [{ value: kicker }], weight: KICKER }] : []),
    ...imagesOf(tree, heading, title!, urls),
    ...(standfirst ? [{ name: fieldName('subtitle'), values: [{ value: standfirst }], weight: STANDFIRST }] : []),
  ];
}

/** A picture that is called as the page, or the nearest one in the same part of it. */
function imagesOf(tree: HtmlTree, heading: number, title: string, urls: PageUrls): NamedValues[] {
  const found: NamedValues[] = [];
  for (let node = 1; node < tree.size && found.length < 3; node++) {
    if (tree.tag[node] !== TAG.img) continue;
    const alt = (tree.attribute(node, 'alt') ?? '').trim();
    const isCalled = alt.length > 4 && (title.includes(alt) || alt.includes(title));
    const href = isCalled || Math.abs(node - heading) < NEAR ? urls.imageSource(node) : undefined;
    if (href === undefined) continue;
    found.push({ name: IMAGE, values: [{ value: href, href }], weight: isCalled ? 0.6 : 0.45 });
  }
  return found;
}

const IMAGE = fieldName('image');

function headingOf(tree: HtmlTree, title: string): number | undefined {
  for (let node = 1; node < tree.size; node++) {
    if ((tree.tag[node] === TAG.h1 || tree.tag[node] === TAG.h2) && shortText(tree, node, 300) === title) return node;
  }
  return undefined;
}

const BADGE =
  /^(?:sale|new|neu|nouveau|nuevo|nuovo|home|back|zurück|angebot|promo\w*|sold\sout|featured|exclusive|exklusiv|menu|by|von|par|por|di|in)$/i;

/** The last text before the title, if it is a few words and not a way back, a badge or a step of a trail. */
function kickerOf(tree: HtmlTree, heading: number, weights: Float32Array): string | undefined {
  for (let node = heading - 1; node > Math.max(0, heading - NEAR); node--) {
    if (tree.kind[node] !== TEXT || tree.isBlank(node)) continue;
    const parent = tree.parent[node]!;
    const text = tree.text(node).trim();
    const isPlain = /^\p{L}[\p{L}\s&,'’-]*$/u.test(text) && text.split(/\s+/).length <= MAX_KICKER_WORDS;
    const isBadge = BADGE.test(text);
    const isApart = weights[node] === 1 && tree.tag[parent] !== TAG.li && !isInvisible(tree.tag[parent]!);
    return isPlain && isApart && !isBadge && text.length <= MAX_KICKER && !isPast(tree, parent, heading)
      ? text
      : undefined;
  }
  return undefined;
}

/** A text that shares no container of a few levels with the title belongs to something else. */
function isPast(tree: HtmlTree, node: number, heading: number): boolean {
  let at = tree.parent[heading]!;
  for (let level = 0; level < 2 && at > 0; level++, at = tree.parent[at]!) {
    if (tree.tag[at] === TAG.body) return true;
    if (at <= node && node < tree.end[at]!) return false;
  }
  return true;
}

/** The first paragraph or heading after the title, if the text of the article begins elsewhere. */
function standfirstOf(tree: HtmlTree, heading: number, weights: Float32Array): string | undefined {
  const end = Math.min(tree.size, tree.end[heading]! + NEAR);
  for (let node = tree.end[heading]!; node < end; node++) {
    if (tree.kind[node] !== ELEMENT || weights[node] !== 1) continue;
    if (tree.tag[node] !== TAG.p && tree.tag[node] !== TAG.h2 && !isLeafBlock(tree, node)) continue;
    const text = shortText(tree, node, MAX_STANDFIRST) ?? '';
    if (text.length < MIN_STANDFIRST) continue;
    const next = tree.end[node]!;
    const isFollowed = next < tree.end[tree.parent[node]!]! && tree.tag[nextElement(tree, next)] === TAG.p;
    return !isFollowed && isArticleHead(tree, next) && !/\d/.test(text.slice(0, 12)) ? text : undefined;
  }
  return undefined;
}

/** A byline or a date follows a standfirst; other first paragraphs are the text itself. */
function isArticleHead(tree: HtmlTree, from: number): boolean {
  for (let node = from; node < Math.min(tree.size, from + NEAR); node++) {
    if (tree.tag[node] === TAG.time || tree.attribute(node, 'rel') === 'author') return true;
    const text = tree.kind[node] === TEXT ? tree.text(node).trim() : '';
    if (text !== '' && text.length <= 100 && (BYLINE.test(text) || findDate(text, undefined))) return true;
    if (text.length > 100) return false;
  }
  return false;
}

const BYLINE = /^(?:by|von|par|por|di|door|av|af)(?:\s|$)/i;

function nextElement(tree: HtmlTree, from: number): number {
  let at = from;
  while (at < tree.size - 1 && tree.kind[at] !== ELEMENT) at += 1;
  return at;
}

function isLeafBlock(tree: HtmlTree, node: number): boolean {
  if (!isBlock(tree.tag[node]!) || isHeading(tree.tag[node]!)) return false;
  for (let at = node + 1; at < tree.end[node]!; at++) if (tree.kind[at] === ELEMENT) return false;
  return true;
}

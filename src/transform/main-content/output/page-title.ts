// Keeps the headline of a page where it lies outside the chosen content, as it does on many sites, and a price right below it.
import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import { TAG } from '../../../markup/html/tags.ts';
import { readPrices } from '../../../text/prices/prices.ts';
import { isUnseen, linkShareOf } from '../blocks/block-sums.ts';
import type { Block } from '../blocks/blocks.ts';
import { openingOf } from '../features/own-text.ts';
import { titleOf, titleWordsOf } from '../features/title.ts';

const MAX_TITLE_WORDS = 40;
// A headline shares more words with the page title than a site name or slogan does.
const TITLE_OVERLAP = 0.35;
// How many words of teasers, dates and names may stand between the start of the content and the headline.
const MAX_WORDS_BEFORE = 60;
const HEADING_LEVELS = 4;
// Ratings and names of makers may stand between the headline and the price.
const BELOW_TITLE = 3;
const MAX_PRICE_WORDS = 8;

export function keepTitle(tree: HtmlTree, list: Block[], keep: Uint8Array): void {
  const title = titleBlock(tree, list, keep);
  if (title < 0) return;
  keep[title] = 1;
  for (let index = title + 1; index < list.length && index <= title + BELOW_TITLE; index++)
    if (isPrice(tree, list[index]!)) keep[index] = 1;
}

/** It stands alone, or beside an older one. */
const isPrice = (tree: HtmlTree, block: Block): boolean =>
  block.stats.words <= MAX_PRICE_WORDS &&
  !isUnseen(block) &&
  linkShareOf(block) < 0.5 &&
  readPrices(openingOf(block, tree)).length > 0;

/**
 * The h1 that the page title begins with, else the first that resembles it, else the only one that stands with the content:
 * before the content or near its start.
 */
function titleBlock(tree: HtmlTree, list: Block[], keep: Uint8Array): number {
  const first = keep.indexOf(1);
  if (first < 0) return -1;
  const titleWords = titleWordsOf(tree);
  const title = plainWords(titleOf(tree));
  let similar = -1;
  const beside: number[] = [];
  let words = 0;
  for (let index = 0; index < list.length && words < MAX_WORDS_BEFORE; index++) {
    const block = list[index]!;
    if (keep[index] === 1) words += block.stats.words;
    const h1 = h1Around(tree, block.container);
    if (h1 === 0 || block.stats.words > MAX_TITLE_WORDS) continue;
    // A page that hides its content until a script runs hides the headline as well.
    if (isUnseen(block) && !isUnseen(list[first]!)) continue;
    const text = openingOf(block, tree);
    // The name of the site also opens many page titles, but it is a link.
    const isLink = linkShareOf(block) >= 0.5;
    if (!isLink && isOpeningOf(title, plainWords(text))) return index;
    if (similar < 0 && (titleWords.size === 0 || titleWords.overlap(text) >= TITLE_OVERLAP)) similar = index;
    if (!isLink && isBeside(tree, h1, list[first]!)) beside.push(index);
  }
  return similar < 0 && beside.length === 1 ? beside[0]! : similar;
}

/** Also around a <div> in the heading. */
function h1Around(tree: HtmlTree, container: number): number {
  let node = container;
  for (let level = 0; level < HEADING_LEVELS && node > 0; level++, node = tree.parent[node]!) {
    if (tree.tag[node] === TAG.h1) return node;
  }
  return 0;
}

/** In the same box as the content, however the page is called. */
function isBeside(tree: HtmlTree, h1: number, content: Block): boolean {
  let box = tree.parent[h1]!;
  for (let node = box; node > 0; node = tree.parent[node]!) {
    if (tree.tag[node] === TAG.main || tree.tag[node] === TAG.article) box = node;
  }
  return tree.tag[box] !== TAG.body && box < content.start && content.end <= tree.end[box]!;
}

/** Page titles begin with the headline and end with names of sections and the site. */
const isOpeningOf = (title: string, text: string): boolean =>
  /\p{L}{2}/u.test(text) && (title === text || title.startsWith(`${text} `));

const plainWords = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');

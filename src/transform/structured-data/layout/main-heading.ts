// The heading that says what the whole page is about, and the headings that begin sections of their own.

import { ELEMENT, type HtmlTree, TEXT } from '../../../markup/html/html-tree.ts';
import { DROPPED, type Mask } from '../../../markup/html/node-mask.ts';
import { isHeading, TAG, tagSet } from '../../../markup/html/tags.ts';
import { isFrontPageLink } from '../../../markup/labels/front-page-link.ts';
import { squeezed } from '../../../text/words/squeeze.ts';
import type { ElementText } from '../element-text.ts';

const MAX_HEADING = 300;
const MAX_LEVELS = 40;
const isSite = tagSet('nav footer');

/** The h1 or h2 whose text stands in the title of the document, or else the first h1. Node 0 if there is neither. */
export function mainHeading(tree: HtmlTree, mask: Mask, text: ElementText, titles: readonly string[]): number {
  const whole = squeezed(titles.join(' '));
  let best = { node: 0, score: 1 };
  for (let node = 1; node < tree.size; node++) {
    if (mask[node] === DROPPED || isSite(tree.tag[node]!)) {
      node = tree.end[node]! - 1;
      continue;
    }
    const tag = tree.tag[node];
    if (tree.kind[node] !== ELEMENT || (tag !== TAG.h1 && tag !== TAG.h2) || isFrontPageLink(tree, node)) continue;
    const letters = squeezed(text.lineOf(node, MAX_HEADING));
    if (letters === '') continue;
    const share = whole.includes(letters) ? 1 + letters.length / Math.max(1, whole.length) : 0;
    const score = share + (tag === TAG.h1 ? 1.5 : 0);
    if (score > best.score) best = { node, score };
  }
  return best.node;
}

/** For each node, the number of the innermost section with another heading, or sidebar, around it; 0 outside of them. */
export function headedSections(tree: HtmlTree, mask: Mask, main: number): Int32Array {
  const sections = new Int32Array(tree.size);
  const texts = textsBefore(tree, mask);
  for (let node = 1; node < tree.size; node++) {
    if (mask[node] === DROPPED || node === main) {
      node = tree.end[node]! - 1;
      continue;
    }
    if (tree.kind[node] !== ELEMENT) continue;
    const isMainInside = node < main && main < tree.end[node]!;
    // A sidebar inside of another one belongs to it.
    if (tree.tag[node] === TAG.aside && !isMainInside && sections[node] === 0)
      sections.fill(node, node, tree.end[node]!);
    if (!isHeading(tree.tag[node]!) || texts[tree.end[node]!] === texts[node]) continue;
    // Nothing stands between the main heading and its subtitle.
    if (main !== 0 && node > main && texts[node] === texts[tree.end[main]!]) continue;
    const [from, to] = scopeOf(tree, texts, node);
    if (from <= main && main < to) continue;
    sections.fill(node, from, to);
  }
  return sections;
}

/** How many visible texts stand before each node. */
function textsBefore(tree: HtmlTree, mask: Mask): Int32Array {
  const texts = new Int32Array(tree.size + 1);
  for (let node = 0; node < tree.size; node++) {
    const isText = tree.kind[node] === TEXT && mask[node] !== DROPPED && !tree.isBlank(node);
    texts[node + 1] = texts[node]! + Number(isText);
  }
  return texts;
}

/** What follows a heading, up to the next one of its rank, also where the heading has a container of its own. */
function scopeOf(tree: HtmlTree, texts: Int32Array, heading: number): [from: number, to: number] {
  let around = heading;
  for (let level = 0; level < MAX_LEVELS; level++) {
    const parent = tree.parent[around]!;
    const hasMore = texts[around] !== texts[parent] || texts[tree.end[parent]!] !== texts[tree.end[around]!];
    if (parent <= 0 || hasMore) break;
    around = parent;
  }
  const from = tree.end[around]!;
  const end = tree.end[Math.max(0, tree.parent[around]!)]!;
  for (let node = from; node < end; node++) {
    if (isHeading(tree.tag[node]!) && tree.tag[node]! <= tree.tag[heading]!) return [from, node];
  }
  return [from, end];
}

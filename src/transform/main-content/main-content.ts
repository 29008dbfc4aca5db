// The main content by rules: furniture goes, then the element that holds most of what is left stays, less its link lists.
// Deterministic and the same for every language; where the rules leave next to nothing, the page without navigation stands.
import { DROPPED, drop, emptyMask, keep, type Mask } from '../html/mask.ts';
import { TAG, tagSet } from '../html/tags.ts';
import { ELEMENT, type HtmlTree } from '../html/tree.ts';
import { linkShare, type Measures, measure } from './measure.ts';
import { createNoiseTest } from './noise.ts';

// A part this large is the page itself, whatever its name says.
const TOO_LARGE = 0.4;
const PROSE = 500;
const NEARLY_EMPTY = 200;
const isListLike = tagSet('ul ol dl div section table p td tr tbody header figure span center');

/** Narrows the mask, which holds the whole page, to the main content. */
export function keepMainContent(tree: HtmlTree, mask: Mask, blockAds: boolean): void {
  dropNoise(tree, mask, blockAds);
  const measures = measure(tree, mask);
  const container = chooseContainer(tree, mask, measures);
  if (container > 0) narrow(tree, mask, container);
  dropLinkLists(tree, mask, container, measures);
}

function dropNoise(tree: HtmlTree, mask: Mask, blockAds: boolean): void {
  const noise = createNoiseTest(tree, blockAds);
  const { text, prose } = measure(tree, mask);
  const limit = text[0]! * TOO_LARGE;
  for (let node = 1; node < tree.size; node++) {
    if (tree.kind[node] !== ELEMENT || mask[node] === DROPPED) continue;
    const sign = noise(node);
    if (
      sign === 'certain' ||
      (sign === 'likely' && text[node]! <= limit) ||
      (sign === 'possible' && text[node]! <= limit && prose[node]! < PROSE)
    ) {
      drop(mask, tree, node);
      node = tree.end[node]! - 1;
    }
  }
}

function chooseContainer(tree: HtmlTree, mask: Mask, measures: Measures): number {
  const { text } = measures;
  let best = 0;
  for (let node = 1; node < tree.size; node++) {
    if (tree.kind[node] !== ELEMENT || mask[node] === DROPPED) continue;
    if (tree.tag[node] !== TAG.main && tree.attribute(node, 'role') !== 'main') continue;
    if (text[node]! > text[best]! || best === 0) best = node;
  }
  if (best !== 0 && text[best]! < 0.4 * text[0]!) best = 0;
  const inside = articleIn(tree, mask, measures, best);
  return inside === 0 ? best : inside;
}

function articleIn(tree: HtmlTree, mask: Mask, { text }: Measures, root: number): number {
  let best = 0;
  for (let node = root + 1; node < tree.end[root]!; node++) {
    if (tree.tag[node] !== TAG.article || mask[node] === DROPPED) continue;
    if (best === 0 || text[node]! > text[best]!) best = node;
  }
  return best !== 0 && text[best]! >= 0.6 * text[root]! ? best : 0;
}

function narrow(tree: HtmlTree, mask: Mask, container: number): void {
  const before = mask.slice();
  mask.set(emptyMask(tree));
  keep(mask, tree, container);
  for (let node = container; node < tree.end[container]!; node++) if (before[node] === DROPPED) mask[node] = DROPPED;
}

function dropLinkLists(tree: HtmlTree, mask: Mask, container: number, measures: Measures): void {
  const { text, links } = measures;
  const total = text[container]!;
  if (total < NEARLY_EMPTY || linkShare(measures, container) > 0.6) return;
  for (let node = container + 1; node < tree.end[container]!; node++) {
    if (mask[node] === DROPPED || tree.kind[node] !== ELEMENT || !isListLike(tree.tag[node]!)) continue;
    if (links[node]! < 3 || text[node]! > 0.25 * total || linkShare(measures, node) < 0.75) continue;
    drop(mask, tree, node);
    node = tree.end[node]! - 1;
  }
}

// The main content by rules: furniture goes, then the element that holds most of what is left stays, less its link lists.
// Deterministic and alike for every language. Where the rules leave next to nothing, the page without furniture stands.
import { DROPPED, drop, keep, type Mask } from '../html/mask.ts';
import { TAG, tagSet } from '../html/tags.ts';
import { ELEMENT, type HtmlTree } from '../html/tree.ts';
import { linkShare, type Measures, measure } from './measure.ts';
import { createNoiseTest, type Noise } from './noise.ts';

// A part with more of the page's text than this is the page itself, whatever its name says.
const LARGE = 0.4;
// Characters of prose that a menu, an advertisement or a widget does not have.
const PROSE = 500;
// Prose outside the comments that shows that they are not the content themselves, as in a forum.
const COMMENTED = 1000;
// The share of the text that makes <main>, and <article> inside it, the container.
const MAIN_SHARE = 0.4;
const ARTICLE_SHARE = 0.6;
// A list of links: at least this many, little other text, and not the bulk of the page.
const LIST_LINKS = 3;
const LIST_LINK_SHARE = 0.75;
const LIST_PART = 0.25;
// Above this, the links are the content.
const COLLECTION = 0.6;
const NEARLY_EMPTY = 200;

const mayBeLinkList = tagSet('ul ol dl div section table tbody tr td p header figure span center');

/** Narrows the mask, which holds the whole page, to the main content. */
export function keepMainContent(tree: HtmlTree, mask: Mask, blockAds: boolean): void {
  const whole = measure(tree, mask);
  const before = mask.slice();
  dropNoise(tree, mask, whole, blockAds);
  const measures = measure(tree, mask);
  // Everything looked like furniture: then nothing did.
  if (measures.text[0]! < NEARLY_EMPTY && measures.text[0]! < whole.text[0]! / 2) {
    mask.set(before);
    return;
  }
  const container = chooseContainer(tree, mask, measures);
  if (container > 0) narrow(tree, mask, container);
  dropLinkLists(tree, mask, container, measures);
}

function dropNoise(tree: HtmlTree, mask: Mask, { text, prose }: Measures, blockAds: boolean): void {
  const noise = createNoiseTest(tree, blockAds);
  const goes = (sign: Noise, node: number): boolean => {
    if (sign === undefined || sign === 'certain') return sign === 'certain';
    if (sign === 'comments') return prose[0]! - prose[node]! >= COMMENTED;
    return text[node]! <= text[0]! * LARGE && (sign === 'likely' || prose[node]! < PROSE);
  };
  for (let node = 1; node < tree.size; node++) {
    if (tree.kind[node] !== ELEMENT || mask[node] === DROPPED || !goes(noise(node), node)) continue;
    drop(mask, tree, node);
    node = tree.end[node]! - 1;
  }
}

function chooseContainer(tree: HtmlTree, mask: Mask, measures: Measures): number {
  const isMain = (node: number) => tree.tag[node] === TAG.main || tree.attribute(node, 'role') === 'main';
  const isArticle = (node: number) => tree.tag[node] === TAG.article;
  const main = largest(tree, mask, measures, 0, MAIN_SHARE, isMain);
  return largest(tree, mask, measures, main, ARTICLE_SHARE, isArticle) || main;
}

/** The matching element with the most text inside `root`, 0 if none has the given share of it. */
function largest(
  tree: HtmlTree,
  mask: Mask,
  { text }: Measures,
  root: number,
  share: number,
  matches: (node: number) => boolean,
): number {
  let best = 0;
  let most = text[root]! * share;
  for (let node = root + 1; node < tree.end[root]!; node++) {
    if (tree.kind[node] !== ELEMENT || mask[node] === DROPPED || text[node]! < most || !matches(node)) continue;
    // Of two that hold the same text, the outer one comes first and stays.
    if (best !== 0 && text[node] === most) continue;
    [best, most] = [node, text[node]!];
  }
  return best;
}

function narrow(tree: HtmlTree, mask: Mask, container: number): void {
  const inside = mask.slice(container, tree.end[container]!);
  mask.fill(DROPPED);
  keep(mask, tree, container);
  mask.set(inside, container);
}

function dropLinkLists(tree: HtmlTree, mask: Mask, container: number, measures: Measures): void {
  const { text, links } = measures;
  const total = text[container]!;
  if (total < NEARLY_EMPTY || linkShare(measures, container) > COLLECTION) return;
  for (let node = container + 1; node < tree.end[container]!; node++) {
    if (mask[node] === DROPPED || tree.kind[node] !== ELEMENT || !mayBeLinkList(tree.tag[node]!)) continue;
    if (links[node]! < LIST_LINKS || text[node]! > LIST_PART * total || linkShare(measures, node) < LIST_LINK_SHARE)
      continue;
    drop(mask, tree, node);
    node = tree.end[node]! - 1;
  }
}

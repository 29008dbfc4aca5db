// Finds the containers of consent managers in a page as it was sent: what a browser removes after it has loaded the page.
import { type AdElements, adElements } from '../markup/ad-elements.ts';
import { ELEMENT, type HtmlTree } from '../markup/html/html-tree.ts';
import { type Mask, textLength } from '../markup/html/node-mask.ts';
import { TAG } from '../markup/html/tags.ts';
import { lazy } from '../util/lazy.ts';

// Longer elements that have most of the text are the content, whatever their name says.
const LONG = 2000;
const CONTENT_SHARE = 0.5;
const CONTENT_TAGS: ReadonlySet<number> = new Set([TAG.main, TAG.article, TAG.h1]);

const names = lazy(() => readNames(adElements().consent));

/** The outermost elements; the mask says what a reader can see. None if nothing else would be left. */
export function findConsentBanners(tree: HtmlTree, mask: Mask): number[] {
  const found: number[] = [];
  const isNamed = nameTest(tree);
  for (let node = 1; node < tree.size; node++) {
    if (tree.kind[node] !== ELEMENT || !isNamed(node) || holdsContent(tree, node)) continue;
    found.push(node);
    node = tree.end[node]! - 1;
  }
  if (found.length === 0) return found;
  const all = textLength(tree, mask, 0);
  const lengths = new Map(found.map((node) => [node, textLength(tree, mask, node)]));
  const banners = found.filter((node) => lengths.get(node)! <= Math.max(LONG, all * CONTENT_SHARE));
  const inside = banners.reduce((sum, node) => sum + lengths.get(node)!, 0);
  return inside < all ? banners : [];
}

function nameTest(tree: HtmlTree): (node: number) => boolean {
  const { id, classes } = names();
  const [idNumber, classNumber] = [tree.attributeNumber('id'), tree.attributeNumber('class')];
  return (node) => {
    const [ofId, ofClass] = [tree.attributeAt(node, idNumber), tree.attributeAt(node, classNumber)];
    return (ofId !== undefined && id.test(ofId)) || (ofClass !== undefined && classes.test(ofClass));
  };
}

function readNames({ ids, idStarts, classes }: AdElements['consent']) {
  const any = (values: string[]) => `(?:${values.join('|')})`;
  return {
    id: new RegExp(`^(?:${any(ids)}$|${any(idStarts)})`),
    classes: new RegExp(`(?:^|\\s)${any(classes)}(?:\\s|$)`),
  };
}

function holdsContent(tree: HtmlTree, node: number): boolean {
  for (let at = node; at < tree.end[node]!; at++) if (CONTENT_TAGS.has(tree.tag[at]!)) return true;
  return false;
}

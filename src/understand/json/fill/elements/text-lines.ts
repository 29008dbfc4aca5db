// The short lines of a page as a reader sees them, and what they state.
import { ELEMENT, type HtmlTree, TEXT } from '../../../../markup/html/html-tree.ts';
import { isBlock, isInvisible } from '../../../../markup/html/tags.ts';
import { fieldName } from '../field-names.ts';
import type { NamedValues } from '../scope.ts';
import { factsIn } from '../text/short-facts.ts';
import { shortText } from './element-names.ts';

const MAX_LINE = 240;
const MAX_NODES = 60;
const MAX_LINES = 3_000;
const MAX_BADGE = 60;
const FACT_WEIGHT = 0.7;
const AVAILABILITY = fieldName('availability');
const STOCK =
  /\b(?:in|out\sof)\sstock\b|sold\s?out|unavailable|\bavailable\b|ausverkauft|auf\slager|lieferbar|vorrätig|verfügbar|en\sstock|épuisé|disponible|agotado|在庫|売り切れ/iu;
const BUY =
  /^(?:add\sto\s(?:cart|basket|bag)|buy\s(?:now|tickets?)|get\stickets|in\sden\swarenkorb|jetzt\skaufen|tickets?\skaufen|ajouter\sau\spanier|acheter|añadir\s(?:al\scarrito|a\sla\scesta)|comprar(?:\sentradas)?|カートに入れる)$/iu;

/** `weights`: how far each part of the page can be trusted to be about its subject. */
export function lineFacts(tree: HtmlTree, weights: Float32Array): NamedValues[] {
  const found: NamedValues[] = [];
  let count = 0;
  for (let node = 1; node < tree.size && count < MAX_LINES; node++) {
    if (tree.kind[node] !== ELEMENT || isInvisible(tree.tag[node]!) || tree.end[node]! - node > MAX_NODES) continue;
    if (isBlock(tree.tag[node]!) && hasBlocks(tree, node)) {
      for (const text of ownTexts(tree, node)) {
        for (const fact of factsIn(text, FACT_WEIGHT)) found.push({ ...fact, weight: fact.weight * weights[node]! });
      }
      continue;
    }
    const text = shortText(tree, node, MAX_LINE);
    if (!text) continue;
    count += 1;
    const weight = weights[node]!;
    for (const fact of factsIn(text, FACT_WEIGHT)) found.push({ ...fact, weight: fact.weight * trust(fact, weight) });
    if (text.length <= MAX_BADGE) found.push(...stockFacts(text, weight));
  }
  return found;
}

/** The number of comments stands above the comments. */
const trust = ({ name }: NamedValues, weight: number): number => (name.concepts.has('commentCount') ? 1 : weight);

function stockFacts(text: string, weight: number): NamedValues[] {
  if (STOCK.test(text)) return [{ name: AVAILABILITY, values: [{ value: text }], weight: 0.6 * weight }];
  // A thing with a "buy" button is in stock.
  return BUY.test(text) ? [{ name: AVAILABILITY, values: [{ value: text }], weight: 0.45 * weight }] : [];
}

/** Texts between the blocks of an element. */
function ownTexts(tree: HtmlTree, node: number): string[] {
  const texts: string[] = [];
  for (let child = node + 1; child < tree.end[node]!; child = tree.end[child]!) {
    const text = tree.kind[child] === TEXT ? tree.text(child).slice(0, MAX_LINE).trim() : '';
    if (text !== '') texts.push(text);
  }
  return texts;
}

function hasBlocks(tree: HtmlTree, node: number): boolean {
  for (let at = node + 1; at < tree.end[node]!; at++) if (isBlock(tree.tag[at]!)) return true;
  return false;
}

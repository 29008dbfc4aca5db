// Recognises lines in the middle of an article that lead to another one: "Read also: ..." with a link.
import { type HtmlTree, TEXT } from '../../../markup/html/html-tree.ts';
import type { Block } from './blocks.ts';

const LABELS = new Set([
  ...['related', 'related story', 'related stories', 'related article', 'related articles', 'related content'],
  ...['read more', 'read also', 'also read', 'read next', 'read', 'more', 'see also', 'watch', 'more on this'],
  ...['recommended', 'you may also like', 'you might also like', "don't miss", 'must read', 'further reading'],
  ...['mehr', 'mehr dazu', 'mehr zum thema', 'lesen sie auch', 'lesen sie mehr', 'auch lesen', 'auch interessant'],
  ...['lies auch', 'zum thema', 'lire aussi', 'à lire aussi', 'lire également', 'voir aussi', 'leggi anche'],
  ...['lea también', 'lee también', 'le puede interesar', 'te puede interesar', 'vea también', 'ver también'],
  ...['leia também', 'leia mais', 'veja também', 'lees ook', 'czytaj także', 'czytaj też', 'zobacz także', 'læs også'],
  ...['läs också', 'les også', 'читайте также', 'читайте ещё', 'читайте також'],
]);
const MAX_LABEL = 24;
const MAX_WORDS = 40;

/** The label stands outside the link: items of menus, which are only links, cost nothing here. */
export function isPointer(tree: HtmlTree, { start, end, stats, linkWords }: Block): boolean {
  if (linkWords === 0 || linkWords >= stats.words || stats.words > MAX_WORDS || linkWords < stats.words / 2)
    return false;
  let text = '';
  for (let node = start; node < end && text.length <= MAX_LABEL; node++) {
    if (tree.kind[node] === TEXT) text += tree.text(node).slice(0, 2 * MAX_LABEL);
  }
  const colon = text.search(/[:：]/);
  return colon > 0 && LABELS.has(text.slice(0, colon).trim().toLowerCase());
}

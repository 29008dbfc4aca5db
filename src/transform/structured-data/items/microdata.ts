// Microdata: itemscope, itemtype, itemprop, itemid and itemref.

import { ELEMENT, type HtmlTree } from '../../../markup/html/html-tree.ts';
import type { PageUrls } from '../../../markup/html/page-urls.ts';
import type { DataItem } from '../../../page/structured-data.ts';
import type { ElementText } from '../element-text.ts';
import { markedItems } from './marked-items.ts';
import { propertyValue } from './property-value.ts';
import { plainName } from './vocabulary-names.ts';

const MAX_WORDS = 20;
const MAX_REFERENCES = 100;

export function microdataItems(tree: HtmlTree, urls: PageUrls, text: ElementText): DataItem[] {
  const scope = tree.attributeNumber('itemscope');
  if (scope === -1) return [];
  const property = tree.attributeNumber('itemprop');
  const type = tree.attributeNumber('itemtype');
  const itemid = tree.attributeNumber('itemid');
  const itemref = tree.attributeNumber('itemref');
  const ids = itemref === -1 ? undefined : elementsById(tree);
  return markedItems(tree, {
    name: 'microdata',
    isItem: (node) => tree.attributeAt(node, scope) !== undefined,
    properties: (node) => words(tree.attributeAt(node, property)).map(plainName),
    types: (node) => words(tree.attributeAt(node, type)).map(plainName),
    id: (node) => urls.resolve(tree.attributeAt(node, itemid)),
    references: (node) => words(tree.attributeAt(node, itemref), MAX_REFERENCES).flatMap((id) => ids?.get(id) ?? []),
    value: (node, name) => propertyValue(tree, urls, text, node, name),
  });
}

export const words = (value: string | undefined, max = MAX_WORDS): string[] =>
  value === undefined
    ? []
    : value
        .slice(0, 4_000)
        .split(/\s+/, max + 1)
        .filter((word) => word !== '')
        .slice(0, max);

function elementsById(tree: HtmlTree): Map<string, number> {
  const number = tree.attributeNumber('id');
  const ids = new Map<string, number>();
  for (let node = 1; node < tree.size; node++) {
    const id = tree.kind[node] === ELEMENT ? tree.attributeAt(node, number) : undefined;
    if (id !== undefined && !ids.has(id)) ids.set(id, node);
  }
  return ids;
}

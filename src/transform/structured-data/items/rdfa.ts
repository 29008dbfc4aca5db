// RDFa as pages use it (RDFa Lite, and `rel` as Drupal writes it): typeof, property, resource, about, content.

import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import type { PageUrls } from '../../../markup/html/page-urls.ts';
import type { DataItem } from '../../../page/structured-data.ts';
import type { ElementText } from '../element-text.ts';
import { markedItems } from './marked-items.ts';
import { words } from './microdata.ts';
import { propertyValue } from './property-value.ts';
import { plainName } from './vocabulary-names.ts';

// Meta tags for link previews, which meta-tags.ts reads.
const PREVIEW = /^(?:og|fb|twitter|article|book|profile|video|music|product|al):/;

export function rdfaItems(tree: HtmlTree, urls: PageUrls, text: ElementText): DataItem[] {
  const type = tree.attributeNumber('typeof');
  if (type === -1) return [];
  const property = tree.attributeNumber('property');
  const rel = tree.attributeNumber('rel');
  const resource = tree.attributeNumber('resource');
  const about = tree.attributeNumber('about');
  const isItem = (node: number) => tree.attributeAt(node, type) !== undefined;
  const relations = (node: number) => words(tree.attributeAt(node, rel)).filter((word) => word.includes(':'));
  const properties = (node: number): string[] => {
    const own = words(tree.attributeAt(node, property)).filter((word) => !PREVIEW.test(word));
    // <div rel="schema:offers"><div typeof="schema:Offer">: the relation names the items inside.
    const related = own.length > 0 ? [] : relations(isItem(node) ? tree.parent[node]! : node);
    return [...own, ...related].map(plainName);
  };
  return markedItems(tree, {
    name: 'rdfa',
    isItem,
    // An element with a relation and no address has the items inside as its values.
    properties: (node) => (isItem(node) || hasValue(tree, node, property) ? properties(node) : []),
    types: (node) => words(tree.attributeAt(node, type)).map(plainName),
    id: (node) => urls.resolve(tree.attributeAt(node, resource) ?? tree.attributeAt(node, about)),
    references: () => [],
    value: (node, name) =>
      urls.resolve(tree.attributeAt(node, resource)) ?? propertyValue(tree, urls, text, node, name),
  });
}

const hasValue = (tree: HtmlTree, node: number, property: number): boolean =>
  tree.attributeAt(node, property) !== undefined ||
  tree.attribute(node, 'href') !== undefined ||
  tree.attribute(node, 'src') !== undefined ||
  tree.attribute(node, 'resource') !== undefined;

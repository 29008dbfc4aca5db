// The `attributes` format: the values of one attribute on every element that a selector matches, from the whole page.

import type { HtmlTree } from '../../markup/html/html-tree.ts';
import type { Select } from '../../markup/html/select-nodes.ts';
import type { AttributeSelector, AttributeValues } from '../../page/page.ts';
import { selectorWarning } from '../choose-content.ts';

const MAX_VALUES = 100_000;

export function attributeValues(
  tree: HtmlTree,
  select: Select,
  wanted: AttributeSelector[],
  warnings: string[],
): AttributeValues[] {
  return wanted.map(({ selector, attribute }) => {
    const { nodes, problem } = select(selector);
    if (problem !== undefined) warnings.push(selectorWarning('attributes', selector));
    const name = attribute.toLowerCase();
    const values: string[] = [];
    for (const node of nodes) {
      const value = tree.attribute(node, name);
      if (value !== undefined && values.length < MAX_VALUES) values.push(value);
    }
    return { selector, attribute, values };
  });
}

// What pages of one template have in common, and their structure as a model sees it.

import { ELEMENT, type HtmlTree, TEXT } from '../../../markup/html/html-tree.ts';
import { isInvisible, TAG } from '../../../markup/html/tags.ts';
import { pageTree } from '../../../markup/page-tree/page-tree.ts';
import type { Template } from '../../../page/selector-programs.ts';
import type { PageText } from '../../../page/understanding.ts';
import { fitTokens } from '../../../text/estimate-tokens.ts';
import { sketchOf } from './template-likeness.ts';
import { textHash } from './text-hash.ts';

export type PageHtml = Pick<PageText, 'html' | 'url'>;

const TEMPLATE_DEPTH = 4;
const MAX_NAMES = 400;
const MAX_SHOWN_TEXT = 120;
const SHOWN = ['id', 'class', 'itemprop', 'rel', 'datetime', 'content', 'href', 'src', 'alt', 'data-testid'];
const MAX_ATTRIBUTE = 80;

/** The named elements near the root. Names with numbers belong to single pages. */
export function templateOf({ html = '' }: PageHtml): Template {
  const tree = pageTree(html);
  const names = new Set<number>();
  const depth = new Uint16Array(tree.size);
  for (let node = 1; node < tree.size && names.size < MAX_NAMES; node++) {
    depth[node] = tree.tag[node] === TAG.body ? 0 : depth[tree.parent[node]!]! + 1;
    if (tree.kind[node] !== ELEMENT || depth[node]! > TEMPLATE_DEPTH || isInvisible(tree.tag[node]!)) continue;
    const given = `${tree.attribute(node, 'id') ?? ''} ${tree.attribute(node, 'class') ?? ''}`.slice(0, 500);
    if (given === ' ') continue;
    for (const word of given.split(/\s+/)) {
      if (word !== '' && !/\d/.test(word)) names.add(textHash(`${tree.tagName(node)}.${word}`));
    }
  }
  return sketchOf(names);
}

/** The page without what is not shown, one element a line. */
export function outlinePage({ html = '' }: PageHtml, maxTokens: number): string {
  const tree = pageTree(html);
  const lines: string[] = [];
  const depth = new Uint16Array(tree.size);
  for (let node = 1; node < tree.size; node++) {
    depth[node] = depth[tree.parent[node]!]! + 1;
    if (tree.kind[node] === TEXT) {
      const text = tree.text(node).replace(/\s+/g, ' ').trim();
      if (text !== '') lines.push(' '.repeat(Math.min(20, depth[node]!)) + text.slice(0, MAX_SHOWN_TEXT));
    } else if (isInvisible(tree.tag[node]!) && tree.tag[node] !== TAG.meta) node = tree.end[node]! - 1;
    else lines.push(' '.repeat(Math.min(20, depth[node]!)) + startTag(tree, node));
  }
  return fitTokens(lines.join('\n'), maxTokens).text;
}

function startTag(tree: HtmlTree, node: number): string {
  const attributes = SHOWN.flatMap((name) => {
    const value = tree.attribute(node, name);
    return value ? [`${name}="${value.slice(0, MAX_ATTRIBUTE)}"`] : [];
  });
  return `<${[tree.tagName(node), ...attributes].join(' ')}>`;
}

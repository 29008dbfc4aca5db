// Lists: bullets, numbers, and blank lines only where items contain paragraphs.
import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import { KEPT, type Mask } from '../../../markup/html/node-mask.ts';
import { TAG, tagSet } from '../../../markup/html/tags.ts';
import type { Handler } from '../emitter.ts';
import { isLeftEmpty } from './empty-elements.ts';

const isList = tagSet('ul ol menu dir');

export const list: Handler = (emitter, node, tag) => {
  const { tree, lists, writer } = emitter;
  if (emitter.singleLine) return emitter.block(node);
  emitter.boundary();
  const outer = lists[lists.length - 1];
  // A list directly inside a list belongs to the previous item.
  const hangs = outer?.started === true && isList(tree.tag[tree.parent[node]!]!);
  if (hangs) {
    const rest = ' '.repeat(outer.indent);
    writer.enter({ kind: 'item', first: rest, rest, tight: outer.tight });
  }
  const ordered = tag === TAG.ol;
  const next = wholeNumber(tree.attribute(node, 'start')) ?? 1;
  const usual = ordered ? '.' : '-';
  const marker = writer.markerBefore() !== usual ? usual : ordered ? ')' : '*';
  const tight = isTight(tree, emitter.context.mask, node);
  lists.push({ ordered, next, tight, started: false, marker, indent: 2 });
  // Only bullets and lists that start at 1 may interrupt a paragraph.
  writer.enter({ kind: 'list', first: '', rest: '', tight, marker, needsGap: ordered && next !== 1 });
  emitter.children(node);
  emitter.boundary();
  writer.leave();
  lists.pop();
  if (hangs) writer.leave();
};

export const item: Handler = (emitter, node) => {
  if (emitter.singleLine) return emitter.block(node);
  emitter.boundary();
  const owner = emitter.lists[emitter.lists.length - 1];
  if (owner) owner.next = wholeNumber(emitter.tree.attribute(node, 'value')) ?? owner.next;
  const marker = owner?.ordered ? `${owner.next}${owner.marker} ` : `${owner?.marker ?? '-'} `;
  const tight = owner?.tight ?? false;
  emitter.writer.enter({ kind: 'item', first: marker, rest: ' '.repeat(marker.length), tight });
  emitter.children(node);
  emitter.boundary();
  if (owner && isLeftEmpty(emitter.tree, node)) emitter.writer.block('text', ['']);
  const written = emitter.writer.leave();
  // An item without content still counts.
  if (owner) owner.next += 1;
  if (!owner || !written) return;
  owner.started = true;
  owner.indent = marker.length;
};

export const checkbox: Handler = (emitter, node) => {
  const { tree, lists } = emitter;
  if (tree.attribute(node, 'type')?.toLowerCase() !== 'checkbox' || lists.length === 0) return;
  emitter.raw(tree.attribute(node, 'checked') === undefined ? '[ ]' : '[x]');
  emitter.text(' ');
};

/** A list is loose if its items contain paragraphs. */
function isTight(tree: HtmlTree, mask: Mask, list: number): boolean {
  for (let item = list + 1; item < tree.end[list]!; item = tree.end[item]!) {
    for (let child = item + 1; child < tree.end[item]!; child = tree.end[child]!) {
      if (tree.tag[child] === TAG.p && mask[child] === KEPT) return false;
    }
  }
  return true;
}

function wholeNumber(value: string | undefined): number | undefined {
  return value !== undefined && /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : undefined;
}

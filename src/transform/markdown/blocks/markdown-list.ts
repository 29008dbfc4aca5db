// Lists: bullets, numbers, and blank lines only where items contain paragraphs.
import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import { KEPT, type Mask } from '../../../markup/html/node-mask.ts';
import { TAG, tagSet } from '../../../markup/html/tags.ts';
import type { Handler, OpenList } from '../emitter.ts';
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
  const before = writer.markerBefore();
  const tight = isTight(tree, emitter.context.mask, node);
  const single = hasOneItem(tree, emitter.context.mask, node);
  const open: OpenList = { ordered, next, tight, started: false, single, marker: usual, indent: 2 };
  const continued = before === '' ? undefined : emitter.previousList;
  const continues = continued !== undefined && isContinuedBy(continued, open);
  if (continues) open.marker = before;
  else if (before === usual) open.marker = ordered ? ')' : '*';
  lists.push(open);
  writer.enter({
    kind: 'list',
    first: '',
    rest: '',
    tight,
    marker: open.marker,
    // Only bullets and lists that start at 1 may interrupt a paragraph.
    needsGap: ordered && next !== 1,
    continues: continues && tight && continued.tight,
  });
  emitter.children(node);
  emitter.boundary();
  if (writer.leave()) emitter.previousList = open;
  lists.pop();
  if (hangs) writer.leave();
};

/** Some pages make a list of each item. */
const isContinuedBy = (list: OpenList, next: OpenList): boolean =>
  list.single && next.single && list.ordered === next.ordered && (!list.ordered || list.next === next.next);

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

function hasOneItem(tree: HtmlTree, mask: Mask, list: number): boolean {
  let items = 0;
  for (let item = list + 1; item < tree.end[list]! && items < 2; item = tree.end[item]!) {
    if (tree.tag[item] === TAG.li && mask[item] === KEPT) items += 1;
  }
  return items === 1;
}

function wholeNumber(value: string | undefined): number | undefined {
  return value !== undefined && /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : undefined;
}

// Lists: signs, numbers, and blank lines only where items hold paragraphs.
import { KEPT, type Mask } from '../html/mask.ts';
import { TAG } from '../html/tags.ts';
import { type HtmlTree, TEXT } from '../html/tree.ts';
import type { Emitter, Handler } from './emitter.ts';

export const list: Handler = (emitter, node, tag) => {
  const { tree, lists } = emitter;
  if (emitter.singleLine) return emitter.block(node);
  emitter.boundary();
  const ordered = tag === TAG.ol;
  const start = wholeNumber(tree.attribute(node, 'start')) ?? 1;
  // Only bullets and a list from 1 may follow a line of text directly.
  if (lists[lists.length - 1]?.tight && (!ordered || start === 1)) emitter.writer.tighten();
  const sign = signFor(emitter, node, ordered);
  lists.push({ ordered, next: start, tight: isTight(tree, emitter.context.mask, node), started: false, sign });
  emitter.children(node);
  emitter.boundary();
  lists.pop();
  emitter.writer.loosen();
  emitter.lastList = { end: tree.end[node]!, sign };
};

export const item: Handler = (emitter, node) => {
  if (emitter.singleLine) return emitter.block(node);
  emitter.boundary();
  const owner = emitter.lists[emitter.lists.length - 1];
  if (owner?.tight && owner.started) emitter.writer.tighten();
  if (owner) owner.next = wholeNumber(emitter.tree.attribute(node, 'value')) ?? owner.next;
  const marker = owner?.ordered ? `${owner.next}${owner.sign} ` : `${owner?.sign ?? '-'} `;
  if (owner) owner.next += 1;
  emitter.writer.enter(marker, ' '.repeat(marker.length));
  emitter.children(node);
  emitter.boundary();
  const written = emitter.writer.leave();
  if (owner && written) owner.started = true;
};

export const checkbox: Handler = (emitter, node) => {
  const { tree, lists } = emitter;
  if (tree.attribute(node, 'type')?.toLowerCase() !== 'checkbox' || lists.length === 0) return;
  emitter.raw(tree.attribute(node, 'checked') === undefined ? '[ ]' : '[x]');
  emitter.text(' ');
};

function signFor(emitter: Emitter, node: number, ordered: boolean): string {
  const usual = ordered ? '.' : '-';
  const { end, sign } = emitter.lastList;
  const follows = sign === usual && end !== -1 && isGap(emitter.tree, end, node);
  if (!follows) return usual;
  return ordered ? ')' : '*';
}

/** A list is loose when its items hold paragraphs. */
function isTight(tree: HtmlTree, mask: Mask, list: number): boolean {
  for (let item = list + 1; item < tree.end[list]!; item = tree.end[item]!) {
    for (let child = item + 1; child < tree.end[item]!; child = tree.end[child]!) {
      if (tree.tag[child] === TAG.p && mask[child] === KEPT) return false;
    }
  }
  return true;
}

/** Is there nothing but white space between two nodes? */
function isGap(tree: HtmlTree, from: number, to: number): boolean {
  for (let node = from; node < to; node++) {
    if (tree.kind[node] !== TEXT || tree.text(node).trim() !== '') return false;
  }
  return true;
}

function wholeNumber(value: string | undefined): number | undefined {
  return value !== undefined && /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : undefined;
}

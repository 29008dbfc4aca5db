// Nests list items whose level is given only by their style, which the office engine ignores.
import type { Block, Inline, InlineKind, List, ListItem } from '@firecrawl/anydoc';
import { MARK } from '../text-marks.ts';

export interface TaskItem {
  blocks: Block[];
  checked?: boolean;
}

/** Nests neighbouring lists by the marks in front of their items. */
export function nestLists(blocks: readonly Block[]): Block[] {
  const result: Block[] = [];
  let path: List[] = [];
  for (const block of blocks) {
    if (!block.list) {
      path = [];
      result.push(block);
      continue;
    }
    for (const part of splitByDepth(block.list)) {
      const depth = Math.min(part.depth, path.length);
      const open = path[depth];
      path = path.slice(0, depth);
      if (open && continues(open, part.list)) open.items.push(...part.list.items);
      else if (depth > 0) path[depth - 1]!.items.at(-1)!.blocks.push({ ...block, list: part.list });
      else result.push({ ...block, list: part.list });
      path.push(open && continues(open, part.list) ? open : part.list);
    }
  }
  return result;
}

/** Two lists are one only if a nested list came between them; otherwise the engine separated them for a reason. */
const continues = (open: List, next: List): boolean =>
  open.marker === next.marker &&
  (open.items.at(-1)?.blocks.some(({ list }) => list) ?? false) &&
  (`${open.marker}` === 'bullet' || next.start === open.start + open.items.length);

/** Joins neighbouring numbered lists if the second restarts at 1 or continues the numbering. */
export function joinNumbered(blocks: readonly Block[]): Block[] {
  const result: Block[] = [];
  for (const block of blocks) {
    const open = result.at(-1)?.list;
    const { list } = block;
    const isContinued = open && list && (list.start === 1 || list.start === open.start + open.items.length);
    if (isContinued && open.marker === list.marker && `${list.marker}` !== 'bullet') {
      result[result.length - 1] = { ...block, list: { ...open, items: [...open.items, ...list.items] } };
    } else result.push(block);
  }
  return result;
}

interface ListPart {
  depth: number;
  list: List;
}

function splitByDepth(list: List, outer = 0): ListPart[] {
  const parts: ListPart[] = [];
  let number = list.start;
  for (const item of list.items) {
    // Some programs write a nested item as a list inside an empty item.
    if (item.blocks.length > 0 && item.blocks.every((block) => block.list)) {
      parts.push(...item.blocks.flatMap((block) => splitByDepth(block.list!, outer + 1)));
      continue;
    }
    const depth = outer + depthOf(item);
    const copy = { ...item, blocks: [...item.blocks] };
    const last = parts.at(-1);
    if (last && last.depth === depth) last.list.items.push(copy);
    else parts.push({ depth, list: { ...list, start: number, items: [copy] } });
    number += 1;
  }
  return parts;
}

function depthOf(item: ListItem): number {
  const text = firstText(item.blocks[0])?.text ?? '';
  let depth = 0;
  while (text[depth] === MARK.nested) depth += 1;
  return depth;
}

export function firstText(block: Block | undefined): Inline | undefined {
  const first = block?.content?.find((inline) => (inline.kind satisfies `${InlineKind}`) !== ('anchor' as InlineKind));
  return first?.text === undefined ? undefined : first;
}

const CHECKBOX = /^\s*([☐☑☒✓✔])\s+/;

/** An item that begins with a checkbox character is a task. */
export function toTaskItem(item: ListItem): TaskItem {
  if (item.checked !== undefined) return item;
  const [first, ...rest] = item.blocks;
  const text = firstText(first);
  const box = CHECKBOX.exec(text?.text ?? '');
  if (!first || !box) return item;
  const content = first.content!.map((inline) =>
    inline === text ? { ...inline, text: inline.text!.slice(box[0].length) } : inline,
  );
  return { blocks: [{ ...first, content }, ...rest], checked: box[1] !== '☐' };
}

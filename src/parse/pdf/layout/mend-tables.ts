// Repairs tables that an engine split, or that it extended by the line above.
import { type PagePart, unionBox } from '../page-parts.ts';
import { continuesSentence } from '../repair-text.ts';

// In line heights.
const MAX_GAP_LINES = 3;
// In points: both halves of a table start at about the same x.
const MAX_OFFSET = 20;

export function mendTables(parts: readonly PagePart[]): PagePart[] {
  const mended: PagePart[] = [];
  for (const part of parts) {
    const previous = mended.findLast(({ kind }) => kind !== 'rule');
    if (part.kind !== 'table' || !previous) mended.push(part);
    else if (isContinuation(previous, part)) {
      mended[mended.lastIndexOf(previous)] = {
        ...previous,
        rows: [...previous.rows!, ...part.rows!],
        box: unionBox(previous.box, part.box!),
      };
    } else mended.push(...withoutSentenceHead(mended, previous, part));
  }
  return mended;
}

/** A rule between two rows was mistaken for the end of the table. */
function isContinuation(table: PagePart, next: PagePart): boolean {
  if (table.kind !== 'table' || !table.box || !next.box) return false;
  if (table.rows![0]!.length !== next.rows![0]!.length) return false;
  const gap = next.box.y - (table.box.y + table.box.height);
  return gap >= -1 && gap < MAX_GAP_LINES * Math.max(table.size, 8) && Math.abs(next.box.x - table.box.x) < MAX_OFFSET;
}

/** Moves the last line of the paragraph above out of the table header. */
function withoutSentenceHead(mended: PagePart[], previous: PagePart, table: PagePart): PagePart[] {
  const [head = [], ...rows] = table.rows!;
  const isSentence = previous.kind === 'text' && !/[.!?:]$/.test(previous.text) && continuesSentence(head[0] ?? '');
  if (!isSentence || rows.length === 0) return [table];
  const rest = head.filter((cell) => cell !== '').join(' ');
  mended[mended.lastIndexOf(previous)] = { ...previous, text: `${previous.text} ${rest}` };
  return [{ ...table, rows }];
}

// Tables as they were before a reader took them apart or added the line above them.
import { type Part, union } from '../page-parts.ts';
import { beginsWithin } from '../repair-text.ts';

// In heights of a line.
const NEAR = 3;
// In points; rows of one table begin and end at about the same place.
const ASIDE = 20;

export function mendTables(parts: readonly Part[]): Part[] {
  const mended: Part[] = [];
  for (const part of parts) {
    const previous = mended.findLast(({ kind }) => kind !== 'rule');
    if (part.kind !== 'table' || !previous) mended.push(part);
    else if (isRest(previous, part)) {
      mended[mended.lastIndexOf(previous)] = {
        ...previous,
        rows: [...previous.rows!, ...part.rows!],
        box: union(previous.box, part.box!),
      };
    } else mended.push(...withoutSentence(mended, previous, part));
  }
  return mended;
}

/** A rule between two rows was taken for the end of the table. */
function isRest(table: Part, next: Part): boolean {
  if (table.kind !== 'table' || !table.box || !next.box) return false;
  if (table.rows![0]!.length !== next.rows![0]!.length) return false;
  const gap = next.box.y - (table.box.y + table.box.height);
  return gap >= -1 && gap < NEAR * Math.max(table.size, 8) && Math.abs(next.box.x - table.box.x) < ASIDE;
}

/** The last line of the paragraph above is no head of a table. */
function withoutSentence(mended: Part[], previous: Part, table: Part): Part[] {
  const [head = [], ...rows] = table.rows!;
  const isSentence = previous.kind === 'text' && !/[.!?:]$/.test(previous.text) && beginsWithin(head[0] ?? '');
  if (!isSentence || rows.length === 0) return [table];
  const rest = head.filter((cell) => cell !== '').join(' ');
  mended[mended.lastIndexOf(previous)] = { ...previous, text: `${previous.text} ${rest}` };
  return [{ ...table, rows }];
}

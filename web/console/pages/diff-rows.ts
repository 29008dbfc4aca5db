// Lays out a diff in rows of two sides: what was there, and what is there now. Lines that replace others stand beside them.
import type { ResponseOf } from '../../../src/contracts/route-types.ts';

export type Diff = NonNullable<ResponseOf<'pageDiff'>['data']['diff']>;
type Change = Diff['json']['files'][number]['chunks'][number]['changes'][number];

export interface DiffLine {
  number: number;
  text: string;
}

export type DiffRow =
  /** Where a part of the text begins that is not connected to the one before. */
  | { kind: 'gap'; text: string }
  | { kind: 'same'; before: DiffLine; after: DiffLine }
  | { kind: 'changed'; before?: DiffLine; after?: DiffLine };

export function diffRows({ json }: Diff): DiffRow[] {
  return json.files.flatMap(({ chunks }) =>
    chunks.flatMap(({ content, changes }): DiffRow[] => [{ kind: 'gap', text: placeOf(content) }, ...rowsOf(changes)]),
  );
}

/** `@@ -4,6 +9,6 @@`, in words. */
function placeOf(content: string): string {
  const [, before, after] = /^@@ -(\d+),\d+ \+(\d+),\d+ @@/.exec(content) ?? [];
  if (before === undefined || after === undefined) return content;
  return before === after ? `From line ${after}` : `From line ${after}, before: line ${before}`;
}

function rowsOf(changes: readonly Change[]): DiffRow[] {
  const rows: DiffRow[] = [];
  let [removed, added]: [DiffLine[], DiffLine[]] = [[], []];
  const close = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at++) {
      const [before, after] = [removed[at], added[at]];
      rows.push({ kind: 'changed', ...(before && { before }), ...(after && { after }) });
    }
    [removed, added] = [[], []];
  };
  for (const { type, ln = 0, ln1 = 0, ln2 = 0, content } of changes) {
    const text = content.slice(1);
    if (type === 'del') removed.push({ number: ln, text });
    else if (type === 'add') added.push({ number: ln, text });
    else {
      close();
      rows.push({ kind: 'same', before: { number: ln1, text }, after: { number: ln2, text } });
    }
  }
  close();
  return rows;
}

export interface DiffSize {
  added: number;
  removed: number;
}

export function diffSize(rows: readonly DiffRow[]): DiffSize {
  const changed = rows.filter((row) => row.kind === 'changed');
  return {
    added: changed.filter(({ after }) => after !== undefined).length,
    removed: changed.filter(({ before }) => before !== undefined).length,
  };
}

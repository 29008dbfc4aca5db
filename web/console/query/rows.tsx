// The rows of a query. Texts of pages stay text, and long ones are cut.
import type { ResponseOf } from '../../../src/contracts/route-types.ts';
import { type Column, Table } from '../ui/data/table.tsx';
import { cutText } from '../ui/data/untrusted.ts';

export type QueryData = ResponseOf<'query'>['data'];

/** A browser takes long to lay out more. */
const SHOWN = 500;
const LONGEST_TEXT = 300;

type NumberedRow = { at: number; values: readonly unknown[] };

export function Rows({ data: { columns, rows } }: { data: QueryData }) {
  const shown = rows.slice(0, SHOWN).map((values, at): NumberedRow => ({ at, values }));
  const described = columns.map(
    ({ name, type }, place): Column<NumberedRow> => ({
      id: String(place),
      title: name,
      cell: ({ values }) => cellText(values[place]),
      align: type === 'integer' || type === 'number' ? 'end' : 'start',
    }),
  );
  return (
    <>
      <Table caption="Rows of the query" columns={described} rows={shown} rowKey={({ at }) => at} />
      {rows.length > SHOWN && <p class="soft">The first {SHOWN} rows. The download has all of them.</p>}
    </>
  );
}

function cellText(value: unknown) {
  if (value === null || value === undefined) return <span class="faint">null</span>;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const cut = cutText(text, LONGEST_TEXT);
  return cut.wholeLength === undefined ? cut.text : `${cut.text} …`;
}

// Data of a page or a run: tables for lists of objects, a tree for the rest.
import { useMemo, useState } from 'preact/hooks';
import { Button } from '../../../ui/controls/button.tsx';
import { count, plural } from '../../../ui/data/format.ts';
import { JsonView } from '../../../ui/data/json-view.tsx';
import { Table } from '../../../ui/data/table.tsx';
import { type Fields, plainLine } from '../../../ui/data/untrusted.ts';
import { WebLink } from '../../../ui/text/web-link.tsx';
import { cellText, type DataTable, dataParts } from './data-parts.ts';

const ROWS = 50;

export function DataTables({ value, label }: { value: unknown; label: string }) {
  const { tables, rest } = useMemo(() => dataParts(value, label), [value, label]);
  return (
    <>
      {rest !== undefined && <JsonView value={rest} label={label} />}
      {tables.map((table) => (
        <Rows key={table.title} table={table} />
      ))}
    </>
  );
}

function Rows({ table: { title, columns, rows } }: { table: DataTable }) {
  const [shown, setShown] = useState(ROWS);
  const numbered = rows.slice(0, shown).map((row, at) => ({ row, at }));
  return (
    <div class="stack-tight">
      <h3>
        {plainLine(title, 100)} <span class="small soft">{plural(rows.length, 'row')}</span>
      </h3>
      <Table
        caption={plainLine(title, 100)}
        columns={columns.map((name) => ({
          id: name,
          title: plainLine(name, 60),
          cell: ({ row }: { row: Fields }) => <Cell value={row[name]} />,
        }))}
        rows={numbered}
        rowKey={({ at }) => at}
      />
      {rows.length > shown && (
        <div>
          <Button isSmall onClick={() => setShown(shown + ROWS)}>
            Show {count(Math.min(ROWS, rows.length - shown))} more rows
          </Button>
        </div>
      )}
    </div>
  );
}

function Cell({ value }: { value: unknown }) {
  const text = cellText(value);
  return typeof value === 'string' && /^https?:\/\//i.test(value) ? (
    <WebLink href={value}>{text}</WebLink>
  ) : (
    <bdi>{text}</bdi>
  );
}

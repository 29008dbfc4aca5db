// The tables that the key may read, each with its columns.
import { call } from '../api/call.ts';
import { Table } from '../ui/data/table.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { Skeleton } from '../ui/states/skeleton.tsx';
import { useLoad } from '../ui/states/use-load.ts';
import { Words } from '../ui/text/words.tsx';

export function Schema() {
  const { data, error, reload } = useLoad((signal) => call('querySchema', { signal }), []);
  if (error) return <Problem error={error} onRetry={reload} />;
  if (!data) return <Skeleton lines={5} label="Loading tables" />;
  return (
    <section class="stack" aria-label="Tables">
      <h2>Tables</h2>
      {data.data.tables.map(({ name, comment, columns }) => (
        <details key={name}>
          <summary>
            <code>{name}</code>{' '}
            <span class="soft">
              <Words text={comment} />
            </span>
          </summary>
          <Table
            caption={`Columns of ${name}`}
            columns={[
              { id: 'name', title: 'Column', cell: (column) => <code>{column.name}</code> },
              { id: 'type', title: 'Type', cell: (column) => column.type },
              { id: 'comment', title: 'What it is', cell: (column) => <Words text={column.comment} /> },
            ]}
            rows={columns}
            rowKey={(column) => column.name}
          />
        </details>
      ))}
    </section>
  );
}

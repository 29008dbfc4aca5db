// What is in a collection, by URL, part by part.
import type { ResponseOf } from '../../../src/contracts/route-types.ts';
import { call } from '../api/call.ts';
import { count } from '../ui/data/format.ts';
import { PartButtons } from '../ui/data/part-buttons.tsx';
import { type Column, Table } from '../ui/data/table.tsx';
import { Time } from '../ui/data/time.tsx';
import { plainLine } from '../ui/data/untrusted.ts';
import { useParts } from '../ui/data/use-parts.ts';
import { Empty } from '../ui/states/empty.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { Skeleton } from '../ui/states/skeleton.tsx';
import { Status } from '../ui/states/status.tsx';
import { WebLink } from '../ui/text/web-link.tsx';

type Member = ResponseOf<'listCollectionPages'>['data'][number];

const LIMIT = 50;
const SOURCES: Readonly<Record<Member['source'], string>> = {
  target: 'target',
  page: 'added by itself',
  upload: 'uploaded',
};

/** `version` changes with the collection. */
export function Members({ name, version }: { name: string; version: string }) {
  const parts = useParts<Member>(
    async (after, signal) => {
      const query = { limit: LIMIT, after };
      const { data, next } = await call('listCollectionPages', { params: { name }, query, signal });
      return { data, cursor: next ?? null };
    },
    [name, version],
  );
  const { data, error, reload } = parts;
  if (error) return <Problem error={error} onRetry={reload} />;
  if (!data) return <Skeleton lines={8} label="Loading pages" />;
  if (data.data.length === 0 && parts.number === 1) {
    return (
      <Empty title="Nothing is in it yet">
        <p class="soft">Its first run reads its targets. Pages and files can also be added one by one.</p>
      </Empty>
    );
  }
  return (
    <div class="stack">
      <Table caption="Pages of the collection" columns={COLUMNS} rows={data.data} rowKey={({ url }) => url} />
      <PartButtons parts={parts} what="pages" />
    </div>
  );
}

const COLUMNS: Column<Member>[] = [
  {
    id: 'page',
    title: 'Page',
    cell: ({ url, problem }) => (
      <div class="job-target">
        <WebLink href={url} isCut>
          {plainLine(url, 300)}
        </WebLink>
        {problem !== undefined && <span class="small soft">{plainLine(problem)}</span>}
      </div>
    ),
  },
  {
    id: 'state',
    title: 'State',
    cell: ({ state, problem }) =>
      state === 'waiting' ? (
        <Status tone="idle">Waiting</Status>
      ) : problem !== undefined ? (
        <Status tone="warn">Problem</Status>
      ) : (
        <Status tone="good">Present</Status>
      ),
  },
  { id: 'source', title: 'From', isMinor: true, cell: ({ source }) => <span class="small">{SOURCES[source]}</span> },
  {
    id: 'chunks',
    title: 'Chunks',
    align: 'end',
    isMinor: true,
    cell: ({ chunks }) => <span class="number">{count(chunks)}</span>,
  },
  { id: 'changed', title: 'Changed', cell: ({ changedAt }) => <Time at={changedAt} /> },
];

// What has changed in a collection last, the newest first.
import type { ResponseOf } from '../../../src/contracts/route-types.ts';
import { call } from '../api/call.ts';
import { type Column, Table } from '../ui/data/table.tsx';
import { Time } from '../ui/data/time.tsx';
import { plainLine } from '../ui/data/untrusted.ts';
import { Empty } from '../ui/states/empty.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { Skeleton } from '../ui/states/skeleton.tsx';
import { Status } from '../ui/states/status.tsx';
import { useLoad } from '../ui/states/use-load.ts';
import { WebLink } from '../ui/text/web-link.tsx';

type Change = ResponseOf<'collectionChanges'>[number];

const SHOWN = 50;

/** `version` changes with the collection. */
export function Changes({ name, version }: { name: string; version: string }) {
  const { data, error, reload } = useLoad(
    async (signal) => linesOf(await call('collectionChanges', { params: { name }, query: { last: SHOWN }, signal })),
    [name, version],
  );
  if (error) return <Problem error={error} onRetry={reload} />;
  if (!data) return <Skeleton lines={8} label="Loading changes" />;
  if (data.length === 0) return <Empty title="Nothing has changed yet" />;
  return <Table caption="Last changes" columns={COLUMNS} rows={data.toReversed()} rowKey={({ cursor }) => cursor} />;
}

/** Lines of JSON, though the answer is described as a list: of a single one, the call has made an object already. */
function linesOf(answer: unknown): Change[] {
  if (typeof answer !== 'string') return [answer as Change];
  return answer
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Change);
}

const COLUMNS: Column<Change>[] = [
  {
    id: 'page',
    title: 'Page',
    cell: ({ url }) => (
      <WebLink href={url} isCut>
        {plainLine(url, 300)}
      </WebLink>
    ),
  },
  {
    id: 'change',
    title: 'Change',
    cell: ({ op }) =>
      op === 'upsert' ? <Status tone="good">New or changed</Status> : <Status tone="warn">Deleted</Status>,
  },
  { id: 'when', title: 'When', cell: ({ changedAt }) => <Time at={changedAt} /> },
];

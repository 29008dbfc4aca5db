// The collections of the team, by name: how many pages each has, how its last run ended, and when the next one is.
import { call } from '../api/call.ts';
import { exampleCommand } from '../session/example-command.ts';
import { count } from '../ui/data/format.ts';
import { type Column, Table } from '../ui/data/table.tsx';
import { Time } from '../ui/data/time.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Empty } from '../ui/states/empty.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { Skeleton } from '../ui/states/skeleton.tsx';
import { usePolling } from '../ui/states/use-load.ts';
import { CodeBlock } from '../ui/text/code-block.tsx';
import { type Collection, foundText, RunStatus } from './last-run.tsx';

const POLL_MS = 5_000;

const EXAMPLE = `{"targets": [{"type": "crawl", "url": "https://example.com"}],
       "schedule": {"text": "daily at 4:00"}}`;

export function CollectionList() {
  const { data, error, reload } = usePolling((signal) => call('listCollections', { signal }), POLL_MS, []);
  return (
    <>
      <PageHead
        title="Collections"
        intro={
          <>
            Lasting sets of pages that the service keeps up to date, with a list of what has changed.{' '}
            <a href="/console/manual/use/collections.md">How collections work</a>
          </>
        }
      />
      {error ? <Problem error={error} onRetry={reload} /> : null}
      {!data && !error && <Skeleton lines={6} label="Loading collections" />}
      {data && data.data.length > 0 && (
        <Table caption="Collections" columns={COLUMNS} rows={data.data} rowKey={({ name }) => name} />
      )}
      {data?.data.length === 0 && (
        <Empty title="There is no collection yet">
          <p>A collection reads its pages again on a schedule or when you ask, and tells programs what has changed.</p>
        </Empty>
      )}
      {data && (
        <CodeBlock
          label="Make a collection, or change it"
          text={exampleCommand('/v2/collections/docs', EXAMPLE, 'PUT')}
        />
      )}
    </>
  );
}

const COLUMNS: Column<Collection>[] = [
  {
    id: 'name',
    title: 'Collection',
    cell: ({ name, schedule }) => (
      <div class="job-target">
        <a class="cut" href={`/console/collections/${encodeURIComponent(name)}`}>
          {name}
        </a>
        <span class="small soft">{schedule ? `${schedule.cron} ${schedule.timezone}` : 'runs when asked'}</span>
      </div>
    ),
  },
  { id: 'pages', title: 'Pages', align: 'end', cell: ({ pages }) => <span class="number">{count(pages)}</span> },
  { id: 'status', title: 'Status', cell: (collection) => <RunStatus collection={collection} /> },
  { id: 'found', title: 'Last run found', cell: (collection) => <span class="small">{foundText(collection)}</span> },
  { id: 'last', title: 'Last run', isMinor: true, cell: ({ lastRunAt }) => <Time at={lastRunAt} /> },
  {
    id: 'next',
    title: 'Next run',
    isMinor: true,
    cell: ({ nextRunAt }) => (nextRunAt === null ? <span class="faint">when asked</span> : <Time at={nextRunAt} />),
  },
];

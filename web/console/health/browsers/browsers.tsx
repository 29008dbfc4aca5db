// The browser programs that run, for the operator: those that render pages, and the sessions of all teams.
import { useState } from 'preact/hooks';
import type { ResponseOf } from '../../../../src/contracts/route-types.ts';
import { problemText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { Button } from '../../ui/controls/button.tsx';
import { confirm } from '../../ui/controls/dialog.tsx';
import { bytes, plural } from '../../ui/data/format.ts';
import { type Column, Table } from '../../ui/data/table.tsx';
import { Time } from '../../ui/data/time.tsx';
import { Empty } from '../../ui/states/empty.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import { Status } from '../../ui/states/status.tsx';
import { toast } from '../../ui/states/toasts.tsx';
import { usePolling } from '../../ui/states/use-load.ts';
import { LiveView } from './live-view.tsx';
import { NoSessions } from './no-sessions.tsx';

type Process = ResponseOf<'listBrowserProcesses'>['data']['processes'][number];

const STATES = {
  starting: ['busy', 'Starting'],
  running: ['good', 'Running'],
  retiring: ['idle', 'Ends soon'],
} as const;

export function Browsers() {
  const { data, error, reload } = usePolling(
    async (signal) => (await call('listBrowserProcesses', { signal })).data,
    5_000,
    [],
  );
  const [watched, setWatched] = useState<string>();
  if (!data) return error === undefined ? <Skeleton lines={8} /> : <Problem error={error} onRetry={reload} />;
  const pages = data.processes.filter(({ kind }) => kind === 'pages');
  const sessions = data.processes.filter(({ kind }) => kind === 'session');
  const silent = data.asked.filter(({ answered }) => !answered);
  const where = data.asked.length > 1 ? [runsIn] : [];
  return (
    <>
      {error !== undefined && <Problem error={error} onRetry={reload} />}
      {data.problem !== undefined && <p class="notice notice-warn">{data.problem}</p>}
      {silent.length > 0 && (
        <p class="notice notice-warn">
          These processes did not answer, so their browsers are missing:{' '}
          {silent.map(({ process }) => process).join(', ')}.
        </p>
      )}
      <section class="stack" aria-labelledby="pages-browsers">
        <h2 id="pages-browsers">Browsers for pages</h2>
        <p class="soft">
          Up to {plural(data.maxPages, 'page')} are rendered at the same time. A browser is replaced after a while, and
          ends a minute after its last page.
        </p>
        {pages.length === 0 ? (
          <Empty title="No browser runs now">
            <p>
              The first page that needs one starts it: a scrape with a screenshot, or of a site that needs JavaScript.
            </p>
          </Empty>
        ) : (
          <Table
            caption="Browsers for pages that run now"
            columns={pageColumns(where, reload)}
            rows={pages}
            rowKey={({ id }) => id}
          />
        )}
      </section>
      <section class="stack" aria-labelledby="sessions">
        <h2 id="sessions">Sessions</h2>
        <p class="soft">Browsers that callers drive themselves. You can watch those of your own team.</p>
        {sessions.length === 0 ? (
          <NoSessions />
        ) : (
          <Table
            caption="Sessions that are open now"
            columns={sessionColumns(where, setWatched, reload)}
            rows={sessions}
            rowKey={({ id }) => id}
          />
        )}
      </section>
      {watched !== undefined && <LiveView url={watched} onClose={() => setWatched(undefined)} />}
    </>
  );
}

const memory: Column<Process> = {
  id: 'memory',
  title: 'Memory',
  align: 'end',
  cell: ({ memoryBytes }) => bytes(memoryBytes),
};
const runsIn: Column<Process> = { id: 'runs-in', title: 'Runs in', isMinor: true, cell: ({ process }) => process };
const age: Column<Process> = { id: 'age', title: 'Started', cell: ({ startedAt }) => <Time at={startedAt} /> };

const pageColumns = (where: Column<Process>[], reload: () => void): Column<Process>[] => [
  { id: 'pid', title: 'Process', cell: ({ pid }) => (pid === 0 ? 'Starting' : `Process ${pid}`) },
  ...where,
  {
    id: 'state',
    title: 'State',
    cell: ({ state }) => <Status tone={STATES[state][0]}>{STATES[state][1]}</Status>,
  },
  age,
  { id: 'open', title: 'Open pages', align: 'end', cell: ({ openPages = 0 }) => openPages },
  { id: 'served', title: 'Pages so far', align: 'end', isMinor: true, cell: ({ servedPages = 0 }) => servedPages },
  memory,
  {
    id: 'kill',
    title: 'Actions',
    isTitleHidden: true,
    align: 'end',
    cell: (process) => (
      <Button isSmall kind="danger" onClick={() => kill(process, reload)}>
        Kill
      </Button>
    ),
  },
];

const sessionColumns = (
  where: Column<Process>[],
  watch: (url: string) => void,
  reload: () => void,
): Column<Process>[] => [
  { id: 'id', title: 'Session', cell: ({ id }) => <code>{id.slice(-12)}</code> },
  { id: 'team', title: 'Team', cell: ({ session }) => session?.team ?? '' },
  ...where,
  age,
  { id: 'activity', title: 'Last use', isMinor: true, cell: ({ session }) => <Time at={session?.lastActivity} /> },
  { id: 'expires', title: 'Ends', isMinor: true, cell: ({ session }) => <Time at={session?.expiresAt} /> },
  memory,
  {
    id: 'actions',
    title: 'Actions',
    isTitleHidden: true,
    align: 'end',
    cell: (process) => {
      const url = process.session?.liveViewUrl;
      return (
        <span class="row">
          {url !== undefined && (
            <Button isSmall onClick={() => watch(url)}>
              Watch
            </Button>
          )}
          <Button isSmall kind="danger" onClick={() => kill(process, reload)}>
            End
          </Button>
        </span>
      );
    },
  },
];

const QUESTIONS = {
  pages: {
    title: 'Kill this browser?',
    text: 'Pages that are open in it are loaded again in another browser, within the time that their requests have left.',
    action: 'Kill the browser',
  },
  session: {
    title: 'End this session?',
    text: 'Its browser closes at once, and the program that drives it loses the connection. This cannot be undone.',
    action: 'End the session',
  },
} as const;

async function kill({ id, kind }: Process, reload: () => void): Promise<void> {
  if (!(await confirm(QUESTIONS[kind]))) return;
  try {
    const { data } = await call('endBrowserProcess', { params: { id } });
    const pages = data.retriedPages > 0 ? ` ${plural(data.retriedPages, 'page')} will be loaded again.` : '';
    toast(kind === 'pages' ? `The browser was killed.${pages}` : 'The session was ended.');
  } catch (error) {
    toast(problemText(error), 'bad');
  }
  reload();
}

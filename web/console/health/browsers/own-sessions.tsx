// The open browser sessions of the own team, for callers who are not the operator.
import { useState } from 'preact/hooks';
import type { ResponseOf } from '../../../../src/contracts/route-types.ts';
import { problemText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { Button } from '../../ui/controls/button.tsx';
import { confirm } from '../../ui/controls/dialog.tsx';
import { type Column, Table } from '../../ui/data/table.tsx';
import { Time } from '../../ui/data/time.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import { toast } from '../../ui/states/toasts.tsx';
import { usePolling } from '../../ui/states/use-load.ts';
import { LiveView } from './live-view.tsx';
import { NoSessions } from './no-sessions.tsx';

type Session = ResponseOf<'listBrowsers'>['sessions'][number];

export function OwnSessions() {
  const { data, error, reload } = usePolling(
    async (signal) => (await call('listBrowsers', { query: { status: 'active' }, signal })).sessions,
    5_000,
    [],
  );
  const [watched, setWatched] = useState<string>();
  if (!data) return error === undefined ? <Skeleton lines={6} /> : <Problem error={error} onRetry={reload} />;
  return (
    <section class="stack" aria-labelledby="sessions">
      <h2 id="sessions">Sessions of your team</h2>
      {error !== undefined && <Problem error={error} onRetry={reload} />}
      {data.length === 0 ? (
        <NoSessions />
      ) : (
        <Table
          caption="Sessions that are open now"
          columns={columns(setWatched, reload)}
          rows={data}
          rowKey={({ id }) => id}
        />
      )}
      {watched !== undefined && <LiveView url={watched} onClose={() => setWatched(undefined)} />}
    </section>
  );
}

const columns = (watch: (url: string) => void, reload: () => void): Column<Session>[] => [
  { id: 'id', title: 'Session', cell: ({ id }) => <code>{id.slice(-12)}</code> },
  { id: 'age', title: 'Started', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { id: 'activity', title: 'Last use', isMinor: true, cell: ({ lastActivity }) => <Time at={lastActivity} /> },
  { id: 'expires', title: 'Ends', cell: ({ expiresAt }) => <Time at={expiresAt} /> },
  {
    id: 'actions',
    title: 'Actions',
    isTitleHidden: true,
    align: 'end',
    cell: ({ id, streamWebView, liveViewUrl }) => (
      <span class="row">
        {streamWebView && (
          <Button isSmall onClick={() => watch(liveViewUrl)}>
            Watch
          </Button>
        )}
        <Button isSmall kind="danger" onClick={() => end(id, reload)}>
          End
        </Button>
      </span>
    ),
  },
];

async function end(id: string, reload: () => void): Promise<void> {
  const question = { title: 'End this session?', text: 'Its browser closes at once.', action: 'End the session' };
  if (!(await confirm(question))) return;
  try {
    const { creditsBilled } = await call('deleteBrowser', { params: { id } });
    toast(`The session was ended. It cost ${creditsBilled} credits.`);
  } catch (error) {
    toast(problemText(error), 'bad');
  }
  reload();
}

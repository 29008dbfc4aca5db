// The pages that failed: why, and what to do. Pages that robots.txt forbids are listed on request.
import { useState } from 'preact/hooks';
import { problemText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { Button } from '../../ui/controls/button.tsx';
import { plural } from '../../ui/data/format.ts';
import { type Column, Table } from '../../ui/data/table.tsx';
import { Time } from '../../ui/data/time.tsx';
import { plainLine } from '../../ui/data/untrusted.ts';
import { Empty } from '../../ui/states/empty.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import { toast } from '../../ui/states/toasts.tsx';
import { WebLink } from '../../ui/text/web-link.tsx';
import { adviceOf } from '../describe.ts';
import { retryJob } from '../job-actions.ts';
import { MoreButton } from '../parts.tsx';
import { type EndedPage, type JobPart, usePages } from './page-rows.ts';

interface Props extends JobPart {
  canRetry: boolean;
  onRetried: () => void;
}

/** Number of shown pages that robots.txt forbids; the answer can have thousands. */
const SHOWN_BLOCKED = 200;

export function ErrorsTab({ canRetry, onRetried, ...part }: Props) {
  const { data, error, reload, rows, hasMore, more, isLoadingMore } = usePages(part, 'failed');
  const [busy, setBusy] = useState(false);
  const retry = async () => {
    setBusy(true);
    if (await retryJob(part)) {
      onRetried();
      reload();
    }
    setBusy(false);
  };
  if (!data) return error ? <Problem error={error} onRetry={reload} /> : <Skeleton lines={8} />;
  return (
    <>
      {rows.length === 0 ? (
        <Empty title="No page has failed">
          <p>Pages that cannot be read are listed here, with the reason and what to do about it.</p>
        </Empty>
      ) : (
        <>
          {canRetry && (
            <div class="row">
              <Button kind="primary" icon="refresh" busy={busy} onClick={retry}>
                Retry all failed pages
              </Button>
            </div>
          )}
          <Table caption="Pages that failed" columns={COLUMNS} rows={rows} rowKey={({ scrapeId }) => scrapeId} />
          {hasMore && <MoreButton onClick={more} busy={isLoadingMore} />}
        </>
      )}
      {part.kind === 'crawl' && <Blocked id={part.id} />}
    </>
  );
}

const COLUMNS: Column<EndedPage>[] = [
  {
    id: 'url',
    title: 'Page',
    cell: ({ url }) => (
      <WebLink href={url} isCut>
        {plainLine(url, 300)}
      </WebLink>
    ),
  },
  {
    id: 'error',
    title: 'What happened',
    cell: ({ code = '', error = '' }) => (
      <div class="stack-tight error-text">
        <span>{plainLine(error)}</span>
        <code class="small soft">{code}</code>
      </div>
    ),
  },
  { id: 'advice', title: 'What to do', cell: ({ code = '' }) => <span class="small">{adviceOf(code)}</span> },
  { id: 'time', title: 'When', isMinor: true, cell: ({ endedAt }) => <Time at={endedAt} /> },
];

function Blocked({ id }: { id: string }) {
  const [urls, setUrls] = useState<readonly string[] | undefined>();
  const [busy, setBusy] = useState(false);
  const load = async () => {
    setBusy(true);
    try {
      setUrls((await call('crawlErrors', { params: { id } })).robotsBlocked);
    } catch (error) {
      toast(problemText(error), 'bad');
    }
    setBusy(false);
  };
  if (urls === undefined) {
    return (
      <div>
        <Button isSmall busy={busy} onClick={load}>
          Show pages that robots.txt forbids
        </Button>
      </div>
    );
  }
  if (urls.length === 0) return <p class="soft">robots.txt forbids no page that was found.</p>;
  return (
    <div class="card stack">
      <p>
        robots.txt forbids {plural(urls.length, 'page')}. Start the crawl with <code>ignoreRobotsTxt</code> if you may
        read them.
      </p>
      <ul class="url-list">
        {urls.slice(0, SHOWN_BLOCKED).map((url) => (
          <li key={url} class="cut">
            {plainLine(url, 300)}
          </li>
        ))}
      </ul>
      {urls.length > SHOWN_BLOCKED && <p class="soft">These are the first {SHOWN_BLOCKED}.</p>}
    </div>
  );
}

// The pages of a crawl or batch as they come, the last first. A click shows the content of one.
import { useState } from 'preact/hooks';
import { Button } from '../../ui/controls/button.tsx';
import { type Column, Table } from '../../ui/data/table.tsx';
import { Time } from '../../ui/data/time.tsx';
import { plainLine } from '../../ui/data/untrusted.ts';
import { Empty } from '../../ui/states/empty.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import { Status } from '../../ui/states/status.tsx';
import { MoreButton } from '../parts.tsx';
import { PageDialog } from './page-dialog.tsx';
import { type EndedPage, type JobPart, usePages } from './page-rows.ts';

export function PagesTab(part: JobPart) {
  const { data, error, reload, rows, hasMore, isCut, more, isLoadingMore } = usePages(part, 'ok');
  const [open, setOpen] = useState<EndedPage | undefined>();
  if (!data) return error ? <Problem error={error} onRetry={reload} /> : <Skeleton lines={8} />;
  if (rows.length === 0) {
    return (
      <Empty title={part.isRunning ? 'No page is done yet' : 'No page could be read'}>
        <p>
          {part.isRunning
            ? 'Pages appear here as soon as they are read.'
            : 'Look at the errors: they say what went wrong, and what to do.'}
        </p>
      </Empty>
    );
  }
  return (
    <>
      <Table
        caption="Pages that were read"
        columns={columnsOf(setOpen)}
        rows={rows}
        // By position: new pages change what the rows say, and nothing on the screen moves.
        rowKey={(row) => rows.indexOf(row)}
      />
      {hasMore && <MoreButton onClick={more} busy={isLoadingMore} />}
      {isCut && <p class="soft">These are the last {rows.length} pages. Export the job to get all of them.</p>}
      {open && <PageDialog page={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}

const columnsOf = (open: (page: EndedPage) => void): Column<EndedPage>[] => [
  {
    id: 'page',
    title: 'Page',
    cell: (page) => (
      <div class="job-target">
        <button type="button" class="link-button cut" onClick={() => open(page)}>
          {plainLine(page.title?.trim() || page.url, 200)}
        </button>
        <span class="small soft cut">{plainLine(page.url, 300)}</span>
      </div>
    ),
  },
  {
    id: 'status',
    title: 'Status',
    cell: ({ statusCode = 0, warning }) => (
      <span class="row">
        <Status tone={statusCode < 400 ? 'good' : 'warn'}>{statusCode}</Status>
        {warning !== undefined && <span class="small soft cut page-warning">{plainLine(warning)}</span>}
      </span>
    ),
  },
  { id: 'credits', title: 'Credits', align: 'end', isMinor: true, cell: ({ creditsUsed }) => creditsUsed ?? 0 },
  { id: 'time', title: 'Read', isMinor: true, cell: ({ endedAt }) => <Time at={endedAt} /> },
  {
    id: 'show',
    title: 'Content',
    isTitleHidden: true,
    align: 'end',
    cell: (page) => (
      <Button isSmall kind="quiet" onClick={() => open(page)} aria-label={`Show ${plainLine(page.url, 100)}`}>
        Show
      </Button>
    ),
  },
];

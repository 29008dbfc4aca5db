// The content of one page of a job: its Markdown, or whatever the job asked for instead.
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { Dialog } from '../../ui/controls/dialog.tsx';
import { JsonView } from '../../ui/data/json-view.tsx';
import { fieldsOf, plainLine, textOf } from '../../ui/data/untrusted.ts';
import { Problem } from '../../ui/states/problem.tsx';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import { useLoad } from '../../ui/states/use-load.ts';
import { Markdown } from '../../ui/text/markdown.tsx';
import { WebLink } from '../../ui/text/web-link.tsx';
import type { EndedPage } from './page-rows.ts';

export function PageDialog({ page, onClose }: { page: EndedPage; onClose: () => void }) {
  const { scrapeId, url, title } = page;
  const { data, error, reload } = useLoad(
    async (signal) => (await call('getScrape', { params: { id: scrapeId }, signal })).data,
    [scrapeId],
  );
  const markdown = textOf(fieldsOf(data).markdown);
  return (
    <Dialog title={plainLine(title?.trim() || url, 120)} onClose={onClose} isWide>
      <div class="row page-dialog-head">
        <WebLink href={url} isCut>
          {plainLine(url, 300)}
        </WebLink>
        {markdown !== undefined && <CopyButton text={markdown} />}
      </div>
      <div class="page-dialog-body">
        {error ? (
          error instanceof ApiError && error.status === 404 ? (
            <p class="notice notice-warn">
              This page cannot be read by itself: it has expired, or its job keeps no data. Export the job instead.
            </p>
          ) : (
            <Problem error={error} onRetry={reload} />
          )
        ) : data === undefined ? (
          <Skeleton lines={10} />
        ) : markdown === undefined ? (
          <JsonView value={data} label="Document" />
        ) : (
          <Markdown text={markdown} label="Markdown of the page" />
        )}
      </div>
    </Dialog>
  );
}

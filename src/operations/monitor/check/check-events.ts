// What the webhook of a monitor is told: each page once, then the end of the check.
import type { CheckResult } from '../../../contracts/monitor/monitor-check.ts';
import type { RunOutcome } from '../../../jobs/runs/run-handler.ts';
import type { CheckedPage } from '../../../store/ports/runs/monitor-store.ts';
import type { RunEvent, RunView } from '../../../store/ports/runs/run-store.ts';
import type { CheckContext } from './check-context.ts';

export const pageEvents = ({ run, request }: CheckContext, pages: readonly CheckedPage[]): RunEvent[] =>
  pages.map(({ url, status, previousScrapeId, currentScrapeId, error, details }) => {
    const { judgment, diff } = details;
    return {
      type: 'monitor.page',
      success: status !== 'error',
      data: [
        {
          monitorId: request.monitorId,
          checkId: run.id,
          url,
          status,
          previousScrapeId: previousScrapeId ?? null,
          currentScrapeId: currentScrapeId ?? null,
          error: error ?? null,
          isMeaningful: judgment?.meaningful ?? null,
          judgment,
          diff: diff && withoutTree(diff),
        },
      ],
      ...(error !== undefined && { error }),
    };
  });

/** The same diff as a tree would only make the message longer. */
function withoutTree({ text, json }: NonNullable<CheckedPage['details']['diff']>): object {
  const isTree = json !== undefined && Array.isArray(json.files) && text !== undefined;
  return { ...(text !== undefined && { text }), ...(json && !isTree && { json }) };
}

/** A check that was cancelled with its monitor has nobody to tell. */
export function endEvents(run: RunView, { status, result, error }: RunOutcome): RunEvent[] {
  if (status === 'cancelled') return [];
  const { summary } = (result ?? {}) as Partial<CheckResult>;
  return [
    {
      type: 'monitor.check.completed',
      success: status === 'completed',
      data: [{ monitorId: run.group, checkId: run.id, status, summary: summary ?? null }],
      ...(error !== undefined && { error }),
    },
  ];
}

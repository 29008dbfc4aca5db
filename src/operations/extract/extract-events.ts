// What the webhook of an extraction is told.
import type { ExtractResult } from '../../contracts/agent/extract.ts';
import type { RunOutcome } from '../../jobs/runs/run-handler.ts';
import type { RunEvent, RunView } from '../../store/ports/runs/run-store.ts';

export const extractStarted: RunEvent = { type: 'extract.started', success: true, data: [] };

export function extractEnded({ id, tokens }: RunView, { status, result, error }: RunOutcome): RunEvent {
  if (status !== 'completed') {
    return { type: 'extract.failed', success: false, data: [], error: error ?? 'The extraction failed.' };
  }
  const { data, pages, sources = {} } = result as ExtractResult;
  const done = { success: true, data, extractId: id, llmUsage: tokens, totalUrlsScraped: pages, sources };
  return { type: 'extract.completed', success: true, data: [done] };
}

// Drafts of the result, each with a snapshot: the steps named `draft`, and at last the result itself.
import type { AgentResult } from '../../../../contracts/agent/agent.ts';
import type { RunStep, RunView } from '../../../../store/ports/runs/run-store.ts';
import { hashOf } from '../../../../util/hash.ts';

/** What a step named `draft` returns. */
export interface DraftOutput {
  data: unknown;
  /** `json` unless given. */
  kind?: 'json' | 'markdown';
}

interface Draft extends DraftOutput {
  snapshotId: string;
  at: number;
}

/** The step that changes the draft of the result. */
export const DRAFT_STEP = 'draft';
const RESULT_ID = 'result';

export function draftsOf(run: RunView, steps: readonly RunStep[]): Draft[] {
  const drafts = steps.flatMap((step): Draft[] => {
    // Without an output, the step has not finished, or what it contained was not to be kept.
    if (step.name !== DRAFT_STEP || step.output === undefined || step.finishedAt === undefined) return [];
    return [{ ...(step.output as DraftOutput), snapshotId: hashOf(step.key), at: step.finishedAt }];
  });
  const result = finalDraft(run);
  return result ? [...drafts, result] : drafts;
}

function finalDraft({ result, finishedAt }: RunView): Draft | undefined {
  const { data, partial, message } = (result ?? {}) as AgentResult;
  const found = data ?? partial;
  if (finishedAt === undefined || (found === undefined && message === undefined)) return undefined;
  return {
    snapshotId: RESULT_ID,
    at: finishedAt,
    ...(found === undefined ? { data: message, kind: 'markdown' } : { data: found }),
  };
}

export function snapshotText(run: RunView, steps: readonly RunStep[], snapshotId: string): string | undefined {
  const draft = draftsOf(run, steps).find((one) => one.snapshotId === snapshotId);
  if (!draft) return undefined;
  return typeof draft.data === 'string' ? draft.data : JSON.stringify(draft.data, null, 2);
}

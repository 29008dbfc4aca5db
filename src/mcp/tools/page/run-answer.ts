// The state and the result of a run: of an agent, or of an extraction.
import { z } from 'zod';
import type { ResponseOf } from '../../../contracts/route-types.ts';
import { waitForJob } from '../../../runtime/wait-for-job.ts';
import { fitAnswer } from '../../answer/fit-answer.ts';
import { agentUri, extractUri } from '../../resources/uris.ts';
import type { ToolAnswer, ToolContext } from '../../tool.ts';

export const runOutput = z.looseObject({
  success: z.boolean(),
  id: z.string(),
  status: z.string().optional().describe('processing, completed or failed.'),
  data: z.unknown().optional(),
  message: z.string().optional(),
  sources: z.unknown().optional(),
  error: z.string().optional(),
  warning: z.string().optional(),
  creditsUsed: z.number().optional(),
  expiresAt: z.string().optional(),
  threadId: z.string().optional(),
  threadTurn: z.number().optional(),
});

type RunState = ResponseOf<'agentStatus'> | ResponseOf<'extractStatus'>;
type RunKind = 'agentStatus' | 'extractStatus';

/** Until the run is over, or the client has waited long enough. */
export const waitForRun = (kind: RunKind, id: string, context: ToolContext): Promise<RunState> =>
  waitForJob<RunState>(
    {
      ask: () => context.api.call(kind, { params: { id }, signal: context.signal }),
      isOver: ({ status }) => status !== 'processing',
      // How many steps it will take is not known: the progress is the seconds that have passed.
      progress: ({ status }, waitedMs) => ({ done: Math.ceil(waitedMs / 1000), message: `Run ${id}: ${status}` }),
    },
    context,
  );

const STILL_RUNNING = 'The run goes on. Call firecrawl_agent_status with this id to wait for its result.';

export function runAnswer(
  kind: RunKind,
  state: RunState,
  { maxAnswer }: ToolContext,
  notes: readonly (string | false | undefined)[] = [],
): ToolAnswer {
  const { id, status } = state;
  const warning = [state.warning, ...notes, status === 'processing' && STILL_RUNNING].filter(Boolean).join(' ');
  const answer: Record<string, unknown> = { ...state, ...(warning !== '' && { warning }) };
  return fitAnswer(answer, {
    maxAnswer,
    // Where each value stands is longer than the values.
    essentials: ({ citations: _, sources: __, ...rest }) => rest,
    linksTo: () => [{ uri: kind === 'agentStatus' ? agentUri(id) : extractUri(id), name: 'The whole result' }],
  });
}

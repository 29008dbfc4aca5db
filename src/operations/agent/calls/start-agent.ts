// Starts an agent: everything that can be wrong with the request is refused before the run is stored.
import type { AgentRequest, AgentResponse, AgentRun } from '../../../contracts/agent/agent.ts';
import { ServiceError } from '../../../contracts/errors/errors.ts';
import type { Egress } from '../../../net/egress.ts';
import { checkReach } from '../../../policy/keys/key-reach.ts';
import type { RunStore, RunView } from '../../../store/ports/runs/run-store.ts';
import { uuidv7 } from '../../../util/ids.ts';
import { createSlices } from '../../../util/slices.ts';
import type { Call } from '../../call.ts';
import type { Caller } from '../../caller.ts';
import { checkWebhook } from '../../job/start-job.ts';
import type { SchemaDeps } from '../../page/checks/check-schemas.ts';
import { targetUrl } from '../../page/target-url.ts';
import { isUnfinished, startedRun } from '../../run/read-run.ts';
import { checkRunSchema } from '../../run/run-schema.ts';
import { RESULT_KEPT_MS, type StartRunDeps, startRun } from '../../run/start-run.ts';
import { type RetentionDeps, retentionOf } from '../../team/retention.ts';
import { type CheckStartDeps, checkStartUrls } from '../../threats/check-start.ts';
import { storedLimits } from '../../threats/stored-limits.ts';
import { targetHint } from './agent-status.ts';

interface StartAgentDeps extends StartRunDeps, RetentionDeps, SchemaDeps, CheckStartDeps {
  runs: Pick<RunStore, 'add' | 'view' | 'list'>;
  egress: Pick<Egress, 'check'>;
}

export async function startAgent(
  deps: StartAgentDeps,
  { caller, body: request, idempotencyKey, baseUrl }: Call<'startAgent'>,
): Promise<AgentResponse> {
  const { egress } = deps;
  const { webhook: given, threadId, ...asked } = request;
  const keptMs = retentionOf(deps, caller, request);
  const urls = await checkUrls(request, egress);
  await checkStartUrls(deps, caller, request, { operation: 'agent', urls });
  const webhook = await checkWebhook(deps, caller, request, { webhook: given, operation: 'agent' });
  const last = threadId === undefined ? undefined : await lastTurn(deps, caller, threadId);
  const schema = asked.schema ?? (last?.request as AgentRun | undefined)?.schema;
  await checkRunSchema(deps, caller, schema);
  const thread = threadId ?? uuidv7(deps.clock.now());
  const run = await startRun(
    deps,
    caller,
    {
      kind: 'agent',
      group: thread,
      ...(!asked.zeroDataRetention && { target: targetHint({ ...asked, urls }) }),
      request: { ...asked, urls, ...(schema && { schema }), ...storedLimits(caller), baseUrl } satisfies AgentRun,
      webhook,
      events: [{ type: 'agent.started', success: true, data: [] }],
      zeroDataRetention: asked.zeroDataRetention,
      keepMs: keptMs ?? RESULT_KEPT_MS,
    },
    { idempotencyKey, busy: threadBusy },
  );
  return { success: true, id: run.id, threadId: thread, threadTurn: run.turn };
}

async function checkUrls(
  { urls, strictConstrainToURLs }: AgentRequest,
  egress: StartAgentDeps['egress'],
): Promise<string[]> {
  if (strictConstrainToURLs && urls.length === 0) {
    const message = '`strictConstrainToURLs` needs `urls`: they are the only pages that the run may read.';
    throw new ServiceError('BAD_REQUEST', { message, details: [{ code: 'custom', path: ['urls'], message }] });
  }
  const slices = createSlices();
  const checked: string[] = [];
  for (const [index, text] of urls.entries()) {
    if (slices.isOver()) await slices.next();
    checked.push(targetUrl(text, egress, ['urls', index]).href);
  }
  return checked;
}

const threadBusy = (runId: string): ServiceError => new ServiceError('thread_busy', { fields: { runId } });

async function lastTurn({ runs, clock }: StartAgentDeps, caller: Caller, thread: string): Promise<RunView> {
  const [last] = await runs.list(caller.team.id, { kind: 'agent', group: thread, limit: 1 }, clock.now());
  if (!last) throw new ServiceError('thread_not_found');
  // The run reads what the turns before it have found. Who was allowed the last one was allowed those before it.
  checkReach(caller, startedRun(last));
  if (isUnfinished(last.status)) throw threadBusy(last.id);
  if (last.zeroDataRetention) throw new ServiceError('thread_expired');
  return last;
}

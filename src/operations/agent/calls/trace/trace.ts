// The trace of a run: its steps as events. Nothing is stored for it, so the steps are all that it can show.
import type { AgentSnapshotResponse, AgentTraceResponse } from '../../../../contracts/agent/agent-trace.ts';
import { ServiceError } from '../../../../contracts/errors/errors.ts';
import type { Sessions } from '../../../../sessions/session.ts';
import type { RunStore, RunView } from '../../../../store/ports/runs/run-store.ts';
import { sessionLinks } from '../../../browser/sessions.ts';
import type { Call } from '../../../call.ts';
import type { FindRunDeps } from '../../../run/read-run.ts';
import { findAgent } from '../agent-status.ts';
import { snapshotText } from './drafts.ts';
import { runEvents } from './run-events.ts';

interface TraceDeps extends FindRunDeps {
  runs: Pick<RunStore, 'view' | 'steps'>;
  sessions: Pick<Sessions, 'list'>;
}

/** Same viewport as browser sessions. */
const VIEWPORT = { width: 1280, height: 800 };

export async function agentTrace(
  deps: TraceDeps,
  { caller, params: { id }, query: { liveView = false } }: Call<'agentTrace'>,
): Promise<AgentTraceResponse> {
  const run = await findAgent(deps, caller, id);
  const steps = await deps.runs.steps(id);
  return {
    success: true,
    id,
    events: runEvents(run, steps),
    creditsUsed: run.credits,
    ...(liveView && { activeBrowserSessions: activeSessions(deps, run) }),
    ...(run.zeroDataRetention && { zeroDataRetention: true }),
  };
}

const activeSessions = ({ sessions }: TraceDeps, { id, teamId }: RunView) =>
  sessions
    .list(teamId)
    .filter(({ session, status }) => session.runId === id && status === 'active')
    .map(({ session }) => ({ id: session.id, liveViewUrl: sessionLinks(session).liveViewUrl, viewport: VIEWPORT }));

export async function agentSnapshot(
  deps: TraceDeps,
  { caller, params: { id, snapshotId } }: Call<'agentSnapshot'>,
): Promise<AgentSnapshotResponse> {
  const run = await findAgent(deps, caller, id);
  const snapshot = snapshotText(run, await deps.runs.steps(id), snapshotId);
  if (snapshot === undefined) throw new ServiceError('JOB_NOT_FOUND', { message: 'Snapshot not found' });
  return { success: true, id, snapshotId, snapshot };
}

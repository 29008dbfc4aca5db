// Events of a run, in the order in which they happened. Their IDs are the same whenever the trace is read.
import type { TraceError, TraceEvent } from '../../../../contracts/agent/agent-trace.ts';
import type { RunStep, RunView } from '../../../../store/ports/runs/run-store.ts';
import { iso } from '../../../../util/clock.ts';
import { errorText } from '../agent-status.ts';
import { runStatus } from '../thread.ts';
import { draftsOf } from './drafts.ts';
import { type BareEvent, stepEvents } from './step-events.ts';

const NAME = 'agent';

export function runEvents(run: RunView, steps: readonly RunStep[]): TraceEvent[] {
  const events: BareEvent[] = [
    ...started(run),
    ...steps.flatMap(stepEvents),
    ...draftEvents(run, steps),
    ...cancelAsked(run),
  ].toSorted((a, b) => a.at - b.at);
  return [...events, ...finished(run)].map(({ at, key, ...event }, index) => ({
    schemaVersion: 1,
    eventId: `${run.id}:${key}`,
    runId: run.id,
    occurredAt: iso(at),
    producerSequence: index + 1,
    agent: { id: `${run.id}:${NAME}`, role: 'orchestrator', name: NAME },
    ...event,
  }));
}

function started({ startedAt: at }: RunView): BareEvent[] {
  if (at === undefined) return [];
  return [
    { at, key: 'run.started', type: 'run.started' },
    { at, key: 'agent.started', type: 'agent.started' },
  ];
}

const cancelAsked = ({ cancelAskedAt: at }: RunView): BareEvent[] =>
  at === undefined ? [] : [{ at, key: 'cancel', type: 'run.cancel_requested', reason: 'user' }];

const draftEvents = (run: RunView, steps: readonly RunStep[]): BareEvent[] =>
  draftsOf(run, steps).map(({ snapshotId, kind = 'json', data, at }, index) => ({
    at,
    key: `draft-${index + 1}`,
    type: 'artifact.updated',
    artifact: {
      kind,
      artifactId: `${run.id}:result`,
      snapshotId,
      change: index === 0 ? 'init' : 'update',
      ...(Array.isArray(data) && { itemCount: data.length }),
    },
  }));

function finished(run: RunView): BareEvent[] {
  const { finishedAt: at, startedAt } = run;
  const outcome = runStatus(run);
  if (at === undefined || outcome === 'processing') return [];
  const error = outcome === 'succeeded' ? null : traceError(run, outcome);
  const isFailure = error !== null && outcome !== 'cancelled';
  const ended: BareEvent = {
    at,
    key: 'agent.finished',
    type: 'agent.finished',
    outcome: outcome === 'credit_limit_reached' ? 'failed' : outcome,
    durationMs: at - (startedAt ?? at),
    error,
  };
  return [
    ...(isFailure ? [{ at, key: 'error', type: 'error.occurred' as const, error }] : []),
    ...(startedAt === undefined ? [] : [ended]),
    { at, key: 'run.finished', type: 'run.finished', outcome, error },
  ];
}

type Failure = Exclude<ReturnType<typeof runStatus>, 'processing' | 'succeeded'>;

const CODES: Record<Failure, Pick<TraceError, 'code' | 'source' | 'retryable'>> = {
  cancelled: { code: 'cancelled', source: 'system', retryable: false },
  credit_limit_reached: { code: 'credit_limit_reached', source: 'billing', retryable: false },
  refused: { code: 'refused', source: 'agent', retryable: false },
  failed: { code: 'internal', source: 'agent', retryable: true },
};

const traceError = (run: RunView, failure: Failure): TraceError => ({ ...CODES[failure], message: errorText(run) });

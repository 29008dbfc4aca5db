// What is stored of a run and its steps, what callers see of them, and which run is next.
import type { CountedOperation } from '../../../contracts/team/team.ts';
import type { SealedText } from '../../encoding/sealed-requests.ts';
import type { ListedRun, RunKind, RunStatus, RunStep, RunView } from '../../ports/runs/run-store.ts';

/** Limits how many rows one claim looks at. */
export const CANDIDATES = 1_000;

export const OPERATION: Readonly<Record<RunKind, CountedOperation>> = {
  agent: 'agent',
  extract: 'extract',
  check: 'monitor',
  collection: 'collection',
};

const HOUR_MS = 3_600_000;
const MAX_TARGET = 300;

/** What transactions on a run need to know. */
export interface Run {
  number: number;
  id: string;
  teamId: string;
  key: string | null;
  kind: RunKind;
  status: RunStatus;
  zeroDataRetention: 0 | 1 | boolean;
  events: string;
  owner: string | null;
  keepMs: number;
}

export interface RunViewRow extends Run {
  groupId: string | null;
  turn: number;
  request: SealedText;
  result: SealedText | null;
  error: string | null;
  stopReason: string | null;
  credits: number;
  tokens: number;
  workedMs: number;
  attempt: number;
  cancelAskedAt: number | null;
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
  expiresAt: number;
}

export interface StepRow {
  key: string;
  name: string;
  input: SealedText;
  output: SealedText | null;
  credits: number;
  tokens: number;
  startedAt: number;
  finishedAt: number | null;
  teamId: string;
}

export type RecentRow = Pick<ListedRun, 'id' | 'kind' | 'status' | 'credits' | 'createdAt' | 'expiresAt'> & {
  group: string | null;
  error: string | null;
  stopReason: string | null;
  finishedAt: number | null;
  /** Null with zero data retention. */
  request: SealedText | null;
};

/** A run that a worker may take. */
export interface ClaimableRun {
  number: number;
  id: string;
  teamId: string;
  isCancelled: 0 | 1 | boolean;
}

export const UNFINISHED: readonly RunStatus[] = ['queued', 'running'];

/** A run that has ended disappears on time, whether or not it was swept. */
export const isReadable = ({ status, expiresAt }: Pick<RunView, 'status' | 'expiresAt'>, now: number): boolean =>
  UNFINISHED.includes(status) || expiresAt > now;

/** How long it is kept after its end. */
export const keepMsOf = ({ zeroDataRetention, keepMs }: Pick<Run, 'zeroDataRetention' | 'keepMs'>): number =>
  zeroDataRetention ? Math.min(HOUR_MS, keepMs) : keepMs;

/** Opened: what is stored sealed. */
export const toRunView = (row: RunViewRow, opened: { request: unknown; result?: unknown }): RunView => ({
  id: row.id,
  teamId: row.teamId,
  kind: row.kind,
  request: opened.request,
  zeroDataRetention: Boolean(row.zeroDataRetention),
  createdAt: row.createdAt,
  turn: row.turn,
  status: row.status,
  credits: row.credits,
  tokens: row.tokens,
  workedMs: row.workedMs,
  attempt: row.attempt,
  hasWebhook: row.events !== '',
  expiresAt: row.expiresAt,
  ...(row.key !== null && { key: row.key }),
  ...(row.groupId !== null && { group: row.groupId }),
  ...(row.result !== null && { result: opened.result }),
  ...(row.error !== null && { error: row.error }),
  ...(row.stopReason !== null && { stopReason: row.stopReason }),
  ...(row.startedAt !== null && { startedAt: row.startedAt }),
  ...(row.finishedAt !== null && { finishedAt: row.finishedAt }),
  ...(row.cancelAskedAt !== null && { cancelAskedAt: row.cancelAskedAt }),
});

export const toRunStep = (row: StepRow, opened: { input: unknown; output?: unknown }): RunStep => {
  const { teamId: _, input, output, finishedAt, ...step } = row;
  return {
    ...step,
    state: output === null ? 'started' : 'finished',
    input: opened.input,
    ...(output !== null && { output: opened.output }),
    ...(finishedAt !== null && { finishedAt }),
  };
};

/** `request`: undefined if it must not be shown. */
export function toListedRun(row: RecentRow, request: unknown): ListedRun {
  const { group, error, stopReason, finishedAt, request: _, ...run } = row;
  const target = targetOf(request);
  return {
    ...run,
    ...(group !== null && { group }),
    ...(error !== null && { error }),
    ...(stopReason !== null && { stopReason }),
    ...(finishedAt !== null && { finishedAt }),
    ...(target !== undefined && { target }),
  };
}

/** Requests of agents and extractions have a prompt or URLs, those of checks the definition of their monitor. */
function targetOf(request: unknown): string | undefined {
  const { prompt, urls, definition } = (request ?? {}) as {
    prompt?: string;
    urls?: string[];
    definition?: { name: string };
  };
  return (prompt || urls?.[0] || definition?.name)?.slice(0, MAX_TARGET);
}

/**
 * Those that are to be cancelled, and up to `slots` others: each time the oldest of the team that has the fewest running ones,
 * as long as that has less than `teamSlots`.
 */
export function chooseRuns(
  candidates: readonly ClaimableRun[],
  runningByTeam: Iterable<{ teamId: string; count: number }>,
  { slots, teamSlots }: { slots: number; teamSlots: number },
): ClaimableRun[] {
  const running = new Map([...runningByTeam].map(({ teamId, count }) => [teamId, count]));
  const chosen = candidates.filter(({ isCancelled }) => isCancelled);
  const free = new Set(candidates.filter(({ isCancelled }) => !isCancelled));
  for (let left = slots; left > 0; left--) {
    const next = fairest(free, running, teamSlots);
    if (!next) break;
    running.set(next.teamId, (running.get(next.teamId) ?? 0) + 1);
    free.delete(next);
    chosen.push(next);
  }
  return chosen;
}

function fairest(free: Iterable<ClaimableRun>, running: ReadonlyMap<string, number>, teamSlots: number) {
  let best: { candidate: ClaimableRun; count: number } | undefined;
  for (const candidate of free) {
    const count = running.get(candidate.teamId) ?? 0;
    if (count < teamSlots && (!best || count < best.count)) best = { candidate, count };
  }
  return best?.candidate;
}

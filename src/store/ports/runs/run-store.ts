// Port: runs as their callers see them. A run is work that goes on by itself: an agent, an extraction, a check of a monitor, a
// run of a collection.
// Its steps are rows, and its worker (run-queue.ts) goes on after the last finished one.
import type { ListPosition } from '../jobs/job-views.ts';

export type RunKind = 'agent' | 'extract' | 'check' | 'collection';
/** The first two are unfinished. Checks and runs of collections alone end as `partial` or are skipped. */
export type RunStatus =
  | 'queued'
  | 'running'
  | 'completed'
  | 'partial'
  | 'failed'
  | 'cancelled'
  | 'skipped_overlap'
  | 'skipped_no_credits';

/** `started`: it was begun, and whether it had an effect is unknown until it has finished. */
export type StepState = 'started' | 'finished';

/** For the webhook of a run, which gets it if it wants events of this type. */
export interface RunEvent {
  /** In full: `agent.action`, `monitor.page`. */
  type: string;
  success: boolean;
  data: unknown[];
  error?: string;
}

/** Where a run sends its events, and which ones, by their full names (`agent.action`). */
export interface RunWebhook {
  url: string;
  headers: Record<string, string>;
  metadata: Record<string, unknown>;
  events: string[];
}

export interface NewRun {
  id: string;
  teamId: string;
  /** Prefix of the API key that pays for it. */
  key?: string;
  kind: RunKind;
  /** The thread of an agent, the monitor of a check, or a collection. Only one run of a group is unfinished at a time. */
  group?: string;
  /** What the list of recent requests shows, if that may be stored. */
  target?: string;
  /** The validated request. */
  request: unknown;
  webhook?: RunWebhook;
  /** Sent with the transaction that stores the run. */
  events?: RunEvent[];
  /** The content of its steps is removed when it ends, and the rest after an hour. */
  zeroDataRetention: boolean;
  createdAt: number;
  /** How long it can be read after its end. */
  keepMs: number;
  /** A second run of the team with the same key is refused. */
  idempotencyKey?: string;
  /** How many unfinished runs the team may have, including this one. */
  maxUnfinished: number;
}

export interface RunView
  extends Pick<NewRun, 'id' | 'teamId' | 'key' | 'kind' | 'group' | 'request' | 'zeroDataRetention' | 'createdAt'> {
  /** Its number in its group, from 1. */
  turn: number;
  status: RunStatus;
  result?: unknown;
  error?: string;
  /** Why it ended before it was done, in one word: `cancelled`, `max_credits`. */
  stopReason?: string;
  /** Billed so far, or in the end. */
  credits: number;
  /** Tokens of language models. */
  tokens: number;
  /** How long it was worked on so far, until the last write. */
  workedMs: number;
  /** How often a worker began or continued it. */
  attempt: number;
  hasWebhook: boolean;
  startedAt?: number;
  finishedAt?: number;
  /** When somebody asked to cancel it. It ends at its next step. */
  cancelAskedAt?: number;
  expiresAt: number;
}

export interface RunStep {
  /** Identifies the step within its run: the hash of the key that its handler chose, which may hold a URL. */
  key: string;
  /** What it does, in one or two words: `search`, `scrape`. */
  name: string;
  state: StepState;
  input: unknown;
  /** Undefined until it has finished. The steps of a check are gone after its end, like those of a run without retention. */
  output?: unknown;
  credits: number;
  tokens: number;
  startedAt: number;
  finishedAt?: number;
}

export interface RunQuery {
  kind: RunKind;
  group?: string;
  status?: RunStatus;
  /** Only runs that were created before. */
  before?: number;
  limit: number;
  offset?: number;
}

export interface RecentRunsQuery {
  kinds: readonly RunKind[];
  /** All statuses by default. */
  statuses?: readonly RunStatus[];
  after?: ListPosition;
  limit: number;
}

/** A run in a list: without its request and its result, which can be large. */
export interface ListedRun
  extends Pick<
    RunView,
    'id' | 'kind' | 'group' | 'status' | 'credits' | 'error' | 'stopReason' | 'createdAt' | 'finishedAt' | 'expiresAt'
  > {
  /** The prompt, the first URL or the name of the monitor, cut. Absent with zero data retention. */
  target?: string;
}

export interface RunStore {
  /** Nothing is stored unless it returns `added`. `busy` is the unfinished run of the same group. */
  add(run: NewRun): Promise<'added' | 'queue-full' | 'key-used' | { busy: string }>;
  /** Undefined if unknown, expired or owned by another team. */
  view(id: string, teamId: string, now: number): Promise<RunView | undefined>;
  /** Newest first. */
  list(teamId: string, query: RunQuery, now: number): Promise<RunView[]>;
  /** Runs of several kinds, newest first. */
  recent(teamId: string, query: RecentRunsQuery, now: number): Promise<ListedRun[]>;
  /** In the order in which they began. */
  steps(id: string): Promise<RunStep[]>;
  /** Asks its worker to end it. Returns its status at this moment; undefined if there is no such run. */
  cancel(id: string, teamId: string, now: number): Promise<RunStatus | undefined>;
}

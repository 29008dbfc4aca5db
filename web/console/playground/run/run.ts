// One call of the playground, from the press of the button to its answer. The form writes it, the answer pane shows it.
import { type Signal, signal } from '@preact/signals';
import type { ApiError } from '../../api/api-error.ts';

export const OPERATIONS = [
  'scrape',
  'search',
  'answer',
  'crawl',
  'map',
  'parse',
  'extract',
  'agent',
  'browser',
] as const;
export type Operation = (typeof OPERATIONS)[number];

export type RunState = 'idle' | 'running' | 'done' | 'failed' | 'cancelled';

/** A job that the call has started, as its status route last described it. */
export interface RunJob {
  kind: 'crawl' | 'extract' | 'agent';
  id: string;
  status?: string;
  completed?: number;
  total?: number;
  creditsUsed?: number;
}

export interface Run {
  operation: Operation;
  /** The body as it was sent. */
  request: Readonly<Record<string, unknown>>;
  /** Name of the file that went with it (parse). */
  fileName?: string;
  state: RunState;
  /** The JSON of the answer; for a job, what its status route last answered. */
  answer?: unknown;
  error?: ApiError;
  /** Names are lower case. */
  headers?: Readonly<Record<string, string>>;
  /** Milliseconds since 1970. */
  startedAt: number;
  /** How long it took; counts up while it runs. */
  ms: number;
  job?: RunJob;
}

export type RunSignal = Signal<Run>;

export const createRun = (operation: Operation): RunSignal =>
  signal<Run>({ operation, request: {}, state: 'idle', startedAt: 0, ms: 0 });

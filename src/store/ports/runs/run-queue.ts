// Port: runs as their worker sees them. A claim has a lease; a worker that loses it stops and writes nothing.
import type { RunEvent, RunKind, RunStatus, RunView } from './run-store.ts';

export interface NewStep {
  key: string;
  name: string;
  input: unknown;
}

export interface StepEnd {
  key: string;
  output: unknown;
  /** What it cost. The run is billed as a whole when it ends. */
  credits: number;
  tokens: number;
  events?: RunEvent[];
}

export interface RunEnd {
  status: Exclude<RunStatus, 'queued' | 'running'>;
  result?: unknown;
  error?: string;
  stopReason?: string;
  /** What the team pays for the whole run. */
  credits: number;
  events?: RunEvent[];
}

export interface RunClaim {
  owner: string;
  kind: RunKind;
  /** Maximum number of runs. */
  slots: number;
  /** ... and of each team, with those that run already. */
  teamSlots: number;
  /** Leaves runs alone that were created before, unless they are to be cancelled. */
  since?: number;
  now: number;
  leaseUntil: number;
}

export interface RunQueue {
  /**
   * Takes waiting runs, and those whose lease is over: first of the team with the fewest running ones, then the oldest. A run
   * that is to be cancelled needs no free slot. `nextAt`: when the next lease ends.
   */
  claim(request: RunClaim): Promise<{ runs: RunView[]; nextAt?: number }>;
  /** Extends the leases of these runs, and of no others. Returns those it no longer owns, and those that are to be cancelled. */
  extend(
    owner: string,
    ids: string[],
    leaseUntil: number,
    now: number,
  ): Promise<{ lost: string[]; cancelled: string[] }>;
  /** False if the lease is lost. So is the result of the next two. */
  beginStep(owner: string, runId: string, step: NewStep, now: number): Promise<boolean>;
  /** A step ends once: what it cost and what it reported do not count again. */
  endStep(owner: string, runId: string, step: StepEnd, now: number): Promise<boolean>;
  end(owner: string, runId: string, end: RunEnd, now: number): Promise<boolean>;
  /** Returns all claims of the owner, which is about to stop. */
  release(owner: string): Promise<void>;
}

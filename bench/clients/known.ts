// The checked-in list of cases that fail, each with its reason, and how a run is compared with it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface KnownFailure {
  /** Name and version, as in the table. */
  client: string;
  case: string;
  reason: string;
}

export interface Outcome {
  client: string;
  case: string;
  state: 'passed' | 'failed' | 'skipped';
  /** Why it failed or was skipped. */
  problem?: string;
}

export interface Comparison {
  /** Failures that the list does not have. */
  unknown: Outcome[];
  /** Entries whose case passes now. */
  passing: KnownFailure[];
  /** Entries whose client ran, but has no such case. */
  stale: KnownFailure[];
}

export function readKnownFailures(): KnownFailure[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'known-failures.json'), 'utf8')) as KnownFailure[];
}

/** Entries of clients that did not run say nothing, and neither do those of skipped cases. */
export function compareWithKnown(outcomes: Outcome[], known: KnownFailure[]): Comparison {
  const key = (each: { client: string; case: string }) => `${each.client}: ${each.case}`;
  const listed = new Set(known.map(key));
  const states = new Map(outcomes.map((outcome) => [key(outcome), outcome.state]));
  const ran = new Set(outcomes.map(({ client }) => client));
  return {
    unknown: outcomes.filter((outcome) => outcome.state === 'failed' && !listed.has(key(outcome))),
    passing: known.filter((entry) => states.get(key(entry)) === 'passed'),
    stale: known.filter((entry) => ran.has(entry.client) && !states.has(key(entry))),
  };
}

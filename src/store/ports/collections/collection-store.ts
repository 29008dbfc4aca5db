// Port: collections, lasting sets of pages. A run of one is a run (run-store.ts) whose group is the collection.
import type { CollectionDefinition, CollectionRunResult } from '../../../contracts/collection/collection.ts';
import type { NewRun, RunStore } from '../runs/run-store.ts';
import type { MemberStore } from './member-store.ts';

export interface NewCollection {
  /** For a new one: another keeps its own. */
  id: string;
  teamId: string;
  name: string;
  /** Prefix of the API key that pays for its runs. */
  key?: string;
  /** Stored sealed. */
  definition: CollectionDefinition;
  /** How long its deletions are known. */
  keepMs: number;
  /** Null without a schedule. */
  nextRunAt: number | null;
  now: number;
  /** How many collections the team may have, including this one. */
  maxCollections: number;
}

export interface StoredCollection {
  number: number;
  id: string;
  teamId: string;
  name: string;
  key?: string;
  definition: CollectionDefinition;
  nextRunAt?: number;
  lastRunAt?: number;
  /** The unfinished run. */
  currentRunId?: string;
  /** The last run that has ended and can be read. */
  lastRun?: { id: string; status: string; finishedAt: number; error?: string; result?: CollectionRunResult };
  /** The number of its newest change. */
  lastChange: number;
  /** Deletions up to this change may be gone. */
  forgotten: number;
  /** Members that are there. */
  pages: number;
  createdAt: number;
  updatedAt: number;
}

/** A run that is due: the schedule moves on in the same transaction, so it begins once and only once. */
export interface DueCollectionRun {
  /** The time for which it was scheduled; nothing happens if the schedule has moved on since. */
  scheduledFor: number;
  nextRunAt: number;
  run: NewRun & { group: string };
}

export interface CollectionStore extends MemberStore {
  /** Adds it, or replaces the definition of the one with this name. */
  put(collection: NewCollection): Promise<'added' | 'replaced' | 'too-many'>;
  find(teamId: string, name: string, now: number): Promise<StoredCollection | undefined>;
  /** By name. */
  list(teamId: string, now: number): Promise<StoredCollection[]>;
  /** With its members; an unfinished run is cancelled, whose ID it returns. */
  remove(teamId: string, name: string, now: number): Promise<{ runId?: string } | undefined>;
  /** Those whose time has come, the longest waiting first. */
  due(now: number, limit: number): Promise<StoredCollection[]>;
  nextAt(): Promise<number | undefined>;
  startDue(due: DueCollectionRun, now: number): Promise<'started' | 'skipped_overlap' | 'moved'>;
  startNow(run: NewRun & { group: string }): Promise<Awaited<ReturnType<RunStore['add']>> | 'gone'>;
}

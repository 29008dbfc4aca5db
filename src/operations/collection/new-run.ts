// A run of a collection: what of the collection it has to know, so that later changes of that do not reach it.
import type { CollectionDefinition } from '../../contracts/collection/collection.ts';
import { nextRunAt } from '../../monitor/schedule/schedule.ts';
import type { DueCollectionRun, StoredCollection } from '../../store/ports/collections/collection-store.ts';
import type { NewRun } from '../../store/ports/runs/run-store.ts';
import { uuidv7 } from '../../util/ids.ts';

/** The request of the run. */
export interface CollectionRunRequest {
  collectionId: string;
  /** With the name, which lists of jobs show. */
  definition: CollectionDefinition & { name: string };
  /** Copied from the definition to where every stored request has it. */
  keyDomains?: string[];
  /** Only pages that were added and never read. */
  isNew: boolean;
}

const DAY_MS = 86_400_000;
const MAX_UNFINISHED = 100;

export function newRun(
  { id: collectionId, teamId, key, name, definition }: StoredCollection,
  { isNew = false, now }: { isNew?: boolean; now: number },
): NewRun & { group: string } {
  const request: CollectionRunRequest = {
    ...{ collectionId, definition: { ...definition, name }, isNew },
    ...(definition.keyDomains && { keyDomains: definition.keyDomains }),
  };
  return {
    ...{ id: uuidv7(now), teamId, kind: 'collection', group: collectionId, request },
    ...(key !== undefined && { key }),
    zeroDataRetention: false,
    createdAt: now,
    keepMs: definition.retentionDays * DAY_MS,
    maxUnfinished: MAX_UNFINISHED,
  };
}

/** The run of a collection whose time has come, and when the next one follows. */
export function dueRun(collection: StoredCollection, now: number): DueCollectionRun {
  const scheduledFor = collection.nextRunAt ?? now;
  const { schedule } = collection.definition;
  return {
    scheduledFor,
    nextRunAt: schedule ? nextRunAt(schedule, now, scheduledFor) : Number.MAX_SAFE_INTEGER,
    run: newRun(collection, { now }),
  };
}

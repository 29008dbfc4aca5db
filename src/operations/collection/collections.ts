// Collections: make, list, read, delete.
import type { CollectionView } from '../../contracts/collection/collection.ts';
import { collectionName } from '../../contracts/collection/collection-name.ts';
import { ServiceError } from '../../contracts/errors/errors.ts';
import { nextRunAt } from '../../monitor/schedule/schedule.ts';
import { checkContinues, checkReach, isInReach } from '../../policy/keys/key-reach.ts';
import type { CollectionStore, StoredCollection } from '../../store/ports/collections/collection-store.ts';
import type { Clock } from '../../util/clock.ts';
import { uuidv7 } from '../../util/ids.ts';
import type { Call } from '../call.ts';
import { accountOf, type Caller } from '../caller.ts';
import type { CheckTargetsDeps } from '../monitor/check-targets.ts';
import { startedWith } from '../threats/stored-limits.ts';
import { defineCollection } from './define-collection.ts';
import { showCollection } from './show-collection.ts';

export interface FindCollectionDeps {
  collections: Pick<CollectionStore, 'find'>;
  clock: Pick<Clock, 'now'>;
}

export interface CollectionDeps extends CheckTargetsDeps {
  collections: Pick<CollectionStore, 'find' | 'list' | 'put' | 'remove'>;
  clock: Pick<Clock, 'now'>;
  maxMonitors: number;
  /** The times at which runs are due may have changed. */
  onCollectionSchedule(): void;
  /** An unfinished run is to be cancelled, which the store knows already. */
  cancelRun(id: string): void;
}

const DAY_MS = 86_400_000;

interface CollectionAnswer {
  success: true;
  data: CollectionView;
}

export async function putCollection(
  deps: CollectionDeps,
  { caller, params, body, baseUrl }: Call<'putCollection'>,
): Promise<CollectionAnswer> {
  const { collections, clock } = deps;
  const name = nameOf(params.name);
  const known = await collections.find(caller.team.id, name, clock.now());
  if (known) checkContinued(caller, known);
  const definition = await defineCollection(deps, caller, body, known?.definition, baseUrl);
  const now = clock.now();
  const done = await collections.put({
    ...{ ...accountOf(caller), id: uuidv7(now), name, definition, now, maxCollections: deps.maxMonitors },
    keepMs: definition.retentionDays * DAY_MS,
    nextRunAt: definition.schedule ? nextRunAt(definition.schedule, now) : null,
  });
  if (done === 'too-many') throw new ServiceError('TOO_MANY_COLLECTIONS');
  deps.onCollectionSchedule();
  return readCollection(deps, caller, name);
}

export async function listCollections(
  { collections, clock }: Pick<CollectionDeps, 'collections' | 'clock'>,
  { caller }: Call<'listCollections'>,
): Promise<{ success: true; data: CollectionView[] }> {
  const found = await collections.list(caller.team.id, clock.now());
  const seen = found.filter(({ definition }) => isInReach(caller, startedWith(definition)));
  return { success: true, data: seen.map(showCollection) };
}

export const getCollection = (
  deps: FindCollectionDeps,
  { caller, params }: Call<'getCollection'>,
): Promise<CollectionAnswer> => readCollection(deps, caller, params.name);

const readCollection = async (deps: FindCollectionDeps, caller: Caller, name: string): Promise<CollectionAnswer> => ({
  success: true,
  data: showCollection(await findCollection(deps, caller, name)),
});

export async function deleteCollection(
  deps: CollectionDeps,
  { caller, params }: Call<'deleteCollection'>,
): Promise<{ success: true }> {
  const { name } = await findCollection(deps, caller, params.name);
  const removed = await deps.collections.remove(caller.team.id, name, deps.clock.now());
  if (!removed) throw new ServiceError('COLLECTION_NOT_FOUND');
  if (removed.runId !== undefined) deps.cancelRun(removed.runId);
  return { success: true };
}

/** Throws KEY_RESTRICTED for collections that the key of the caller could not have made. */
export async function findCollection(
  { collections, clock }: FindCollectionDeps,
  caller: Caller,
  name: string,
): Promise<StoredCollection> {
  const collection = await collections.find(caller.team.id, name, clock.now());
  if (!collection) throw new ServiceError('COLLECTION_NOT_FOUND');
  checkReach(caller, startedWith(collection.definition));
  return collection;
}

/** A collection that is to read more than it would. Throws KEY_RESTRICTED if the caller may not cause that. */
export async function findContinued(deps: FindCollectionDeps, caller: Caller, name: string): Promise<StoredCollection> {
  const collection = await findCollection(deps, caller, name);
  checkContinued(caller, collection);
  return collection;
}

const checkContinued = (caller: Caller, { definition, key }: StoredCollection): void =>
  checkContinues(caller, { ...startedWith(definition), key });

function nameOf(given: string): string {
  const read = collectionName.safeParse(given);
  if (read.success) return read.data;
  throw new ServiceError('BAD_REQUEST', { message: read.error.issues[0]!.message });
}

// Starts runs of a collection, adds pages to it, takes them out, and lists what is in it.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { checkDomains } from '../../policy/keys/key-domains.ts';
import type { CollectionStore, StoredCollection } from '../../store/ports/collections/collection-store.ts';
import type { Member } from '../../store/ports/collections/member-store.ts';
import { iso } from '../../util/clock.ts';
import type { Call } from '../call.ts';
import type { CheckTargetsDeps } from '../monitor/check-targets.ts';
import { targetUrl } from '../page/target-url.ts';
import { checkStartUrls } from '../threats/check-start.ts';
import { type FindCollectionDeps, findCollection, findContinued } from './collections.ts';
import { documentId } from './cursor.ts';
import { newRun } from './new-run.ts';

interface StartDeps extends FindCollectionDeps {
  collections: Pick<CollectionStore, 'find' | 'startNow' | 'addPages' | 'removePages' | 'members'>;
  /** There is a run to carry out. */
  onRun(): void;
}

const RETRY_AFTER_SECONDS = 30;

export async function runCollection(
  deps: StartDeps,
  { caller, params }: Call<'runCollection'>,
): Promise<{ success: true; id: string }> {
  const collection = await findContinued(deps, caller, params.name);
  const started = await start(deps, collection, false);
  if ('busy' in started) throw new ServiceError('COLLECTION_RUNNING', { fields: { runId: started.busy } });
  return { success: true, id: started.id };
}

async function start(
  { collections, clock, onRun }: StartDeps,
  collection: StoredCollection,
  isNew: boolean,
): Promise<{ id: string } | { busy: string }> {
  const run = newRun(collection, { isNew, now: clock.now() });
  const started = await collections.startNow(run);
  if (started === 'gone') throw new ServiceError('COLLECTION_NOT_FOUND');
  if (typeof started === 'object') return started;
  if (started !== 'added') throw new ServiceError('QUEUE_FULL', { retryAfter: RETRY_AFTER_SECONDS });
  onRun();
  return { id: run.id };
}

export async function addCollectionPages(
  deps: StartDeps & CheckTargetsDeps,
  { caller, params, body }: Call<'addCollectionPages'>,
): Promise<{ success: true; data: { added: number; runId: string | null } }> {
  const collection = await findContinued(deps, caller, params.name);
  const { keyDomains = [], scrapeOptions } = collection.definition;
  // Its runs are paid for by the key that made it, so the domains of that key hold for every page.
  checkDomains({ domains: keyDomains }, { urls: body.urls }, 'the API key that made this collection');
  const urls = body.urls.map((url, index) => targetUrl(url, deps.egress, ['urls', index]));
  await checkStartUrls(deps, caller, scrapeOptions, { operation: 'collection', urls });
  const done = await deps.collections.addPages(
    collection.id,
    urls.map(({ href }) => href),
  );
  if (!done) throw new ServiceError('COLLECTION_NOT_FOUND');
  const run = body.run && done.added > 0 ? await start(deps, collection, true) : undefined;
  return { success: true, data: { added: done.added, runId: run ? ('id' in run ? run.id : run.busy) : null } };
}

export async function removeCollectionPages(
  deps: StartDeps,
  { caller, params, query }: Call<'removeCollectionPages'>,
): Promise<{ success: true; data: { removed: number } }> {
  const { id } = await findCollection(deps, caller, params.name);
  const done = await deps.collections.removePages(id, query.url, deps.clock.now());
  if (!done) throw new ServiceError('COLLECTION_NOT_FOUND');
  return { success: true, data: done };
}

type Listed = Omit<Member, 'chunkIds' | 'finalUrl' | 'changedAt'> & { id: string; chunks: number; changedAt?: string };

export async function listCollectionPages(
  deps: StartDeps,
  { caller, params, query: { after = '', limit } }: Call<'listCollectionPages'>,
): Promise<{ success: true; data: Listed[]; next?: string }> {
  const { id } = await findCollection(deps, caller, params.name);
  // One more than requested tells whether there are more.
  const found = await deps.collections.members(id, { after, limit: limit + 1 });
  const shown = found.slice(0, limit).map(showMember);
  return { success: true, data: shown, ...(found.length > limit && { next: shown.at(-1)!.url }) };
}

const showMember = ({ chunkIds, finalUrl: _, changedAt, ...member }: Member): Listed => ({
  ...{ id: documentId(member.url), ...member, chunks: chunkIds.length },
  ...(changedAt !== undefined && { changedAt: iso(changedAt) }),
});

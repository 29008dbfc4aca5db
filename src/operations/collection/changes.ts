// Streams what has changed in a collection since a cursor, a line each. It ends with what was the newest change when it began,
// so a running run does not make it endless.
import { Download } from '../../archive/download.ts';
import { type ChangeLine, CURSOR_HEADER } from '../../contracts/collection/collection.ts';
import { EXPORT_FILES } from '../../contracts/crawl/export.ts';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { CollectionStore, StoredCollection } from '../../store/ports/collections/collection-store.ts';
import type { MemberChange } from '../../store/ports/collections/member-store.ts';
import { iso } from '../../util/clock.ts';
import type { Call } from '../call.ts';
import { type FindCollectionDeps, findCollection } from './collections.ts';
import { cursorAt, documentId, readCursor } from './cursor.ts';

export interface ChangesDeps extends FindCollectionDeps {
  collections: Pick<CollectionStore, 'find' | 'changes'>;
}

/** Lines that are read together. */
const GROUP = 500;

export async function collectionChanges(
  deps: ChangesDeps,
  { caller, params, query: { since, last, limit = Number.MAX_SAFE_INTEGER } }: Call<'collectionChanges'>,
): Promise<Download> {
  const collection = await findCollection(deps, caller, params.name);
  if (since !== undefined && last !== undefined) throw new ServiceError('BAD_REQUEST', { message: ONE_OF_BOTH });
  const after = since !== undefined ? readCursor(collection, since) : last && newest(collection, last);
  return new Download(lines(deps, collection, { after, limit, signal: caller.signal }), {
    type: EXPORT_FILES.jsonl.type,
    name: `${collection.name}-changes.jsonl`,
    headers: { [CURSOR_HEADER]: cursorAt(collection, collection.lastChange) },
  });
}

const ONE_OF_BOTH = 'Send `since` or `last`, not both.';

/** What is forgotten before it is no loss to who looks at the end only. */
const newest = ({ lastChange, forgotten }: StoredCollection, count: number): number =>
  Math.max(forgotten, lastChange - count);

async function* lines(
  { collections }: ChangesDeps,
  collection: StoredCollection,
  { after, limit, signal }: { after: number | undefined; limit: number; signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  const { id, lastChange: until } = collection;
  // Who begins anew has nothing that could be deleted.
  const onlyPresent = after === undefined;
  let last = after ?? 0;
  for (let left = limit; left > 0; ) {
    signal.throwIfAborted();
    const query = { after: last, until, limit: Math.min(GROUP, left), onlyPresent };
    const found = await collections.changes(id, query);
    if (!found) throw new ServiceError('CURSOR_GONE');
    if (found.length === 0) return;
    yield Buffer.from(found.map((change) => `${JSON.stringify(lineOf(collection, change))}\n`).join(''));
    last = found.at(-1)!.change;
    left -= found.length;
  }
}

const lineOf = (collection: StoredCollection, { change, isDeleted, changedAt, scrapeId, ...member }: MemberChange) => {
  const { url, finalUrl, hash, chunkIds } = member;
  return {
    op: isDeleted ? 'delete' : 'upsert',
    cursor: cursorAt(collection, change),
    id: documentId(url),
    url,
    ...(finalUrl !== undefined && !isDeleted && { finalUrl }),
    hash,
    chunkIds,
    ...(scrapeId !== undefined && !isDeleted && { scrapeId }),
    changedAt: iso(changedAt),
  } satisfies ChangeLine;
};

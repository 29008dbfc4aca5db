// Writes documents in requests of a few megabytes. What a busy cluster rejects is sent again; a version that the index
// already has, or a newer one, is left as it is.
import { setTimeout as wait } from 'node:timers/promises';
import { IndexUnavailable } from './index-unavailable.ts';
import type { BulkItem, PageDocuments } from './page-store.ts';

export type Write = { id: string; action: 'index' | 'create' | 'delete'; version?: number; document?: object };

interface Written {
  write: Write;
  status: number;
}

const MOST_BYTES = 3 * 1024 * 1024;
const MOST_WRITES = 2_000;
const BUSY = 429;
/** Together about a minute: a cluster that rejects for longer is overloaded, and the feed comes back later. */
const PATIENCE_MS = [200, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000];

/** Returns what became of each: a status of 2xx, 404 for a delete of nothing, 409 for a known version. */
export async function writeAll(store: PageDocuments, writes: readonly Write[]): Promise<Written[]> {
  const done: Written[] = [];
  let batch: Write[] = [];
  let bytes = 0;
  const flush = async () => {
    if (batch.length > 0) done.push(...(await writeBatch(store, batch)));
    batch = [];
    bytes = 0;
  };
  for (const write of writes) {
    const size = write.document ? sizeOf(write.document) : 0;
    if (bytes + size > MOST_BYTES || batch.length >= MOST_WRITES) await flush();
    batch.push(write);
    bytes += size;
  }
  await flush();
  return done;
}

async function writeBatch(store: PageDocuments, writes: readonly Write[]): Promise<Written[]> {
  const done: Written[] = [];
  let open = writes;
  for (const ms of [...PATIENCE_MS, 0]) {
    const items = await store.bulk(open.flatMap(linesOf));
    const rejected: Write[] = [];
    for (const [at, item] of items.entries()) {
      if (item.status === BUSY) rejected.push(open[at]!);
      else done.push({ write: open[at]!, status: checked(item) });
    }
    if (rejected.length === 0) return done;
    open = rejected;
    await wait(ms);
  }
  throw new IndexUnavailable('OpenSearch is too busy to take documents.');
}

/** Invalid, deleted before, or known in this version. */
const SETTLED = [400, 404, 409];

/**
 * A document that OpenSearch cannot read is left out. A shard that is away, or an index that may not be written, fails the
 * whole batch, which is repeated later.
 */
function checked({ status, error }: BulkItem): number {
  if (status >= 300 && !SETTLED.includes(status))
    throw new IndexUnavailable(`OpenSearch could not write: ${error?.type}: ${error?.reason}`);
  return status;
}

function linesOf({ id, action, version, document }: Write): unknown[] {
  const versioned = version === undefined ? {} : { version, version_type: 'external_gte' };
  const head = { [action]: { _id: id, ...versioned } };
  return document ? [head, document] : [head];
}

/** Roughly: the texts are what counts. */
function sizeOf(document: object): number {
  let size = 200;
  for (const value of Object.values(document)) {
    if (typeof value === 'string') size += value.length;
    else if (Array.isArray(value)) size += value.length * 18;
    else if (value !== null && typeof value === 'object') size += sizeOf(value);
  }
  return size;
}

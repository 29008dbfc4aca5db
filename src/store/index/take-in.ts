// Changes of the store, made part of the index: a few pages to a transaction, so that searches go on in between.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IndexChange } from '../page-index.ts';
import { type PreparedChange, prepareChange } from './prepare-change.ts';
import { createRenewal } from './renewal.ts';
import { createWrite, type IndexParts } from './write.ts';

/** A transaction ends at the first of both: fifty usual pages, or fewer long ones. */
const MAX_PAGES = 50;
const MAX_BYTES = 160 * 1024;
/** Steps in which, at the end of a call, pages are looked at again; what is left then waits until the thread is idle. */
const RENEWALS = 2;
const TIDY_STEPS = 12;

export interface TakeIn {
  applied(): number;
  /** Entries that could not be read, since the index was opened. */
  skipped(): number;
  apply(changes: readonly IndexChange[]): Promise<void>;
  /** The calls under way have ended, well or not. */
  settled(): Promise<void>;
  /** Looks at some pages again to which other links lead now. True while there are more. */
  renew(): boolean;
}

export function createTakeIn(parts: IndexParts): TakeIn {
  const { connection, documents, links, postings, columns } = parts;
  const write = createWrite(parts);
  const readState = connection.prepare<{ value: number }>('SELECT value FROM state WHERE name = ?');
  const writeState = connection.prepare('INSERT OR REPLACE INTO state VALUES (?, ?)');
  const renewal = createRenewal(parts, write);
  const mergeTerms = connection.prepare(`INSERT INTO fts (fts, rank) VALUES ('merge', 200)`);
  let applied = readState.get('applied')?.value ?? 0;
  let skipped = 0;

  const find = (key: number, url: string) => columns.withKey(key).find((id) => documents.url(id) === url);

  function takeIn(changes: readonly PreparedChange[], upTo: number): void {
    write((batch) => {
      for (const { url, key, ready } of changes) {
        const old = find(key, url);
        if (old !== undefined) {
          links.take(columns.hosts.list[columns.host[old]!]!, documents.links(old));
          batch.remove(old);
        }
        if (ready) links.add(ready.document.facts.host, ready.document.links);
      }
      const settled = links.settle();
      for (const { ready } of changes) if (ready) batch.add(ready);
      renewal.note(settled);
      writeState.run('applied', upTo);
    });
    applied = upTo;
  }

  async function apply(changes: readonly IndexChange[]): Promise<void> {
    const due = changes.filter(({ change }) => change > applied);
    for (const batch of inBatches(due)) {
      const prepared = batch.map(prepareChange);
      skipped += prepared.filter(({ isSkipped }) => isSkipped).length;
      await nextTurn();
      takeIn(newestOfEach(prepared), batch.at(-1)!.change);
      await nextTurn();
      mergeTerms.run();
      // A long feed leaves no idle time: its own upkeep must not fall behind.
      for (let step = 0; step < TIDY_STEPS && postings.tidy(); step++) await nextTurn();
      await nextTurn();
    }
    for (let step = 0; step < RENEWALS && renewal.step(); step++) await nextTurn();
  }

  let calls: Promise<void> = Promise.resolve();
  return {
    applied: () => applied,
    settled: () => calls,
    skipped: () => skipped,
    renew: renewal.step,
    apply(changes) {
      const call = calls.then(() => apply(changes));
      calls = call.catch(() => {});
      return call;
    },
  };
}

function* inBatches(changes: readonly IndexChange[]): Generator<IndexChange[]> {
  let batch: IndexChange[] = [];
  let bytes = 0;
  for (const change of changes) {
    batch.push(change);
    bytes += change.entry?.length ?? 0;
    if (batch.length < MAX_PAGES && bytes < MAX_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

/** What cannot be read changes nothing; of several changes of a page only the last counts. */
function newestOfEach(changes: readonly PreparedChange[]): PreparedChange[] {
  const newest = new Map<string, PreparedChange>();
  for (const change of changes) {
    if (change.isSkipped) continue;
    newest.delete(change.url);
    newest.set(change.url, change);
  }
  return [...newest.values()];
}

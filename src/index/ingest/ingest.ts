// Changes of the store, made part of the index: a few pages to a transaction, so that searches go on in between.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IndexChange } from '../page-index.ts';
import { createLinkRefresh } from '../upkeep/link-refresh.ts';
import { createIndexWriter, type IndexParts } from './index-writer.ts';
import { type PreparedChange, prepareChange } from './prepare-change.ts';

/** Entries of one transaction, in bytes: the larger, the less time a page takes, but a search may have to wait for it. */
const SHORT = 160 * 1024;
const LONG = 1024 * 1024;
/** What a change takes beside its entry. */
const EACH = 1024;
/** After so many without a search in between, long ones do no harm. */
const CALM = 8;
/** Entries that are read and analysed at a time. */
const SLICE = 32 * 1024;
/** Steps in which, at the end of a call, pages are looked at again; what is left then waits until the thread is idle. */
const REFRESH_STEPS = 2;
const MERGE_STEPS = 12;

export interface Ingest {
  applied(): number;
  /** Entries that could not be read, since the index was opened. */
  skipped(): number;
  apply(changes: readonly IndexChange[]): Promise<void>;
  /** The calls under way have ended, well or not. */
  settled(): Promise<void>;
  /** A search came: transactions are kept short for a while. */
  noteSearch(): void;
  /** Looks at some pages again to which other links lead now. True while there are more. */
  refreshLinks(): boolean;
}

export function createIngest(parts: IndexParts): Ingest {
  const { connection, pageRows, links, invertedIndex, columns } = parts;
  const write = createIndexWriter(parts);
  const readState = connection.prepare<{ value: number }>('SELECT value FROM state WHERE name = ?');
  const writeState = connection.prepare('INSERT OR REPLACE INTO state VALUES (?, ?)');
  const linkRefresh = createLinkRefresh(parts, write);
  const mergeTerms = connection.prepare(`INSERT INTO fts (fts, rank) VALUES ('merge', 200)`);
  let applied = readState.get('applied')?.value ?? 0;
  let skipped = 0;
  let calm = CALM;

  const find = (key: number, url: string) => columns.docsWithKey(key).find((id) => pageRows.url(id) === url);

  function ingest(changes: readonly PreparedChange[], upTo: number): void {
    write((batch) => {
      for (const { url, key, prepared: ready } of changes) {
        const old = find(key, url);
        if (old !== undefined) {
          links.remove(columns.hosts.list[columns.host[old]!]!, pageRows.links(old));
          batch.remove(old);
        }
        if (ready) links.add(ready.page.facts.host, ready.page.links);
      }
      const settled = links.applyPending();
      for (const { prepared: ready } of changes) if (ready) batch.add(ready);
      linkRefresh.note(settled);
      writeState.run('applied', upTo);
    });
    applied = upTo;
  }

  async function apply(changes: readonly IndexChange[]): Promise<void> {
    const due = changes.filter(({ change }) => change > applied);
    for (let from = 0; from < due.length; calm += 1) {
      const batch = batchFrom(due, from, calm < CALM ? SHORT : LONG);
      const prepared = await prepare(batch);
      from += batch.length;
      skipped += prepared.filter(({ isSkipped }) => isSkipped).length;
      ingest(newestOfEach(prepared), batch.at(-1)!.change);
      await nextTurn();
      mergeTerms.run();
      // A long feed leaves no idle time: its own upkeep must not fall behind.
      for (let step = 0; step < MERGE_STEPS && invertedIndex.flushAndMerge(); step++) await nextTurn();
      await nextTurn();
    }
    for (let step = 0; step < REFRESH_STEPS && linkRefresh.step(); step++) await nextTurn();
  }

  let calls: Promise<void> = Promise.resolve();
  return {
    applied: () => applied,
    settled: () => calls,
    skipped: () => skipped,
    noteSearch() {
      calm = 0;
    },
    refreshLinks: linkRefresh.step,
    apply(changes) {
      const call = calls.then(() => apply(changes));
      calls = call.catch(() => {});
      return call;
    },
  };
}

function batchFrom(changes: readonly IndexChange[], from: number, maxBytes: number): IndexChange[] {
  let end = from;
  for (let bytes = 0; end < changes.length && bytes < maxBytes; end += 1) bytes += sizeOf(changes[end]!);
  return changes.slice(from, end);
}

const sizeOf = ({ entry }: IndexChange): number => EACH + (entry?.length ?? 0);

/** With room for searches between slices of the work. */
async function prepare(batch: readonly IndexChange[]): Promise<PreparedChange[]> {
  const prepared: PreparedChange[] = [];
  for (let bytes = 0; prepared.length < batch.length; ) {
    const change = batch[prepared.length]!;
    prepared.push(prepareChange(change));
    bytes += sizeOf(change);
    if (bytes < SLICE && prepared.length < batch.length) continue;
    await nextTurn();
    bytes = 0;
  }
  return prepared;
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

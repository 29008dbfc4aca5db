// Applies changes from the store to the index, a few pages per transaction so that searches can run in between.
import type { IndexChange } from '../page-index.ts';
import { createLinkRefresh } from '../upkeep/link-refresh.ts';
import type { PageAnalyser } from './analyse-page.ts';
import { createIndexWriter, type IndexParts } from './index-writer.ts';
import { newestOfEach, type PreparedChange, prepareChange } from './prepare-change.ts';

// What one uninterrupted step may hold. Calls that arrived in the meantime, such as searches, go before the next step.
/** Bytes of entries per transaction. Larger ones leave fewer parts of `fts` to merge, but take longer. */
const TRANSACTION_BYTES = 160 * 1024;
const LONG_TRANSACTION_BYTES = 512 * 1024;
/** After this many transactions without a search, long ones are used. */
const CALM_TRANSACTIONS = 8;
/** Bytes of entries analysed at once. */
const SLICE_BYTES = 16 * 1024;
/** Pages of `fts` merged at once. */
const MERGED_FTS_PAGES = 64;
/** Overhead counted for each change besides its entry. */
const CHANGE_OVERHEAD_BYTES = 1024;
/** Link refresh steps at the end of a call. The rest waits until the thread is idle. */
const REFRESH_STEPS = 2;
const MERGE_STEPS = 12;

interface Ingest {
  applied(): number;
  /** Entries that could not be read since the index was opened. */
  skipped(): number;
  apply(changes: readonly IndexChange[]): Promise<void>;
  /** Removes the pages of these changes and leaves the number of the last applied one as it is. */
  remove(changes: readonly IndexChange[]): Promise<void>;
  /** Resolves when the calls in progress have ended, successfully or not. */
  settled(): Promise<void>;
  /** Keeps the next transactions short, since more searches may follow. */
  noteSearch(): void;
  /** Refreshes some pages whose inbound links have changed. True while there are more. */
  refreshLinks(): boolean;
}

export function createIngest(parts: IndexParts, afterSearches: () => Promise<void>): Ingest {
  const { connection, pageRows, links, invertedIndex, columns, analyser } = parts;
  const write = createIndexWriter(parts);
  const readState = connection.prepare<{ value: number }>('SELECT value FROM state WHERE name = ?');
  const writeState = connection.prepare('INSERT OR REPLACE INTO state VALUES (?, ?)');
  const linkRefresh = createLinkRefresh(parts, write);
  const mergeTerms = connection.prepare(`INSERT INTO fts (fts, rank) VALUES ('merge', ${MERGED_FTS_PAGES})`);
  let applied = readState.get('applied')?.value ?? 0;
  let skipped = 0;
  let sinceSearch = CALM_TRANSACTIONS;

  const find = ({ owner, key, url }: PreparedChange) =>
    columns
      .docsWithKey(key)
      .find((id) => columns.owners.list[columns.owner[id]!] === owner && pageRows.url(id) === url);

  function writeChanges(changes: readonly PreparedChange[], upTo: number): void {
    write((batch) => {
      for (const change of changes) {
        const { prepared } = change;
        const old = find(change);
        if (old !== undefined) {
          links.remove(columns.hosts.list[columns.host[old]!]!, pageRows.links(old));
          batch.remove(old);
        }
        if (prepared) links.add(prepared.page.facts.host, prepared.page.links);
      }
      const linkChanges = links.applyPending();
      for (const { prepared } of changes) if (prepared) batch.add(prepared);
      linkRefresh.note(linkChanges);
      writeState.run('applied', upTo);
    });
    applied = upTo;
  }

  async function apply(changes: readonly IndexChange[]): Promise<void> {
    const due = changes.filter(({ change }) => change > applied);
    for (let from = 0; from < due.length; sinceSearch += 1) {
      const isCalm = sinceSearch >= CALM_TRANSACTIONS;
      const batch = batchFrom(due, from, isCalm ? LONG_TRANSACTION_BYTES : TRANSACTION_BYTES);
      const prepared = await prepare(batch, analyser, afterSearches);
      from += batch.length;
      skipped += prepared.filter(({ isSkipped }) => isSkipped).length;
      writeChanges(newestOfEach(prepared), batch.at(-1)!.change);
      await afterSearches();
      mergeTerms.run();
      // A long feed leaves no idle time, so merging must keep up here.
      for (let step = 0; step < MERGE_STEPS && invertedIndex.flushAndMerge(); step++) await afterSearches();
      await afterSearches();
    }
    for (let step = 0; step < REFRESH_STEPS && linkRefresh.step(); step++) await afterSearches();
  }

  let calls: Promise<void> = Promise.resolve();
  const inOrder = (work: () => void | Promise<void>): Promise<void> => {
    const call = calls.then(work);
    calls = call.catch(() => {});
    return call;
  };
  return {
    applied: () => applied,
    settled: () => calls,
    skipped: () => skipped,
    noteSearch() {
      sinceSearch = 0;
    },
    refreshLinks: linkRefresh.step,
    apply: (changes) => inOrder(() => apply(changes)),
    async remove(changes) {
      if (changes.length === 0) return;
      const removals = changes.map((change) => prepareChange({ ...change, entry: null }, analyser));
      await inOrder(() => writeChanges(newestOfEach(removals), applied));
    },
  };
}

function batchFrom(changes: readonly IndexChange[], from: number, maxBytes: number): IndexChange[] {
  let end = from;
  for (let bytes = 0; end < changes.length && bytes < maxBytes; end += 1) bytes += sizeOf(changes[end]!);
  return changes.slice(from, end);
}

const sizeOf = ({ entry }: IndexChange): number => CHANGE_OVERHEAD_BYTES + (entry?.length ?? 0);

/** Yields to searches between slices of the work. */
async function prepare(
  batch: readonly IndexChange[],
  analyser: PageAnalyser,
  afterSearches: () => Promise<void>,
): Promise<PreparedChange[]> {
  const prepared: PreparedChange[] = [];
  for (let bytes = 0; prepared.length < batch.length; ) {
    const change = batch[prepared.length]!;
    prepared.push(prepareChange(change, analyser));
    bytes += sizeOf(change);
    if (bytes < SLICE_BYTES && prepared.length < batch.length) continue;
    await afterSearches();
    bytes = 0;
  }
  return prepared;
}

// Changes of the store, made part of the index: a few pages to a transaction, so that searches go on in between.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IndexChange } from '../page-index.ts';
import { type PreparedChange, prepareChange, readyAgain } from './prepare-change.ts';
import { type Batch, createWrite, type IndexParts } from './write.ts';

/** A transaction ends at the first of both: fifty usual pages, or fewer long ones. */
const MAX_PAGES = 50;
const MAX_BYTES = 160 * 1024;
/** Pages that are indexed again at once, and in one call beside as many as it brought. */
const PAGES_AGAIN = 20;
const PAGES_AGAIN_A_CALL = 100;
const TIDY_STEPS = 12;

export interface TakeIn {
  applied(): number;
  /** Entries that could not be read, since the index was opened. */
  skipped(): number;
  apply(changes: readonly IndexChange[]): Promise<void>;
  /** The calls under way have ended, well or not. */
  settled(): Promise<void>;
  /** Indexes some pages again that have got new link texts. True while there are more. */
  renew(): boolean;
}

export function createTakeIn(parts: IndexParts): TakeIn {
  const { connection, documents, links, postings, columns } = parts;
  const write = createWrite(parts);
  const readState = connection.prepare<{ value: number }>('SELECT value FROM state WHERE name = ?');
  const writeState = connection.prepare('INSERT OR REPLACE INTO state VALUES (?, ?)');
  const noteAgain = connection.prepare('INSERT OR IGNORE INTO again VALUES (?)');
  const nextAgain = connection.prepare<{ id: number }>('SELECT id FROM again ORDER BY id LIMIT ?');
  const forgetAgain = connection.prepare('DELETE FROM again WHERE id = ?');
  const mergeTerms = connection.prepare(`INSERT INTO fts (fts, rank) VALUES ('merge', 200)`);
  let applied = readState.get('applied')?.value ?? 0;
  let skipped = 0;

  function takeIn(changes: readonly PreparedChange[], upTo: number): void {
    write((batch) => {
      for (const { url, key, ready } of changes) {
        const old = documents.find(key, url);
        if (old !== undefined) {
          links.take(columns.hosts.list[columns.host[old]!]!, documents.links(old));
          batch.remove(old);
        }
        if (ready) links.add(ready.document.facts.host, ready.document.links);
      }
      const touched = links.settle();
      for (const { ready } of changes) if (ready) batch.add(ready);
      for (const id of documents.withKeys(touched)) reconsider(id, batch);
      writeState.run('applied', upTo);
    });
    applied = upTo;
  }

  /** Other pages lead to it, or with other words, than when it was indexed. */
  function reconsider(id: number, batch: Batch): void {
    const { key, host, inlinks } = documents.facts(id)!;
    const { texts, hosts } = links.incoming(key, host);
    if (hosts !== inlinks) batch.setInlinks(id, hosts);
    const { anchors } = documents.texts(id)!;
    // Each page is done again only a few times, however many links come; words that went are never kept.
    if (texts.length < anchors || (texts.length > anchors && texts.length >= 2 * anchors)) noteAgain.run(id);
  }

  function renew(): boolean {
    const ids = nextAgain.all(PAGES_AGAIN).map(({ id }) => id);
    if (ids.length === 0) return false;
    const renewed = ids.map((id) => documents.read(id)).filter((document) => document !== undefined);
    const ready = renewed.map(readyAgain);
    write((batch) => {
      for (const id of ids) forgetAgain.run(id);
      for (const { facts } of renewed) batch.remove(facts.id);
      for (const document of ready) batch.add(document);
    });
    return true;
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
    for (let left = due.length + PAGES_AGAIN_A_CALL; left > 0 && renew(); left -= PAGES_AGAIN) await nextTurn();
  }

  let calls: Promise<void> = Promise.resolve();
  return {
    applied: () => applied,
    settled: () => calls,
    skipped: () => skipped,
    renew,
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

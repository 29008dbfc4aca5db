// Applies changes from the store: pages become documents, their links rows of their own. Each document has the number of its
// change as its version, so that a change that arrives twice, or too late, changes nothing.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PageAnalyser } from '../../ingest/analyse-page.ts';
import { newestOfEach, type PreparedChange, prepareChange } from '../../ingest/prepare-change.ts';
import type { IndexChange } from '../../page-index.ts';
import type { StoredLink } from '../../pages/link-graph.ts';
import { type Write, writeAll } from '../engine/bulk-writer.ts';
import type { PageDocuments } from '../engine/page-store.ts';
import { createLinkRows } from './link-rows.ts';
import { createLinkedPages } from './linked-pages.ts';
import { pageId, readCard, vectorId, withLinks } from './page-document.ts';

interface Ingest {
  applied(): Promise<number>;
  apply(changes: readonly IndexChange[]): Promise<void>;
  skipped(): number;
  /** Resolves when the calls in progress have ended, successfully or not. Nothing is done later then. */
  close(): Promise<void>;
}

/** Bytes of entries at once. Their documents take about three times as much. */
const BATCH_BYTES = 1024 * 1024;
const CHANGE_OVERHEAD_BYTES = 1024;
const POSITION = 'position';
// A crawl finds more links to its pages with every batch. Their texts are indexed when it pauses, or when many pages wait.
const FEW_CHANGES = 50;
const FEW_LINKED = 200;
const MOST_POSTPONED = 5_000;
const CALM_MS = 3_000;

interface Known {
  change: number;
  card: string;
  content: { links: readonly StoredLink[] };
}

interface NumberedChange extends PreparedChange {
  change: number;
}

export function createIngest(store: PageDocuments, analyser: PageAnalyser): Ingest {
  const links = createLinkRows(store);
  const linkedPages = createLinkedPages(store, links, analyser);
  let skipped = 0;
  let isDirty = false;
  let seen = 0;

  const refresh = async () => {
    if (!isDirty) return;
    await store.refresh();
    links.refreshed();
    isDirty = false;
  };

  async function applied(): Promise<number> {
    const [position] = await store.get<{ change: number }>([POSITION], ['change']);
    return position?.change ?? 0;
  }

  async function write(changes: readonly NumberedChange[]): Promise<void> {
    const ids = changes.map(({ owner, url }) => pageId(owner, url));
    const known = await store.get<Known>(ids, ['change', 'card', 'content.links']);
    const due = changes
      .map((change, at) => ({ ...change, id: ids[at]!, old: known[at] }))
      .filter(({ change, old }) => old === undefined || old.change <= change);
    isDirty = true;
    const linkChanges = due.map(({ id, url, old, prepared }) => ({
      id,
      host: prepared?.page.facts.host ?? (old ? readCard(old.card).facts.host : url),
      before: old?.content.links ?? [],
      after: prepared?.page.links ?? [],
    }));
    const pages = due.flatMap(({ prepared }) => (prepared ? [prepared.page] : []));
    const applying = links.apply(linkChanges, refresh);
    // Links that may be lost cause a refresh, after which only a new search sees those that were added.
    if (linkChanges.some(({ before }) => before.length > 0)) await applying;
    const [readInbound, touched] = await Promise.all([
      links.readInbound(pages.map(({ facts, texts }) => ({ ...facts, title: texts.title }))),
      applying,
    ]);
    const inbound = readInbound();
    let at = 0;
    const writes = due.flatMap(({ id, change, prepared }): Write[] => {
      const version = { version: change };
      if (!prepared) return [id, vectorId(id)].map((gone) => ({ id: gone, action: 'delete', ...version }));
      const document = withLinks(analyser, prepared, inbound[at++]!, change);
      return [{ id, action: 'index', ...version, document }];
    });
    isDirty = true;
    for (const { write: one, status } of await writeAll(store, writes)) {
      if (one.document && status >= 400 && status !== 409) skipped += 1;
    }
    linkedPages.note(touched);
  }

  async function apply(changes: readonly IndexChange[]): Promise<void> {
    const position = await applied();
    // The index was cleared, or lost.
    if (position < seen) links.forget();
    const due = changes.filter(({ change }) => change > position);
    if (due.length === 0) return;
    for (let from = 0; from < due.length; ) {
      const batch = batchFrom(due, from);
      from += batch.length;
      const prepared = await prepare(batch, analyser);
      skipped += prepared.filter(({ isSkipped }) => isSkipped).length;
      await write(newestOfEach(prepared));
    }
    await refresh();
    const last = due.at(-1)!.change;
    seen = last;
    const { waiting } = linkedPages;
    const isTime = (due.length < FEW_CHANGES && waiting < FEW_LINKED) || waiting >= MOST_POSTPONED;
    await Promise.all([
      isTime ? refreshLinked() : undefined,
      store.put(POSITION, last, { kind: 'state', change: last }),
    ]);
  }

  async function refreshLinked(): Promise<void> {
    isDirty ||= await linkedPages.refreshSome();
    await refresh();
  }

  const queue = createQueue(() => (linkedPages.waiting > 0 ? refreshLinked : undefined));
  return {
    applied,
    skipped: () => skipped,
    apply: (changes) => queue.run(() => apply(changes)),
    close: queue.close,
  };
}

/** Runs calls one after the other, and what `workLeft` gives when no more come. */
function createQueue(workLeft: () => (() => Promise<void>) | undefined) {
  let calls: Promise<void> = Promise.resolve();
  let calm: NodeJS.Timeout | undefined;
  let isClosed = false;
  const waitForCalm = () => {
    clearTimeout(calm);
    const work = isClosed ? undefined : workLeft();
    if (work) calm = setTimeout(() => void run(work).catch(() => {}), CALM_MS).unref();
  };
  const run = (work: () => Promise<void>): Promise<void> => {
    clearTimeout(calm);
    const call = calls.then(work);
    calls = call.catch(() => {}).then(waitForCalm);
    return call;
  };
  return {
    run,
    async close() {
      isClosed = true;
      clearTimeout(calm);
      await calls;
    },
  };
}

function batchFrom(changes: readonly IndexChange[], from: number): IndexChange[] {
  let end = from;
  for (let bytes = 0; end < changes.length && bytes < BATCH_BYTES; end += 1)
    bytes += CHANGE_OVERHEAD_BYTES + (changes[end]!.entry?.length ?? 0);
  return changes.slice(from, end);
}

/** Searches run between pages. */
async function prepare(batch: readonly IndexChange[], analyser: PageAnalyser): Promise<NumberedChange[]> {
  const prepared: NumberedChange[] = [];
  for (const change of batch) {
    prepared.push({ ...prepareChange(change, analyser), change: change.change });
    await nextTurn();
  }
  return prepared;
}

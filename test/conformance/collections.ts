// Every CollectionStore adapter passes these tests.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CollectionDefinition } from '../../src/contracts/collection/collection.ts';
import { optionDefaults } from '../../src/contracts/monitor/monitor-targets.ts';
import type { StoredCollection } from '../../src/store/ports/collections/collection-store.ts';
import type { SeenPage } from '../../src/store/ports/collections/member-store.ts';
import type { Store } from '../../src/store/ports/store.ts';
import { DAY, HOUR, type OpenStore, START, sampleCharge, sampleResult, sampleScrape } from './samples.ts';

const TARGET = '00000000-0000-4000-8000-000000000001';
const KEPT_DAYS = 30;
const OPTIONS = { formats: ['markdown'] };

const definition = (): CollectionDefinition => ({
  ...{ targets: [], scrapeOptions: optionDefaults().scrapeOptions },
  ...{ retentionDays: KEPT_DAYS, baseUrl: 'http://trawl.test' },
});

export async function addCollection(store: Store, name = 'docs', team = 'default', maxCollections = 10) {
  const { id: teamId } = await store.teams.ensureTeam(team, START);
  const added = await store.collections.put({
    ...{ id: crypto.randomUUID(), teamId, name, definition: definition(), keepMs: KEPT_DAYS * DAY },
    ...{ nextRunAt: START + HOUR, now: START, maxCollections },
  });
  return { added, collection: (await store.collections.find(teamId, name, START))! };
}

const runOf = ({ id, teamId }: StoredCollection, now = START) => ({
  ...{ id: crypto.randomUUID(), teamId, kind: 'collection' as const, group: id, request: {} },
  ...{ zeroDataRetention: false, createdAt: now, keepMs: DAY, maxUnfinished: 100 },
});

async function startRun(store: Store, collection: StoredCollection, now = START): Promise<string> {
  const run = runOf(collection, now);
  assert.equal(await store.collections.startNow(run), 'added');
  return run.id;
}

export async function endRun(store: Store, id: string, now = START): Promise<void> {
  const claim = { owner: 'me', kind: 'collection' as const, slots: 10, teamSlots: 10, now, leaseUntil: now + HOUR };
  await store.runQueue.claim(claim);
  assert.ok(await store.runQueue.end('me', id, { status: 'completed', result: {}, credits: 0 }, now));
}

export const at = (path: string) => `https://a.test/${path}`;

/** A page as a run has found it, with the scrape of its text. */
export async function read(store: Store, teamId: string, path: string, text: string): Promise<SeenPage> {
  const scrapeId = crypto.randomUUID();
  const scrape = sampleScrape(
    teamId,
    { result: sampleResult(text) },
    { id: scrapeId, metadata: { scrapeId, title: text } },
  );
  await store.scrapes.add(sampleCharge(teamId), scrape);
  return { url: at(path), found: { state: 'read', hash: text, chunkIds: [`${path} 1`], scrapeId } };
}

interface Shelf {
  store: Store;
  collection: StoredCollection;
  run: string;
  by: { collectionId: string; runId: string; targetId: string; options: unknown; now: number };
}

export async function begin(store: Store, collection: StoredCollection, now = START): Promise<Shelf> {
  const run = await startRun(store, collection, now);
  const by = { collectionId: collection.id, runId: run, targetId: TARGET, options: OPTIONS, now };
  return { store, collection, run, by };
}

async function changesOf({ store, collection }: Pick<Shelf, 'store' | 'collection'>, after = 0, onlyPresent = false) {
  const { lastChange: until } = (await store.collections.find(collection.teamId, collection.name, START))!;
  const found = await store.collections.changes(collection.id, { after, until, limit: 100, onlyPresent });
  return found?.map(({ change, url, isDeleted }) => `${change} ${isDeleted ? '-' : '+'}${new URL(url).pathname}`);
}

export function testCollectionStore(adapter: string, open: OpenStore): void {
  describe(`CollectionStore on ${adapter}`, () => {
    test('a collection is known to its team by its name, and a second PUT replaces what it reads', async (t) => {
      const store = await open(t);
      const { added, collection } = await addCollection(store);
      assert.equal(added, 'added');
      assert.equal((await addCollection(store)).added, 'replaced');
      assert.equal((await addCollection(store, 'docs', 'others')).added, 'added');
      assert.equal((await addCollection(store, 'more', 'default', 1)).added, 'too-many');
      assert.deepEqual(collection.definition, definition());
      assert.deepEqual(
        (await store.collections.list(collection.teamId, START)).map(({ name }) => name),
        ['docs'],
      );
      assert.deepEqual(
        (await store.collections.due(START + HOUR, 10)).map(({ name }) => name),
        ['docs', 'docs'],
      );
    });

    test('a change gives a page the next number, and an unchanged page keeps its own', async (t) => {
      const store = await open(t);
      const { collection } = await addCollection(store);
      const { teamId } = collection;
      const first = await begin(store, collection);
      const pages = [await read(store, teamId, 'a', 'one'), await read(store, teamId, 'b', 'two')];
      assert.equal((await store.collections.savePages(first.by, pages))!.added, 2);
      const again = [await read(store, teamId, 'a', 'one'), await read(store, teamId, 'b', 'new')];
      const saved = await store.collections.savePages(first.by, again);
      assert.deepEqual(saved, { added: 0, changed: 1, same: 1, gone: 0, problems: 0 });
      assert.deepEqual(await changesOf(first), ['1 +/a', '3 +/b']);
      assert.deepEqual(await changesOf(first, 1), ['3 +/b']);
    });

    test('the content of a member outlives its scrape, and goes with the member', async (t) => {
      const store = await open(t);
      const { collection } = await addCollection(store);
      const shelf = await begin(store, collection);
      await store.collections.savePages(shelf.by, [await read(store, collection.teamId, 'a', 'one')]);
      await store.pages.sweep(START + 5 * DAY);
      const [member] = await store.collections.members(collection.id, { after: '', limit: 10 });
      const kept = await store.scrapes.find(member!.scrapeId!, collection.teamId, START + 5 * DAY);
      assert.equal(kept?.metadata.scrapeId, member!.scrapeId);
      const query = { after: 0, until: 9, limit: 10, maxBytes: 1_000 };
      const { count, json, next } = await store.collections.documents(collection.id, query);
      assert.deepEqual([count, next], [1, 1]);
      assert.match(Buffer.from(json).toString(), /"title":"one"/);
      await store.collections.savePages(shelf.by, [{ url: at('a'), found: { state: 'gone' } }]);
      assert.equal(await store.collections.deleteGone(shelf.by, 10), 1);
      assert.equal(await store.scrapes.find(member!.scrapeId!, collection.teamId, START), undefined);
      assert.deepEqual(await changesOf(shelf), ['2 -/a']);
      assert.deepEqual(await changesOf(shelf, 0, true), []);
    });

    test('only what a later run does not reach is deleted, and only of its target', async (t) => {
      const store = await open(t);
      const { collection } = await addCollection(store);
      const { teamId } = collection;
      const first = await begin(store, collection);
      const both = [await read(store, teamId, 'a', 'one'), await read(store, teamId, 'b', 'two')];
      await store.collections.savePages(first.by, both);
      await store.collections.savePages({ ...first.by, targetId: 'other' }, [await read(store, teamId, 'c', 'three')]);
      await store.collections.addPages(collection.id, [at('d')]);
      await endRun(store, first.run);
      const second = await begin(store, collection, START + 1);
      const problem = { url: at('a'), found: { state: 'problem' as const, problem: 'It is closed.' } };
      assert.equal((await store.collections.savePages(second.by, [problem]))!.problems, 1);
      assert.deepEqual(await store.collections.problemsOf(second.by, 10), [{ url: at('a'), problem: 'It is closed.' }]);
      assert.equal(await store.collections.deleteUnreached(second.by, 10), 1);
      assert.deepEqual(await changesOf(second), ['1 +/a', '3 +/c', '4 -/b']);
      assert.deepEqual((await store.collections.targetsOf(collection.id)).sort(), [TARGET, 'other'].sort());
      const added = { after: 0, limit: 10, isNew: true };
      assert.deepEqual(
        (await store.collections.addedPages(collection.id, added)).map(({ url }) => url),
        [at('d')],
      );
    });

    test('deletions are forgotten in the end, and who has not heard of them is told so', async (t) => {
      const store = await open(t);
      const { collection } = await addCollection(store);
      const shelf = await begin(store, collection);
      const both = [await read(store, collection.teamId, 'a', 'one'), await read(store, collection.teamId, 'b', 'two')];
      await store.collections.savePages(shelf.by, both);
      await store.collections.savePages(shelf.by, [{ url: at('a'), found: { state: 'gone' } }]);
      await store.collections.deleteGone(shelf.by, 10);
      await store.pages.sweep(START + (KEPT_DAYS - 1) * DAY);
      assert.deepEqual(await changesOf(shelf, 2), ['3 -/a']);
      await store.pages.sweep(START + KEPT_DAYS * DAY);
      assert.equal(await changesOf(shelf, 2), undefined);
      assert.deepEqual(await changesOf(shelf, 3), []);
      assert.deepEqual(await changesOf(shelf, 0, true), ['2 +/b']);
      assert.equal((await store.collections.find(collection.teamId, 'docs', START))!.forgotten, 3);
    });

    test('a stored page that its team deletes leaves the collections of that team only', async (t) => {
      const store = await open(t);
      const mine = (await addCollection(store)).collection;
      const others = (await addCollection(store, 'docs', 'others')).collection;
      const shelves = [await begin(store, mine), await begin(store, others)];
      for (const { by, collection } of shelves)
        for (const path of ['a', 'b', 'c'])
          await store.collections.savePages(by, [await read(store, collection.teamId, path, 'one')]);
      const removable = { owners: [], teamId: mine.teamId, now: START };
      assert.equal((await store.stored.remove([at('a')], removable)).pages, 1);
      assert.deepEqual(await changesOf(shelves[0]!), ['2 +/b', '3 +/c', '4 -/a']);
      assert.equal((await store.stored.removeOfHost('a.test', removable, '', 10)).pages, 2);
      assert.deepEqual(await changesOf(shelves[0]!), ['4 -/a', '5 -/b', '6 -/c']);
      assert.deepEqual(await changesOf(shelves[1]!), ['1 +/a', '2 +/b', '3 +/c']);
    });

    test('a deleted collection is gone at once, with all it keeps after the next sweep', async (t) => {
      const store = await open(t);
      const { collection } = await addCollection(store);
      const shelf = await begin(store, collection);
      await store.collections.savePages(shelf.by, [await read(store, collection.teamId, 'a', 'one')]);
      const [member] = await store.collections.members(collection.id, { after: '', limit: 10 });
      assert.deepEqual(await store.collections.remove(collection.teamId, 'docs', START), { runId: shelf.run });
      assert.equal(await store.collections.find(collection.teamId, 'docs', START), undefined);
      assert.equal(await store.collections.savePages(shelf.by, []), undefined);
      await store.pages.sweep(START + DAY);
      assert.equal(await store.scrapes.find(member!.scrapeId!, collection.teamId, START), undefined);
      assert.equal((await addCollection(store)).collection.lastChange, 0);
    });
  });
}

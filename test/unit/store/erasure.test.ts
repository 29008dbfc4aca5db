// What is deleted is gone: after every kind of deletion, neither texts nor stored bytes are left in any file.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { SHARED } from '../../../src/page/page-owner.ts';
import type { Store } from '../../../src/store/ports/store.ts';
import {
  claimOne,
  completePage,
  failure,
  finish,
  sampleTask,
  startJob,
  webhookFor,
} from '../../conformance/job-samples.ts';
import {
  DAY,
  HOUR,
  noise,
  pageToStore,
  START,
  sampleCharge,
  samplePage,
  sampleResult,
  sampleScrape,
} from '../../conformance/samples.ts';
import { filesOf, findInFolder, piecesOf } from '../../support/found-bytes.ts';
import { openTemporaryStore, queryDatabase } from './temporary-folder.ts';

const SECRET = 'whale-4711';
const LATER = START + 100 * DAY;
const withNoise = (length: number) => `${SHORT}${Buffer.from(noise(length)).toString('base64')}`;
/** Stored in a row, in a row of several database pages, and in a file of its own: noise does not get smaller. */
const SHORT = `The text of ${SECRET}. `.repeat(40);
const MEDIUM = withNoise(40_000);
const LONG = withNoise(150_000);

interface Deletion {
  /** Stores something with the secret in it. */
  store(store: Store, teamId: string): Promise<void>;
  delete(store: Store, teamId: string): Promise<unknown>;
}

const page = (text: string, expiresAt: number | null = null) =>
  pageToStore('key', `http://site.test/${SECRET}`, samplePage(text), expiresAt, sampleResult(text));
/** Twice: results of a page that has just gone stay for a moment, since a scrape may be about to refer to them. */
const sweepLater = async (store: Store) => {
  await store.pages.sweep(LATER);
  await store.pages.sweep(LATER + DAY);
};

async function runZeroRetentionJob(store: Store): Promise<string> {
  const running = await startJob(store, {
    kind: 'crawl',
    url: `http://site.test/${SECRET}`,
    options: { scrapeOptions: { headers: { cookie: SECRET }, actions: [{ type: 'write', text: SECRET }] } },
    webhook: { ...webhookFor('page'), headers: { authorization: SECRET }, metadata: { note: SECRET } },
    zeroDataRetention: true,
    tasks: ['/short', '/long', '/failed', '/left'].map((path) => sampleTask(`${path}-${SECRET}`)),
  });
  const metadata = { title: `Title of ${SECRET}`, url: `http://site.test/${SECRET}` };
  await completePage(running, `/short-${SECRET}`, { text: SHORT, metadata, ownContent: `{"a":"${SECRET}"}` });
  await completePage(running, `/long-${SECRET}`, { text: LONG, metadata, warning: SECRET });
  await finish(running, await claimOne(running), failure(`Nothing at ${SECRET}`));
  await completePage(running, `/left-${SECRET}`, { text: 'short', links: [] });
  return running.id;
}

async function lookAt(store: Store, teamId: string, text: string, at: number): Promise<void> {
  const look = { key: 'history', url: 'http://site.test/', at, version: Buffer.from(text) };
  const record = { id: `scrape-${at}`, look };
  await store.scrapes.add(sampleCharge(teamId), sampleScrape(teamId, { result: sampleResult(text) }, record));
}

const DELETIONS: Record<string, Deletion> = {
  'a crawl with zero data retention that has expired': {
    store: async (store) => void (await runZeroRetentionJob(store)),
    delete: (store) => store.pages.sweep(START + 2 * HOUR),
  },
  'a scrape that has expired': {
    store: (store, teamId) =>
      store.scrapes.add(
        sampleCharge(teamId),
        sampleScrape(teamId, { result: sampleResult(SHORT) }, { url: `http://site.test/${SECRET}`, warning: SECRET }),
      ),
    delete: sweepLater,
  },
  'a scrape with a result of several database pages': {
    store: (store, teamId) =>
      store.scrapes.add(
        sampleCharge(teamId),
        sampleScrape(teamId, { result: sampleResult(MEDIUM) }, { warning: SECRET }),
      ),
    delete: sweepLater,
  },
  'a scrape with a large result that has expired': {
    store: (store, teamId) =>
      store.scrapes.add(sampleCharge(teamId), sampleScrape(teamId, { result: sampleResult(LONG) })),
    delete: sweepLater,
  },
  'a page of the cache that has expired': {
    store: async (store) => void (await store.pages.save(page(SHORT, START + HOUR))),
    delete: sweepLater,
  },
  'a page that was deleted': {
    store: async (store) => void (await store.pages.save(page(LONG))),
    async delete(store) {
      await store.pages.delete(`http://site.test/${SECRET}`, SHARED);
      // Its place in the feed goes once the index knows.
      await store.pages.sweep(START);
    },
  },
  'a profile that was removed': {
    store: (store, teamId) => store.profiles.write(teamId, SECRET, SHORT, START),
    async delete(store, teamId) {
      await store.profiles.remove(teamId, SECRET);
      await store.pages.sweep(START);
    },
  },
  'the versions of a tracked page that was deleted': {
    async store(store, teamId) {
      await lookAt(store, teamId, LONG, START);
      await lookAt(store, teamId, SHORT, START + 1);
    },
    async delete(store, teamId) {
      await store.stored.remove(['http://site.test/'], { owners: [], teamId, now: START });
      await sweepLater(store);
    },
  },
  'a version of a tracked page after many others': {
    store: (store, teamId) => lookAt(store, teamId, LONG, START),
    async delete(store, teamId) {
      for (let at = 1; at <= 20; at++) await lookAt(store, teamId, `another text ${at}`, START + at);
      await sweepLater(store);
    },
  },
  'a file that has expired': {
    store: (store) =>
      store.files.add({
        id: 'file',
        bytes: Buffer.from(SHORT),
        type: SECRET,
        createdAt: START,
        expiresAt: START + HOUR,
      }),
    delete: sweepLater,
  },
  'an upload that was parsed': {
    async store(store, teamId) {
      const times = { createdAt: START, openUntil: START + HOUR, expiresAt: START + HOUR };
      await store.uploads.add({ id: 'upload', teamId, name: `${SECRET}.txt`, type: 'text/plain', ...times }, 10);
      await store.uploads.receive('upload', [Buffer.from(SHORT)] as never);
    },
    async delete(store) {
      await store.uploads.remove('upload');
      await store.pages.sweep(START);
    },
  },
};

describe('nothing is left of', () => {
  for (const [what, deletion] of Object.entries(DELETIONS)) {
    test(what, async (t) => {
      const { store, dataDir } = await openTemporaryStore(t);
      const { id: teamId } = await store.teams.ensureTeam('default', START);
      const before = new Set(piecesIn(dataDir));
      await deletion.store(store, teamId);
      const stored = piecesIn(dataDir).filter((piece) => !before.has(piece));
      assert.ok(findInFolder(dataDir, [SECRET]).length > 0, 'it was there before');
      await deletion.delete(store, teamId);
      assert.deepEqual(findInFolder(dataDir, [SECRET]), []);
      assert.deepEqual(leftOf(stored, dataDir), [], 'bytes of a stored body');
    });
  }

  test('what a cancelled job with zero data retention has read', async (t) => {
    const { store, dataDir } = await openTemporaryStore(t);
    const { id: teamId } = await store.teams.ensureTeam('default', START);
    const id = await runZeroRetentionJob(store);
    await store.jobs.cancel(id, teamId, START);
    assert.deepEqual(findInFolder(dataDir, [SECRET]), []);
  });
});

test('while another process reads, the log stays, and a later sweep empties it', async (t) => {
  const { store, dataDir } = await openTemporaryStore(t);
  await store.pages.save(page(SHORT, START + HOUR));
  const reader = new DatabaseSync(join(dataDir, 'store.db'), { readOnly: true });
  reader.exec('BEGIN; SELECT count(*) FROM pages');
  await sweepLater(store);
  assert.notDeepEqual(findInFolder(dataDir, [SECRET]), []);
  reader.close();
  await store.pages.sweep(LATER);
  assert.deepEqual(findInFolder(dataDir, [SECRET]), []);
});

test('what callers send along is never in clear, from the first moment on', async (t) => {
  const { store, dataDir } = await openTemporaryStore(t);
  const { id: teamId } = await store.teams.ensureTeam('default', START);
  const request = { headers: { cookie: SECRET }, actions: [{ text: SECRET }], [SECRET]: { any: [{ field: SECRET }] } };
  await startJob(store, {
    options: request,
    webhook: { ...webhookFor(), ...{ headers: { a: SECRET }, url: `http://h.test/${SECRET}` } },
  });
  await store.scrapes.add(
    sampleCharge(teamId),
    sampleScrape(teamId, { result: sampleResult('text') }, { options: request }),
  );
  assert.deepEqual(findInFolder(dataDir, [SECRET]), []);
  const [due] = await store.deliveries.due(START, 1);
  assert.deepEqual([due?.headers.a, due?.url], [SECRET, `http://h.test/${SECRET}`]);
  assert.deepEqual((await store.scrapes.find('scrape-1', teamId, START))?.options, request);
  await store.close();
  assert.deepEqual(findInFolder(dataDir, [SECRET]), []);
});

/** Pieces of all bodies that are stored now, compressed or encrypted as they are. */
function piecesIn(dataDir: string): string[] {
  const files = filesOf(dataDir).filter(([name]) => /^[0-9a-f]{32}$/.test(name));
  const rows = queryDatabase(dataDir, 'SELECT bytes FROM bodies WHERE bytes IS NOT NULL') as Uint8Array[];
  return [...files.map(([, bytes]) => bytes), ...rows].flatMap(piecesOf).map((piece) => piece.toString('latin1'));
}

const leftOf = (pieces: readonly string[], dataDir: string): string[] =>
  findInFolder(
    dataDir,
    pieces.map((piece) => Buffer.from(piece, 'latin1')),
  );

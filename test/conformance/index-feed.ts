// Every IndexFeed adapter passes these tests: one entry per address, numbered by change, in the page's transaction.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Fetched } from '../../src/page/page.ts';
import { SHARED } from '../../src/page/page-owner.ts';
import type { Store } from '../../src/store/ports/store.ts';
import { DAY, DESKTOP, HOUR, type OpenStore, pageToStore, START, samplePage, sampleResult } from './samples.ts';

const A = 'http://site.test/a';
const B = 'http://site.test/b';

const entryOf = (text: string) => new TextEncoder().encode(JSON.stringify({ text }));

async function savePage(
  { pages }: Store,
  url: string,
  text: string,
  at = START,
  { rank = 0, ...more }: Partial<Fetched> & { rank?: number } = {},
) {
  const fetched = { ...samplePage(text, at), finalUrl: url, ...more };
  const entry = fetched.status < 400 ? entryOf(text) : undefined;
  const page = { owner: SHARED, key: `${url} ${rank}`, url, variant: DESKTOP, rank, fetched, expiresAt: null, entry };
  await pages.save({ page, result: sampleResult(text, at) });
}

async function changesAfter({ feed }: Store, change = 0, limit = 100) {
  const changes = await feed.after(change, limit);
  return changes.map(({ url, entry }) => [url, entry && JSON.parse(new TextDecoder().decode(entry)).text]);
}

export function testIndexFeed(adapter: string, open: OpenStore): void {
  describe(`IndexFeed on ${adapter}`, () => {
    test('pages saved with an entry become changes, in the order of writing', async (t) => {
      const store = await open(t);
      await savePage(store, A, 'one');
      await savePage(store, B, 'two');
      assert.deepEqual(await changesAfter(store), [
        [A, 'one'],
        [B, 'two'],
      ]);
      const [first] = await store.feed.after(0, 1);
      assert.deepEqual(await changesAfter(store, first!.change), [[B, 'two']]);
      assert.equal(first!.firstSeenAt, START);
    });

    test('a page that is fetched again moves to the end and keeps the time at which it was first seen', async (t) => {
      const store = await open(t);
      await savePage(store, A, 'one');
      await savePage(store, B, 'two');
      await savePage(store, A, 'one again', START + HOUR);
      assert.deepEqual(await changesAfter(store), [
        [B, 'two'],
        [A, 'one again'],
      ]);
      const last = (await store.feed.after(0, 10)).at(-1)!;
      assert.equal(last.firstSeenAt, START);
    });

    test('an unverified page never replaces or removes a verified one, however old that is', async (t) => {
      const store = await open(t);
      const changes = async () => (await store.feed.after(0, 10)).map(({ url, isVerified }) => [url, isVerified]);
      await savePage(store, A, 'unverified', START);
      assert.deepEqual(await changes(), [[A, false]]);
      await savePage(store, A, 'verified', START + 1, { isVerified: true, rank: 3 });
      assert.deepEqual([await changesAfter(store), await changes()], [[[A, 'verified']], [[A, true]]]);
      await savePage(store, A, 'unverified again', START + 90 * DAY);
      await savePage(store, A, 'unverified and gone', START + 90 * DAY, { status: 404 });
      assert.deepEqual([await changesAfter(store), await changes()], [[[A, 'verified']], [[A, true]]]);
      await savePage(store, A, 'gone', START + 91 * DAY, { status: 404, isVerified: true });
      assert.deepEqual(await changesAfter(store), [[A, null]]);
    });

    test('a page without an entry causes no change', async (t) => {
      const store = await open(t);
      await store.pages.save(pageToStore('key', A, samplePage('text'), null, sampleResult('text')));
      assert.deepEqual(await changesAfter(store), []);
    });

    test('a deleted page is listed for removal until the index has acknowledged it', async (t) => {
      const store = await open(t);
      await savePage(store, A, 'one');
      await store.pages.delete(A, SHARED);
      assert.deepEqual(await changesAfter(store), [[A, null]]);
      const { newest } = await store.feed.state();
      await store.feed.acknowledge(newest);
      assert.deepEqual(await changesAfter(store), []);
      const state = await store.feed.state();
      assert.deepEqual([state.newest, state.acknowledged], [newest, newest]);
    });

    test('a page behind a redirect is also deleted by the requested address', async (t) => {
      const store = await open(t);
      const fetched = { ...samplePage('text'), finalUrl: B };
      const page = { owner: SHARED, key: 'key', url: A, variant: DESKTOP, rank: 0, fetched, expiresAt: null };
      await store.pages.save({ page: { ...page, entry: entryOf('text') }, result: sampleResult('text') });
      assert.deepEqual(await changesAfter(store), [[B, 'text']]);
      await store.pages.delete(A, SHARED);
      assert.deepEqual(await changesAfter(store), [[B, null]]);
    });

    test('a page that its site reports as gone is listed for removal', async (t) => {
      const store = await open(t);
      await savePage(store, A, 'one');
      await savePage(store, A, 'nothing here', START + HOUR, { status: 410 });
      assert.deepEqual(await changesAfter(store), [[A, null]]);
    });

    test('a page that fails temporarily stays', async (t) => {
      const store = await open(t);
      await savePage(store, A, 'one');
      await savePage(store, A, 'later', START + HOUR, { status: 503 });
      assert.deepEqual(await changesAfter(store), [[A, 'one']]);
    });

    test('a worse variant stands for a page only while there is no fresh better one', async (t) => {
      const store = await open(t);
      const shown = async () => (await changesAfter(store)).map(([, text]) => text);
      await savePage(store, A, 'phone', START, { rank: 2 });
      assert.deepEqual(await shown(), ['phone']);
      await savePage(store, A, 'another country', START + HOUR, { rank: 1 });
      assert.deepEqual(await shown(), ['another country'], 'a better variant replaces a worse one at once');
      await savePage(store, A, 'desktop', START + 2 * HOUR);
      await savePage(store, A, 'phone again', START + DAY, { rank: 2 });
      await savePage(store, A, 'no phones', START + DAY, { rank: 2, status: 404 });
      assert.deepEqual(await shown(), ['desktop']);
      await savePage(store, A, 'phone later', START + 3 * DAY, { rank: 2 });
      assert.deepEqual(await shown(), ['phone later'], 'the better one has become old');
      await savePage(store, A, 'phone now', START + 3 * DAY + HOUR, { rank: 2 });
      assert.deepEqual(await shown(), ['phone now'], 'the newest of equals');
    });

    test('a worse variant stands for a page whose better one is gone', async (t) => {
      const store = await open(t);
      await savePage(store, A, 'desktop');
      await savePage(store, A, 'gone', START + HOUR, { status: 410 });
      await savePage(store, A, 'phone', START + 2 * HOUR, { rank: 2 });
      assert.deepEqual(await changesAfter(store), [[A, 'phone']]);
    });

    test('evicting a cached page leaves its entry', async (t) => {
      const store = await open(t, { cacheMaxBytes: 1 });
      await savePage(store, A, 'one');
      await store.pages.sweep(START + HOUR);
      assert.deepEqual(await changesAfter(store), [[A, 'one']]);
    });

    test('change numbers are never reused', async (t) => {
      const store = await open(t);
      await savePage(store, A, 'one');
      await store.pages.delete(A, SHARED);
      const { newest } = await store.feed.state();
      await store.feed.acknowledge(newest);
      await savePage(store, B, 'two');
      const [change] = await store.feed.after(0, 1);
      assert.ok(change!.change > newest);
    });
  });
}

// Several processes write, read and remove the same pages.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SHARED } from '../../../../../src/page/page-owner.ts';
import { uuidv7 } from '../../../../../src/util/ids.ts';
import { hasPostgres } from '../../../../conformance/open-postgres.ts';
import {
  creditsSince,
  DAY,
  MINUTE,
  markdownOf,
  noise,
  pageToStore,
  queryFor,
  START,
  sampleCharge,
  samplePage,
  sampleResult,
  sampleScrape,
  VIEWER,
} from '../../../../conformance/samples.ts';
import { findablePage, holdTransaction, openProcesses, somebodyWaits } from './several-processes.ts';

const URL_A = 'http://site.test/a';
const LARGE = 200_000;
const LATER = START + 30 * MINUTE;

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);

describe('pages of several processes', { skip: !hasPostgres && 'It runs with npm run test:cluster' }, () => {
  test('the same page saved by several at once is one page with a few copies, counted right', async (t) => {
    const { a, b } = await openProcesses(t);
    await Promise.all(numbers(12).map((n) => [a, b][n % 2]!.pages.save(findablePage(URL_A, `text ${n}`))));
    await a.pages.save(findablePage(URL_A, 'the last text'));
    assert.equal((await b.feed.after(0, 100)).length, 1);
    const page = await b.stored.find(URL_A, VIEWER, 'team');
    assert.ok(page && page.copies >= 3 && page.copies <= 4, `${page?.copies} copies`);
    const { hosts } = await b.stored.hosts({ viewer: VIEWER, seesAll: false, order: 'name', limit: 10 });
    assert.deepEqual(
      hosts.map(({ host, pages, bytes }) => [host, pages, bytes]),
      [['site.test', 1, page.bytes]],
    );
  });

  test('a result that is being retained is not removed, and can be read afterwards', async (t) => {
    const { a, b, base, database, rows, teamId } = await openProcesses(t);
    const resultId = Number(await a.pages.save({ result: sampleResult('kept') }));
    const scrape = { id: 'held', teamId, url: URL_A, metadata: {}, resultId, createdAt: START };
    const of = { options: base.sealed.seal({}, teamId), expiresAt: START + DAY };
    const held = await holdTransaction(database, async (tx) =>
      assert.equal(await rows.scrapes.addRow(tx, { ...scrape, of }), true),
    );
    await b.pages.sweep(LATER);
    await held.commit();
    await b.pages.sweep(LATER);
    assert.equal(markdownOf((await b.scrapes.find('held', teamId, START))?.outcome), 'kept');
    await b.pages.sweep(START + 2 * DAY);
    const left = await database.sql`SELECT 1 FROM results`;
    assert.equal(left.length, 0, 'with its last scrape, the result is removed');
  });

  test('a result that was removed first is not retained', async (t) => {
    const { a, b, base, database, rows, teamId } = await openProcesses(t);
    const resultId = Number(await a.pages.save({ result: sampleResult('gone') }));
    await b.pages.sweep(LATER);
    const of = { options: base.sealed.seal({}, teamId), expiresAt: START + DAY };
    const scrape = { id: 'late', teamId, url: URL_A, metadata: {}, resultId, createdAt: START, of };
    const held = await holdTransaction(database, async (tx) =>
      assert.equal(await rows.scrapes.addRow(tx, scrape), false),
    );
    await held.commit();
  });

  test('pages are scraped, deleted and swept by all at once, and no scrape loses its result', async (t) => {
    const { a, b, database, teamId } = await openProcesses(t);
    const scrapes = numbers(40).map(async (n) => {
      const store = [a, b][n % 2]!;
      const resultId = await store.pages.save(pageToStore('key', URL_A, samplePage('x'), null, sampleResult(`${n}`)));
      const record = sampleScrape(teamId, { resultId }, { id: `scrape ${n}` });
      await store.scrapes.add(sampleCharge(teamId), record);
    });
    const removals = numbers(10).map(async (n) => {
      await [a, b][n % 2]!.pages.delete(URL_A, SHARED);
      await [b, a][n % 2]!.pages.sweep(LATER);
    });
    await Promise.all([...scrapes, ...removals]);
    for (const { id } of await database.sql<{ id: string }[]>`SELECT id FROM scrapes`) {
      assert.equal(markdownOf((await b.scrapes.find(id, teamId, START))?.outcome), id.replace('scrape ', ''));
    }
  });

  test('a transaction that fails leaves no large body behind', async (t) => {
    const { a, database } = await openProcesses(t);
    const page = { ...samplePage('x'), bytes: noise(LARGE) };
    const toStore = pageToStore('key', URL_A, page, null, sampleResult('x'));
    await assert.rejects(a.scrapes.add(sampleCharge('nobody'), sampleScrape('nobody', toStore)));
    assert.equal((await database.sql`SELECT 1 FROM blobs`).length, 0);
    assert.equal((await database.sql`SELECT 1 FROM pages`).length, 0);
  });

  test('the limit of the cache holds for what all of them write, within a few pages', async (t) => {
    const maxBytes = 2_000_000;
    const { a, b } = await openProcesses(t, { cacheMaxBytes: maxBytes });
    for (const n of numbers(80)) {
      const page = { ...samplePage('x'), bytes: noise(50_000, n + 1) };
      const url = `http://site.test/${n}`;
      await [a, b][n % 2]!.pages.save(pageToStore(url, url, page, null, sampleResult('x', START + n)));
    }
    await b.pages.sweep(START);
    const { cacheBytes } = await a.backlog.read();
    assert.ok(cacheBytes <= maxBytes, `${cacheBytes} bytes`);
    assert.ok(cacheBytes > maxBytes - 400_000, `${cacheBytes} bytes: no more is evicted than necessary`);
    assert.ok(await a.pages.find(queryFor('http://site.test/79')), 'the newest page stays');
    assert.equal(await a.pages.find(queryFor('http://site.test/0')), undefined, 'the oldest one made room');
  });

  test('two looks at a page at the same time find one new version', async (t) => {
    const { a, b, teamId } = await openProcesses(t);
    const look = { key: 'history', url: URL_A, at: START, version: noise(LARGE) };
    await Promise.all(
      numbers(6).map((n) => {
        const record = sampleScrape(teamId, { result: sampleResult('x') }, { id: `scrape ${n}`, look });
        return [a, b][n % 2]!.scrapes.add(sampleCharge(teamId), record);
      }),
    );
    const [history, ...others] = await b.history.histories(teamId, URL_A);
    assert.equal(others.length, 0);
    assert.deepEqual(
      history?.versions.map(({ status }) => status),
      ['new'],
    );
    assert.deepEqual((await a.history.find('history'))?.version, noise(LARGE));
    const { hosts } = await b.stored.hosts({ viewer: [teamId] as never, seesAll: true, order: 'name', limit: 10 });
    assert.deepEqual(
      hosts.map(({ tracked }) => tracked),
      [1],
    );
  });

  test('a look at a page whose history is removed at the same moment begins a new one', async (t) => {
    const { a, b, rows, database, teamId } = await openProcesses(t);
    const look = (text: string) => ({
      ...{ key: 'the history', url: URL_A, at: START, version: new TextEncoder().encode(text) },
    });
    const see = (id: string, text: string) =>
      a.scrapes.add(
        sampleCharge(teamId),
        sampleScrape(teamId, { result: sampleResult(text) }, { id, look: look(text) }),
      );
    await see('one', 'first text');
    const removal = await holdTransaction(database, (tx) => rows.history.removeUrl(tx, teamId, URL_A));
    const seen = see('two', 'second text');
    await somebodyWaits(database);
    await removal.commit();
    await seen;
    const [history] = await b.history.histories(teamId, URL_A);
    assert.deepEqual(
      history?.versions.map(({ status }) => status),
      ['new'],
    );
  });

  test('a scrape that may have been stored before the connection was lost is charged once', async (t) => {
    const { a, b, teamId } = await openProcesses(t);
    const id = uuidv7(START);
    const charge = sampleCharge(teamId, { credits: 5, once: id, request: { id, isRatable: true } });
    await a.scrapes.add(charge, sampleScrape(teamId, { result: sampleResult('text') }, { id }));
    await b.ledger.add(charge);
    assert.equal(await creditsSince(a, teamId, START - DAY), 5);
  });
});

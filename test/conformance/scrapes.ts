// Every ScrapeStore adapter passes these tests.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SHARED } from '../../src/page/page-owner.ts';
import type { Store } from '../../src/store/ports/store.ts';
import {
  creditsSince,
  DAY,
  markdownOf,
  type OpenStore,
  pageToStore,
  queryFor,
  START,
  sampleCharge,
  sampleOutcome,
  samplePage,
  sampleResult,
  sampleScrape,
} from './samples.ts';

const URL = 'http://site.test/';

const prepare = async ({ teams, pages }: Store) => ({
  teamId: (await teams.ensureTeam('default', START)).id,
  resultId: await pages.save({ result: sampleResult('text') }),
});

export function testScrapeStore(adapter: string, open: OpenStore): void {
  describe(`ScrapeStore on ${adapter}`, () => {
    test('a scrape is read back as it was stored', async (t) => {
      const store = await open(t);
      const { teamId, resultId } = await prepare(store);
      const { toStore, ...kept } = sampleScrape(teamId, { resultId });
      await store.scrapes.add(sampleCharge(teamId), { ...kept, toStore });
      await store.scrapes.add(sampleCharge(teamId), { ...kept, toStore, id: 'warned', warning: 'Cut off.' });
      const outcome = sampleOutcome('text');
      assert.deepEqual(await store.scrapes.find('scrape-1', teamId, START), { ...kept, outcome });
      assert.deepEqual(await store.scrapes.find('warned', teamId, START), {
        ...kept,
        id: 'warned',
        warning: 'Cut off.',
        outcome,
      });
    });

    test('a scrape stores its page and result in the same step', async (t) => {
      const store = await open(t);
      const { teamId } = await prepare(store);
      const toStore = pageToStore('key', URL, samplePage('<p>'), null, sampleResult('of the page'));
      await store.scrapes.add(sampleCharge(teamId), sampleScrape(teamId, toStore));
      const found = await store.scrapes.find('scrape-1', teamId, START);
      assert.equal(markdownOf(found?.outcome), 'of the page');
      assert.ok(await store.pages.find(queryFor('key')));
      const again = pageToStore('another key', URL, samplePage('<p>'), null, sampleResult('again'));
      await assert.rejects(store.scrapes.add(sampleCharge(teamId), sampleScrape(teamId, again)));
      assert.equal(await store.pages.find(queryFor('another key')), undefined, 'a refused scrape stores nothing');
    });

    test("another team's scrape is not found, like one that never existed", async (t) => {
      const store = await open(t);
      const { teamId, resultId } = await prepare(store);
      const stranger = await store.teams.ensureTeam('stranger', START);
      await store.scrapes.add(sampleCharge(teamId), sampleScrape(teamId, { resultId }));
      assert.equal(await store.scrapes.find('scrape-1', stranger.id, START), undefined);
      assert.equal(await store.scrapes.find('no such scrape', teamId, START), undefined);
    });

    test('a scrape is gone from the moment it expires, swept or not', async (t) => {
      const store = await open(t);
      const { teamId, resultId } = await prepare(store);
      await store.scrapes.add(sampleCharge(teamId), sampleScrape(teamId, { resultId }));
      assert.ok(await store.scrapes.find('scrape-1', teamId, START + DAY - 1));
      assert.equal(await store.scrapes.find('scrape-1', teamId, START + DAY), undefined);
      await store.pages.sweep(START + DAY);
      assert.equal(await store.scrapes.find('scrape-1', teamId, START), undefined);
    });

    test('a live scrape keeps its result when the page is deleted and swept', async (t) => {
      const store = await open(t);
      const { teamId } = await prepare(store);
      const resultId = await store.pages.save(
        pageToStore('key', URL, samplePage('<p>'), null, sampleResult('of the page')),
      );
      await store.scrapes.add(sampleCharge(teamId), sampleScrape(teamId, { resultId }));
      await store.pages.delete(URL, SHARED);
      await store.pages.sweep(START + DAY - 1);
      const found = await store.scrapes.find('scrape-1', teamId, START + DAY - 1);
      assert.equal(markdownOf(found?.outcome), 'of the page');
    });

    test('a result is stored as long as the longest-lived of its scrapes', async (t) => {
      const store = await open(t);
      const { teamId, resultId } = await prepare(store);
      const long = sampleScrape(teamId, { resultId }, { id: 'long', expiresAt: START + 2 * DAY });
      await store.scrapes.add(sampleCharge(teamId), long);
      await store.scrapes.add(sampleCharge(teamId), sampleScrape(teamId, { resultId }, { id: 'short' }));
      await store.pages.sweep(START + DAY + 1);
      assert.equal(await store.scrapes.find('short', teamId, START), undefined);
      assert.ok(await store.scrapes.find('long', teamId, START + DAY + 1));
    });

    test('an unreferenced result is swept, and a late scrape of it is charged but not stored', async (t) => {
      const store = await open(t);
      const { teamId, resultId } = await prepare(store);
      await store.pages.sweep(START + DAY);
      await store.scrapes.add(
        sampleCharge(teamId, { credits: 2, now: START + DAY }),
        sampleScrape(teamId, { resultId }),
      );
      assert.equal(await store.scrapes.find('scrape-1', teamId, START), undefined);
      assert.equal(await creditsSince(store, teamId, START), 2);
    });

    test('a scrape and its credits are stored together or not at all', async (t) => {
      const store = await open(t);
      const { teamId, resultId } = await prepare(store);
      const add = () => store.scrapes.add(sampleCharge(teamId, { credits: 3 }), sampleScrape(teamId, { resultId }));
      await add();
      await assert.rejects(add(), 'the id exists already');
      assert.equal(await creditsSince(store, teamId, START), 3);
    });

    test('the last success is the newest scrape that returned content, stored or not', async (t) => {
      const store = await open(t);
      const { teamId, resultId } = await prepare(store);
      const lastSuccess = () => store.scrapes.lastSuccessAt(teamId);
      assert.equal(await lastSuccess(), null);
      await store.ledger.add(sampleCharge(teamId));
      assert.equal(await lastSuccess(), null);
      await store.scrapes.add(sampleCharge(teamId, { now: START + 1 }), sampleScrape(teamId, { resultId }));
      assert.equal(await lastSuccess(), START + 1);
      await store.ledger.add(sampleCharge(teamId, { credits: 0, succeeded: true, now: START + 2 }));
      assert.equal(await lastSuccess(), START + 2);
      await store.pages.sweep(START + 2 * DAY);
      assert.equal(await lastSuccess(), START + 2);
      assert.equal(await store.scrapes.lastSuccessAt('nobody'), null);
    });
  });
}

// Every Ledger adapter passes these tests.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Store } from '../../src/store/ports/store.ts';
import type { ActivityQuery, Charge } from '../../src/store/ports/teams/ledger.ts';
import { claimOne, completePage, donePage, failure, finish, sampleTask, startJob } from './job-samples.ts';
import { creditsSince, DAY, HOUR, type OpenStore, START, sampleCharge, sampleResult, sampleScrape } from './samples.ts';

const teamOf = async ({ teams }: Store, name = 'default') => (await teams.ensureTeam(name, START)).id;

const usage = (store: Store, teamId: string, binMs = HOUR) =>
  store.ledger.usage(teamId, { from: START - 1000 * DAY, until: START + 1000 * DAY, binMs });

const activity = (store: Store, teamId: string, query: Partial<ActivityQuery> = {}) =>
  store.ledger.activity(teamId, { since: START, limit: 100, ...query });

const listed = (teamId: string, id: string, more: Partial<Charge> = {}) =>
  sampleCharge(teamId, { request: { id, target: `http://site.test/${id}`, isRatable: true }, ...more });

export function testLedger(adapter: string, open: OpenStore): void {
  describe(`Ledger on ${adapter}: usage`, () => {
    test('credits are counted per team, from the requested hour on', async (t) => {
      const store = await open(t);
      const [team, other] = [await teamOf(store), await teamOf(store, 'other')];
      const add = (teamId: string, credits: number, now: number) =>
        store.ledger.add(sampleCharge(teamId, { credits, now }));
      await add(team, 1, START - 1);
      await add(team, 5, START);
      await add(team, 2, START + 1);
      await add(team, 1, START + HOUR);
      await add(other, 100, START);
      assert.equal(await creditsSince(store, team, 0), 9);
      assert.equal(await creditsSince(store, team, START), 8);
      assert.equal(await creditsSince(store, team, START + HOUR), 1);
      assert.equal(await creditsSince(store, team, START + 2 * HOUR), 0);
      assert.equal(await creditsSince(store, 'nobody', 0), 0);
    });

    test('bins are in order of time and key, and hold credits and tokens of all operations', async (t) => {
      const store = await open(t);
      const team = await teamOf(store);
      const add = (more: Partial<Charge>) => store.ledger.add(sampleCharge(team, more));
      await add({ key: 'fc-b', now: START + DAY });
      await add({ key: 'fc-b', credits: 2, tokens: 30 });
      await add({ key: 'fc-b', operation: 'search', credits: 4, now: START + HOUR });
      await add({ key: 'fc-a', credits: 0, tokens: 7 });
      await add({ credits: 8 });
      const day = Math.floor(START / DAY) * DAY;
      assert.deepEqual(await usage(store, team, DAY), [
        { start: day, key: null, credits: 8, tokens: 0 },
        { start: day, key: 'fc-a', credits: 0, tokens: 7 },
        { start: day, key: 'fc-b', credits: 6, tokens: 30 },
        { start: day + DAY, key: 'fc-b', credits: 1, tokens: 0 },
      ]);
      const [only] = await store.ledger.usage(team, { from: START + HOUR + 1, until: START + 2 * HOUR, binMs: HOUR });
      assert.deepEqual(only, { start: START + HOUR, key: 'fc-b', credits: 4, tokens: 0 });
      const range = { from: START - DAY, until: START + 2 * DAY, binMs: DAY };
      const { operation } = sampleCharge(team);
      assert.deepEqual(await store.ledger.usageByOperation(team, range), [
        { start: day, operation, credits: 10, tokens: 37 },
        { start: day, operation: 'search', credits: 4, tokens: 0 },
        { start: day + DAY, operation, credits: 1, tokens: 0 },
      ]);
    });

    test('a charge for an unknown team is refused', async (t) => {
      const { ledger } = await open(t);
      await assert.rejects(ledger.add(sampleCharge('nobody')));
    });

    test('pages of a job are billed once each, to the key that started it', async (t) => {
      const store = await open(t);
      const running = await startJob(store, {
        key: 'fc-job',
        tasks: ['/', '/a', '/b'].map((path) => sampleTask(path)),
      });
      await completePage(running, '/', { credits: 5 });
      const task = await claimOne(running);
      await finish(running, task, failure('gone', 2));
      await finish(running, task, failure('gone', 2));
      const last = await claimOne(running);
      await finish(running, last, { state: 'retry', at: START });
      await finish(running, last, donePage(last));
      const again = await claimOne(running);
      await finish(running, again, donePage(again));
      assert.deepEqual(await usage(store, running.teamId), [{ start: START, key: 'fc-job', credits: 8, tokens: 0 }]);
    });

    test('a run pays for the pages of its jobs, which are not among the requests of the team', async (t) => {
      const store = await open(t);
      const running = await startJob(store, { runId: 'run 1', maxUnfinished: 1 });
      const { teamId, id } = running;
      await completePage(running, '/');
      assert.equal(await creditsSince(store, teamId, 0), 0);
      assert.equal((await store.jobs.view(id, teamId, START))!.credits, 1, 'the run can see what they cost');
      assert.deepEqual(await activity(store, teamId), []);
    });

    test('a scrape that cannot be stored is not billed', async (t) => {
      const store = await open(t);
      const team = await teamOf(store);
      const resultId = await store.pages.save({ result: sampleResult('text') });
      await store.scrapes.add(listed(team, 'a'), sampleScrape(team, { resultId }));
      await assert.rejects(store.scrapes.add(listed(team, 'b'), sampleScrape(team, { resultId })), 'the id exists');
      assert.equal(await creditsSince(store, team, START), 1);
      assert.deepEqual(
        (await activity(store, team)).map(({ id }) => id),
        ['a'],
      );
    });

    test('totals are kept for thirteen months', async (t) => {
      const store = await open(t);
      const team = await teamOf(store);
      await store.ledger.add(sampleCharge(team));
      await store.ledger.add(sampleCharge(team, { now: START + DAY }));
      await store.pages.sweep(START + 396 * DAY);
      assert.equal(await creditsSince(store, team, 0), 2);
      await store.pages.sweep(START + 13 * 31 * DAY);
      assert.equal(await creditsSince(store, team, 0), 1);
    });
  });

  describe(`Ledger on ${adapter}: activity`, () => {
    test('requests are listed newest first, with what was requested if that may be stored', async (t) => {
      const store = await open(t);
      const team = await teamOf(store);
      await store.ledger.add(listed(team, 'free', { credits: 0 }));
      await store.ledger.add(
        sampleCharge(team, { operation: 'search', now: START + 1, request: { id: 'private', isRatable: false } }),
      );
      await store.ledger.add(sampleCharge(team, { now: START + 2 }));
      const { id, teamId } = await startJob(store, { createdAt: START + 3, target: 'http://site.test/' });
      assert.equal(teamId, team);
      assert.deepEqual(await activity(store, team), [
        { id, operation: 'crawl', target: 'http://site.test/', at: START + 3 },
        { id: 'private', operation: 'search', target: null, at: START + 1 },
        { id: 'free', operation: 'scrape', target: 'http://site.test/free', at: START },
      ]);
      assert.deepEqual(await activity(store, await teamOf(store, 'other')), []);
    });

    test('a page of the list continues after an entry, also between requests of the same moment', async (t) => {
      const store = await open(t);
      const team = await teamOf(store);
      for (const id of ['b', 'a', 'd', 'c']) await store.ledger.add(listed(team, id));
      await store.ledger.add(listed(team, 'e', { operation: 'map', now: START + 1 }));
      const page = async (query: Partial<ActivityQuery>) =>
        (await activity(store, team, query)).map(({ id }) => id).join('');
      assert.equal(await page({}), 'edcba');
      assert.equal(await page({ limit: 2 }), 'ed');
      assert.equal(await page({ limit: 2, after: { at: START, id: 'd' } }), 'cb');
      assert.equal(await page({ after: { at: START, id: 'a' } }), '');
      assert.equal(await page({ operation: 'scrape' }), 'dcba');
      assert.equal(await page({ operation: 'scrape', after: { at: START, id: 'd' } }), 'cba');
      assert.equal(await page({ since: START + 1 }), 'e');
    });

    test('requests disappear from the list after 24 hours; what they cost stays', async (t) => {
      const store = await open(t);
      const team = await teamOf(store);
      await store.ledger.add(listed(team, 'a'));
      await store.pages.sweep(START + DAY - 1);
      assert.equal((await activity(store, team)).length, 1);
      await store.pages.sweep(START + DAY);
      assert.equal((await activity(store, team)).length, 0);
      assert.equal(await creditsSince(store, team, START), 1);
    });
  });
}

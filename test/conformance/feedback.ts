// Every FeedbackStore adapter passes these tests.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Store } from '../../src/store/ports/store.ts';
import type { NewFeedback } from '../../src/store/ports/teams/feedback-store.ts';
import { DAY, type OpenStore, START, sampleCharge, sampleResult, sampleScrape } from './samples.ts';

async function noteSearch({ teams, ledger }: Store, id = 'search-1') {
  const { id: teamId } = await teams.ensureTeam('default', START);
  const request = { id, target: 'a query', isRatable: true };
  await ledger.add(sampleCharge(teamId, { operation: 'search', credits: 2, request }));
  return teamId;
}

const rating = (teamId: string, more: Partial<NewFeedback> = {}): NewFeedback => ({
  id: 'feedback-1',
  teamId,
  endpoint: 'search',
  requestId: 'search-1',
  content: { rating: 'bad' },
  now: START,
  ...more,
});

export function testFeedbackStore(adapter: string, open: OpenStore): void {
  describe(`FeedbackStore on ${adapter}`, () => {
    test('a search is rated once; a second rating gets the id of the first', async (t) => {
      const store = await open(t);
      const teamId = await noteSearch(store);
      assert.deepEqual(await store.feedback.add(rating(teamId)), { id: 'feedback-1', isFirst: true });
      const second = await store.feedback.add(rating(teamId, { id: 'feedback-2' }));
      assert.deepEqual(second, { id: 'feedback-1', isFirst: false });
      await store.pages.sweep(START + 2 * DAY);
      const late = await store.feedback.add(rating(teamId, { id: 'feedback-3', now: START + 2 * DAY }));
      assert.deepEqual(late, { id: 'feedback-1', isFirst: false });
    });

    test('a request that is unknown, expired, or of another team or endpoint cannot be rated', async (t) => {
      const store = await open(t);
      const teamId = await noteSearch(store);
      const stranger = (await store.teams.ensureTeam('stranger', START)).id;
      for (const wrong of [
        { requestId: 'search-2' },
        { teamId: stranger },
        { endpoint: 'map' },
        { now: START + DAY },
      ]) {
        assert.equal(await store.feedback.add(rating(teamId, wrong as Partial<NewFeedback>)), undefined);
      }
      assert.ok(await store.feedback.add(rating(teamId)));
    });

    test('a request of which nothing may be stored cannot be rated', async (t) => {
      const store = await open(t);
      const teamId = await noteSearch(store);
      const request = { id: 'search-2', isRatable: false };
      await store.ledger.add(sampleCharge(teamId, { operation: 'search', request }));
      assert.equal(await store.feedback.add(rating(teamId, { requestId: 'search-2' })), undefined);
    });

    test('a stored scrape can be rated', async (t) => {
      const store = await open(t);
      const teamId = await noteSearch(store);
      const resultId = await store.pages.save({ result: sampleResult('text') });
      await store.scrapes.add(sampleCharge(teamId), sampleScrape(teamId, { resultId }));
      const ofScrape = rating(teamId, { endpoint: 'scrape', requestId: 'scrape-1' });
      assert.deepEqual(await store.feedback.add(ofScrape), { id: 'feedback-1', isFirst: true });
    });

    test('expired requests are swept away', async (t) => {
      const store = await open(t);
      const teamId = await noteSearch(store);
      await store.pages.sweep(START + DAY);
      assert.equal(await store.feedback.add(rating(teamId)), undefined);
    });
  });
}

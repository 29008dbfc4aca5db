// Every DeliveryStore adapter passes these tests.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Delivery, DeliveryStore } from '../../src/store/ports/deliveries/delivery-store.ts';
import {
  claimOne,
  completePage,
  documentsOf,
  failure,
  finish,
  type Running,
  sampleTask,
  startJob,
  webhookFor,
} from './job-samples.ts';
import { DAY, MINUTE, type OpenStore, START } from './samples.ts';

const SENDING = MINUTE;

const bodyOf = ({ body }: Delivery) => JSON.parse(new TextDecoder().decode(body));

/** Takes and delivers everything that is due, in order, and returns the bodies. */
async function deliverAll(deliveries: DeliveryStore, now: number = START) {
  const bodies: ReturnType<typeof bodyOf>[] = [];
  for (let due = await deliveries.due(now, 10); due.length > 0; due = await deliveries.due(now, 10)) {
    for (const delivery of due) {
      bodies.push(bodyOf(delivery));
      await deliveries.settle(delivery.id, 'delivered', { at: START });
    }
  }
  return bodies;
}

const typesOf = async (running: Running) =>
  (await deliverAll(running.store.deliveries)).map(({ type }) => type as string);

export function testDeliveryStore(adapter: string, open: OpenStore): void {
  describe(`DeliveryStore on ${adapter}: events`, () => {
    test('a job reports its start, each page in the order of completion, and its end', async (t) => {
      const running = await startJob(await open(t), { webhook: webhookFor() });
      const { store, id } = running;
      await completePage(running, '/', { links: [sampleTask('/a'), sampleTask('/b')] });
      await completePage(running, '/a', { warning: 'Cut.' });
      const task = await claimOne(running);
      await finish(running, task, { ...failure('Down.'), scrapeId: 'scrape b' } as never);
      const bodies = await deliverAll(store.deliveries);
      const ids = bodies.map(({ webhookId }) => webhookId as string);
      assert.equal(new Set(ids).size, 5);
      for (const webhookId of ids) assert.match(webhookId, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/);
      const event = (type: string, data: unknown[], error?: string) => ({
        success: error === undefined,
        type: `crawl.${type}`,
        id,
        data,
        metadata: { order: '17' },
        ...(error !== undefined && { error }),
      });
      const [first, second] = await documentsOf(running);
      const url = 'http://site.test/b';
      const failed = { metadata: { sourceURL: url, url, statusCode: 500, error: 'Down.', scrapeId: 'scrape b' } };
      assert.deepEqual(
        bodies.map(({ webhookId: _, ...body }) => body),
        [
          event('started', []),
          event('page', [first]),
          event('page', [second]),
          event('page', [failed], 'Down.'),
          event('completed', []),
        ],
      );
      assert.deepEqual(await store.deliveries.due(START + DAY, 10), []);
    });

    test('a delivery carries its target URL and headers', async (t) => {
      const { store, id } = await startJob(await open(t), { webhook: webhookFor() });
      const [delivery] = await store.deliveries.due(START, 10);
      const { id: _, body, webhookId, ...rest } = delivery!;
      assert.deepEqual(rest, {
        jobId: id,
        event: 'started',
        url: 'http://hooks.test/in',
        headers: { 'x-token': 'secret' },
        attempts: 0,
        queuedAt: START,
      });
      const text = `{"success":true,"type":"crawl.started","id":"${id}","webhookId":"${webhookId}","data":[],"metadata":{"order":"17"}}`;
      assert.equal(new TextDecoder().decode(body), text);
    });

    test('only the requested events are delivered, and none without a webhook', async (t) => {
      const store = await open(t);
      const picky = await startJob(store, { webhook: webhookFor('completed', 'failed') });
      await completePage(picky, '/');
      assert.deepEqual(await typesOf(picky), ['crawl.completed']);
      const silent = await startJob(store);
      await completePage(silent, '/');
      assert.deepEqual(await typesOf(silent), []);
    });

    test('a cancelled or failed job reports that, with the reason', async (t) => {
      const store = await open(t);
      const cancelled = await startJob(store, { kind: 'batch_scrape', webhook: webhookFor('cancelled') });
      await store.jobs.cancel(cancelled.id, cancelled.teamId, START);
      await store.jobs.cancel(cancelled.id, cancelled.teamId, START);
      const failed = await startJob(store, { webhook: webhookFor('failed') });
      await finish(failed, await claimOne(failed), { state: 'fatal', message: 'robots.txt forbids it.' });
      assert.deepEqual(
        (await deliverAll(store.deliveries)).map(({ type, success, error, data }) => [type, success, error, data]),
        [
          ['batch_scrape.cancelled', false, 'The job was cancelled.', []],
          ['crawl.failed', false, 'robots.txt forbids it.', []],
        ],
      );
    });

    test('a duplicate page is not reported', async (t) => {
      const running = await startJob(await open(t), {
        webhook: webhookFor('page'),
        tasks: [sampleTask('/a'), sampleTask('/b')],
      });
      await completePage(running, '/a', { text: 'same', group: 'g' });
      const { became } = await completePage(running, '/b', { text: 'same', group: 'g' });
      assert.equal(became, 'duplicate');
      assert.equal((await deliverAll(running.store.deliveries)).length, 1);
    });

    test('a job with nothing to do reports its start before its end', async (t) => {
      const forbidden = sampleTask('/', { refused: { by: 'robots' } });
      const running = await startJob(await open(t), { webhook: webhookFor(), tasks: [forbidden] });
      assert.deepEqual(await typesOf(running), ['crawl.started', 'crawl.completed']);
    });

    test('cancelling a zero-data-retention job removes its pending deliveries', async (t) => {
      const { store, id, teamId } = await startJob(await open(t), { webhook: webhookFor(), zeroDataRetention: true });
      await store.jobs.cancel(id, teamId, START);
      assert.deepEqual(await store.deliveries.due(START, 10), []);
      assert.equal(await store.deliveries.nextAt(), undefined);
    });
  });

  describe(`DeliveryStore on ${adapter}: order`, () => {
    test('only the oldest delivery of a job is due, and not again while it is being sent', async (t) => {
      const running = await startJob(await open(t), { webhook: webhookFor() });
      const { deliveries } = running.store;
      await completePage(running, '/');
      const [first, ...others] = await deliveries.due(START, 10);
      assert.deepEqual([bodyOf(first!).type, others], ['crawl.started', []]);
      assert.deepEqual(await deliveries.due(START + SENDING - 1, 10), []);
      const [again] = await deliveries.due(START + SENDING, 10);
      assert.deepEqual([again?.id, again?.webhookId, again?.attempts], [first?.id, first?.webhookId, 0]);
      await deliveries.settle(first!.id, 'delivered', { at: START });
      assert.equal(bodyOf((await deliveries.due(START + SENDING, 10))[0]!).type, 'crawl.page');
    });

    test('a postponed delivery is due again at that time, holds back the others of its job, and counts no attempt', async (t) => {
      const running = await startJob(await open(t), { webhook: webhookFor() });
      const { deliveries } = running.store;
      await completePage(running, '/');
      const [first] = await deliveries.due(START, 10);
      await deliveries.postpone(first!.id, START + 2_000);
      assert.equal(await deliveries.nextAt(), START + 2_000);
      assert.deepEqual(await deliveries.due(START + 1_999, 10), []);
      const [again] = await deliveries.due(START + 2_000, 10);
      assert.deepEqual([again?.id, again?.attempts, again?.queuedAt], [first?.id, 0, START]);
      await deliveries.settle(again!.id, 'delivered', { at: START });
      await deliveries.postpone(again!.id, START);
      assert.equal(bodyOf((await deliveries.due(START + 2_000, 10))[0]!).type, 'crawl.page');
    });

    test('a delivery to be retried blocks the others of its job until it is delivered or given up', async (t) => {
      const running = await startJob(await open(t), { webhook: webhookFor() });
      const { deliveries } = running.store;
      await completePage(running, '/');
      const [first] = await deliveries.due(START, 10);
      await deliveries.settle(first!.id, { retryAt: START + 5 * MINUTE }, { at: START });
      assert.equal(await deliveries.nextAt(), START + 5 * MINUTE);
      assert.deepEqual(await deliveries.due(START + 5 * MINUTE - 1, 10), []);
      const [second] = await deliveries.due(START + 5 * MINUTE, 10);
      assert.deepEqual([second?.id, second?.webhookId, second?.attempts], [first?.id, first?.webhookId, 1]);
      assert.deepEqual(second?.body, first?.body, 'the same bytes for the same signature');
      await deliveries.settle(second!.id, 'given-up', { at: START });
      assert.deepEqual(
        (await deliverAll(deliveries, START + 5 * MINUTE)).map(({ type }) => type),
        ['crawl.page', 'crawl.completed'],
      );
      await deliveries.settle(second!.id, { retryAt: START }, { at: START });
      assert.equal(await deliveries.nextAt(), undefined, 'a settled delivery is gone for good');
    });

    test('jobs do not block each other, and all get their turn', async (t) => {
      const store = await open(t);
      const jobs: Running[] = [];
      for (let index = 0; index < 4; index++) jobs.push(await startJob(store, { webhook: webhookFor() }));
      for (const job of jobs) await completePage(job, '/');
      const stuck = (await store.deliveries.due(START, 1))[0]!;
      assert.equal(stuck.jobId, jobs[0]!.id);
      const served: string[] = [];
      for (let round = 0; round < 5; round++) {
        for (const { id, jobId } of await store.deliveries.due(START, 2)) {
          served.push(jobId);
          await store.deliveries.settle(id, 'delivered', { at: START });
        }
      }
      const turn = [1, 2, 3].map((index) => jobs[index]!.id);
      assert.deepEqual(served, [...turn, ...turn, ...turn]);
    });

    test('nextAt is when the earliest of the first deliveries of all jobs is due', async (t) => {
      const store = await open(t);
      assert.equal(await store.deliveries.nextAt(), undefined);
      await startJob(store, { webhook: webhookFor(), createdAt: START + 9 });
      assert.equal(await store.deliveries.nextAt(), START + 9);
      const early = await startJob(store, { webhook: webhookFor(), createdAt: START + 3 });
      assert.equal(await store.deliveries.nextAt(), START + 3);
      await completePage(early, '/');
      await store.deliveries.due(START + 5, 10);
      assert.equal(await store.deliveries.nextAt(), START + 9, 'the page behind the one being sent has to wait');
    });

    test('an expired job loses its pending deliveries', async (t) => {
      const running = await startJob(await open(t), { webhook: webhookFor() });
      await completePage(running, '/');
      await running.store.pages.sweep(START + DAY);
      assert.deepEqual(await running.store.deliveries.due(START + DAY, 10), []);
    });
  });
}

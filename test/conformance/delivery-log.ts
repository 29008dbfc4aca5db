// Every DeliveryLog adapter passes these tests.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DeliveryLog, LoggedDelivery } from '../../src/store/ports/deliveries/delivery-log.ts';
import type { DeliveryResult } from '../../src/store/ports/deliveries/delivery-store.ts';
import type { Store } from '../../src/store/ports/store.ts';
import {
  claimOne,
  completePage,
  failure,
  finish,
  type Running,
  sampleTask,
  startJob,
  webhookFor,
} from './job-samples.ts';
import { sampleRun } from './runs.ts';
import { DAY, HOUR, MINUTE, type OpenStore, START } from './samples.ts';

const WEEK = 7 * DAY;
const SECRETS = { url: 'https://hooks.test/in/0123456789abcdefghijklmn?token=sesame&order=17#part' };
const REFUSED = { at: START, statusCode: 500, error: 'The receiver answered with status 500.' };

const listOf = (
  { store, teamId }: Pick<Running, 'store' | 'teamId'>,
  query: Partial<Parameters<DeliveryLog['list']>[0]> = {},
) => store.deliveryLog.list({ teamId, limit: 100, ...query });
const eventsOf = (listed: LoggedDelivery[]) => listed.map(({ event, status }) => `${event} ${status}`);

/** Sends the call that is due, and returns its id. */
async function settleNext({ deliveries }: Store, result: DeliveryResult, now = START): Promise<number> {
  const [next] = await deliveries.due(now, 1);
  const report = result === 'delivered' ? { at: now, statusCode: 204 } : { ...REFUSED, at: now };
  await deliveries.settle(next!.id, result, report);
  return next!.id;
}

const bodyOf = async ({ store, teamId }: Running, id: number) => {
  const { body } = (await store.deliveryLog.find(id, teamId))!;
  return body && JSON.parse(new TextDecoder().decode(body));
};

export function testDeliveryLog(adapter: string, open: OpenStore): void {
  describe(`DeliveryLog on ${adapter}: reading`, () => {
    test('calls are listed in every state, the newest first, with how their last attempt ended', async (t) => {
      const running = await startJob(await open(t), { webhook: { ...webhookFor(), ...SECRETS } });
      await completePage(running, '/');
      const delivered = await settleNext(running.store, 'delivered', START + 1);
      const failed = await settleNext(running.store, 'given-up', START + 2);
      await settleNext(running.store, { retryAt: START + MINUTE }, START + 3);
      const [third, second, first] = await listOf(running);
      const common = { jobId: running.id, url: 'https://hooks.test/in/***?token=***&order=***', canResend: true };
      const { webhookId: _1, size: size1, createdAt: _2, ...start } = first!;
      assert.deepEqual(start, {
        ...common,
        ...{
          id: delivered,
          event: 'crawl.started',
          status: 'delivered',
          attempts: 1,
          triedAt: START + 1,
          statusCode: 204,
        },
      });
      assert.ok(size1! > 50);
      const { webhookId: _3, size: _4, createdAt: _5, ...page } = second!;
      const { error, statusCode } = REFUSED;
      assert.deepEqual(page, {
        ...common,
        ...{ id: failed, event: 'crawl.page', status: 'failed', attempts: 1, triedAt: START + 2, statusCode, error },
      });
      const { webhookId: _6, size: _7, createdAt: _8, id: _9, ...end } = third!;
      assert.deepEqual(end, {
        ...common,
        ...{ event: 'crawl.completed', status: 'waiting', attempts: 1, triedAt: START + 3, statusCode, error },
        nextAt: START + MINUTE,
      });
    });

    test('a call that was never tried says where it goes, too', async (t) => {
      const running = await startJob(await open(t), { webhook: { ...webhookFor(), ...SECRETS } });
      const [{ webhookId: _1, id: _2, createdAt, ...call } = assert.fail()] = await listOf(running);
      assert.equal(createdAt, START);
      assert.deepEqual(call, {
        ...{
          jobId: running.id,
          event: 'crawl.started',
          status: 'waiting',
          attempts: 0,
          nextAt: START,
          canResend: true,
        },
        url: 'https://hooks.test/in/***?token=***&order=***',
      });
    });

    test('lists are filtered by state and job, and continue after a call', async (t) => {
      const store = await open(t);
      const one = await startJob(store, { webhook: webhookFor() });
      const other = await startJob(store, { webhook: webhookFor() });
      await completePage(one, '/');
      await completePage(other, '/');
      for (const result of ['delivered', 'delivered', 'given-up'] as const) await settleNext(store, result);
      assert.equal((await listOf(one)).length, 6);
      assert.deepEqual(eventsOf(await listOf(one, { status: 'failed' })), ['crawl.page failed']);
      assert.equal((await listOf(one, { status: 'delivered' })).length, 2);
      assert.deepEqual(
        (await listOf(one, { jobId: other.id })).map(({ jobId }) => jobId),
        [other.id, other.id, other.id],
      );
      assert.deepEqual(await listOf(one, { jobId: 'unknown' }), []);
      const paged: number[] = [];
      for (let before: number | undefined; ; before = paged.at(-1)) {
        const [next] = await listOf(one, { limit: 1, ...(before !== undefined && { before }) });
        if (!next) break;
        paged.push(next.id);
      }
      assert.deepEqual(
        paged,
        (await listOf(one)).map(({ id }) => id),
      );
      assert.deepEqual(
        paged,
        paged.toSorted((a, b) => b - a),
      );
    });

    test('a team reads and resends only its own calls', async (t) => {
      const running = await startJob(await open(t), { webhook: webhookFor() });
      const { store } = running;
      const { id: teamId } = await store.teams.ensureTeam('another', START);
      const id = await settleNext(store, 'given-up');
      assert.deepEqual(await listOf({ store, teamId }), []);
      assert.deepEqual(await listOf({ store, teamId }, { jobId: running.id }), []);
      assert.equal(await store.deliveryLog.find(id, teamId), undefined);
      assert.equal(await store.deliveryLog.resend(id, teamId, START), undefined);
      assert.equal(await store.deliveries.nextAt(), undefined);
    });

    test('a single call has its target and its body as it was sent', async (t) => {
      const running = await startJob(await open(t), { webhook: { ...webhookFor(), ...SECRETS } });
      const { store, teamId } = running;
      const [sent] = await store.deliveries.due(START, 1);
      await store.deliveries.settle(sent!.id, 'delivered', { at: START, statusCode: 200 });
      const found = (await store.deliveryLog.find(sent!.id, teamId))!;
      assert.deepEqual(found.body, sent!.body);
      const { url, headers } = found.target!;
      assert.deepEqual({ url, headers }, { ...SECRETS, headers: { 'x-token': 'secret' } });
    });
  });

  describe(`DeliveryLog on ${adapter}: sending again`, () => {
    test('a settled call is sent again under the same id, before later ones of its job', async (t) => {
      const running = await startJob(await open(t), { webhook: webhookFor() });
      const { store, teamId } = running;
      await completePage(running, '/');
      const [first] = await store.deliveries.due(START, 1);
      await store.deliveries.settle(first!.id, 'given-up', REFUSED);
      assert.equal(await store.deliveryLog.resend(first!.id, teamId, START), 'queued');
      const [{ attempts, webhookId, body } = assert.fail()] = await store.deliveries.due(START, 10);
      assert.deepEqual({ attempts, webhookId, body }, { attempts: 0, webhookId: first!.webhookId, body: first!.body });
      await store.deliveries.settle(first!.id, 'delivered', { at: START });
      assert.deepEqual(eventsOf(await listOf(running)), [
        'crawl.completed waiting',
        'crawl.page waiting',
        'crawl.started delivered',
      ]);
    });

    test('a call that waits for its next attempt is due now, and so are those before it', async (t) => {
      const running = await startJob(await open(t), { webhook: webhookFor() });
      const { store, teamId } = running;
      await completePage(running, '/');
      await settleNext(store, { retryAt: START + HOUR });
      assert.deepEqual(await store.deliveries.due(START, 10), []);
      const [last] = await listOf(running);
      assert.equal(await store.deliveryLog.resend(last!.id, teamId, START), 'queued');
      const [due] = await store.deliveries.due(START, 10);
      assert.deepEqual([due?.event, due?.attempts], ['started', 1]);
    });

    test('the event of a page that was tried again since stays in the log, but is not sent again', async (t) => {
      const running = await startJob(await open(t), {
        webhook: webhookFor('page'),
        tasks: [sampleTask('/'), sampleTask('/a')],
      });
      const { store, teamId } = running;
      await finish(running, await claimOne(running), { ...failure('Down.'), scrapeId: 's' } as never);
      const id = await settleNext(store, 'delivered');
      assert.equal((await bodyOf(running, id)).error, 'Down.');
      await store.jobs.retry(running.id, teamId, { now: START, maxUnfinished: 9 });
      const [{ canResend } = assert.fail()] = await listOf(running);
      assert.deepEqual([canResend, await bodyOf(running, id)], [false, undefined]);
      assert.equal(await store.deliveryLog.resend(id, teamId, START), 'gone');
    });
  });

  describe(`DeliveryLog on ${adapter}: forgetting`, () => {
    test('the record of a call outlives its job, without its body', async (t) => {
      const running = await startJob(await open(t), { webhook: { ...webhookFor(), ...SECRETS } });
      const { store, teamId } = running;
      await completePage(running, '/');
      const id = await settleNext(store, 'given-up');
      await store.pages.sweep(START + DAY);
      assert.equal(await store.jobs.view(running.id, teamId, START), undefined);
      const [{ event, jobId, url, canResend } = assert.fail(), ...more] = await listOf(running, { jobId: running.id });
      assert.deepEqual(
        { event, jobId, url, canResend, more },
        {
          ...{ event: 'crawl.started', jobId: running.id, canResend: false, more: [] },
          url: 'https://hooks.test/in/***?token=***&order=***',
        },
      );
      const found = (await store.deliveryLog.find(id, teamId))!;
      assert.deepEqual([found.body, found.target], [undefined, undefined]);
      assert.equal(await store.deliveryLog.resend(id, teamId, START + DAY), 'gone');
      await store.pages.sweep(START + WEEK - 1);
      assert.equal((await listOf(running)).length, 1);
      await store.pages.sweep(START + WEEK);
      assert.deepEqual(await listOf(running), []);
    });

    test('the event of a run is kept as long as the run, and not longer', async (t) => {
      const store = await open(t);
      const { id: teamId } = await store.teams.ensureTeam('default', START);
      const webhook = { ...webhookFor(), events: ['agent.started'] };
      const events = [{ type: 'agent.started', success: true, data: [{ said: 'hello' }] }];
      const run = sampleRun(teamId, { webhook, events });
      assert.equal(await store.runs.add(run), 'added');
      const running = { store, teamId, id: run.id };
      const [waiting] = await listOf(running, { jobId: run.id });
      assert.deepEqual([waiting?.event, waiting?.status], ['agent.started', 'waiting']);
      const id = await settleNext(store, 'given-up');
      assert.deepEqual((await bodyOf(running, id)).data, [{ said: 'hello' }]);
      assert.equal(await store.deliveryLog.resend(id, teamId, START), 'queued');
      assert.equal(await settleNext(store, 'delivered'), id);
      await store.runQueue.claim({
        ...{ owner: 'me', kind: 'agent', slots: 1, teamSlots: 1, now: START, leaseUntil: START + MINUTE },
      });
      await store.runQueue.end('me', run.id, { status: 'completed', credits: 0 }, START);
      await store.pages.sweep(START + 2 * DAY);
      assert.equal(await store.runs.view(run.id, teamId, START), undefined);
      assert.deepEqual(eventsOf(await listOf(running, { jobId: run.id })), ['agent.started delivered']);
      assert.equal(await bodyOf(running, id), undefined);
      assert.equal(await store.deliveryLog.resend(id, teamId, START), 'gone');
    });

    test('of many calls the newest thousand stay, and failures are not pushed out by others', async (t) => {
      const store = await open(t);
      const first = await startJob(store, { webhook: webhookFor('started') });
      await settleNext(store, 'given-up');
      const events = Array.from({ length: 10 }, () => ({ type: 'agent.action', success: true, data: [] }));
      const webhook = { ...webhookFor(), events: ['agent.action'] };
      for (let run = 0; run < 101; run++)
        await store.runs.add(sampleRun(first.teamId, { webhook, events, maxUnfinished: 1_000 }));
      for (
        let due = await store.deliveries.due(START, 101);
        due.length > 0;
        due = await store.deliveries.due(START, 101)
      )
        await Promise.all(due.map(({ id }) => store.deliveries.settle(id, 'delivered', { at: START })));
      await store.pages.sweep(START + 1);
      const counted = { delivered: 0, failed: 0, waiting: 0 };
      for (const { status } of await listOf(first, { limit: 5_000 })) counted[status]++;
      assert.deepEqual(counted, { delivered: 1_000, failed: 1, waiting: 0 });
    });

    test('a job with zero data retention leaves no record of a settled call, and shows no body of a waiting one', async (t) => {
      const running = await startJob(await open(t), { webhook: webhookFor(), zeroDataRetention: true });
      const [{ id } = assert.fail()] = await listOf(running);
      assert.equal(await bodyOf(running, id), undefined);
      assert.equal(await running.store.deliveryLog.resend(id, running.teamId, START), 'queued');
      await settleNext(running.store, 'given-up');
      assert.deepEqual(await listOf(running), []);
    });
  });
}

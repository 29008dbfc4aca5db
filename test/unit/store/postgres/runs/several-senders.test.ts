// Several processes send the webhook calls and mails of one database: each call of a job or run in its order, one at a time.
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Delivery } from '../../../../../src/store/ports/deliveries/delivery-store.ts';
import type { Store } from '../../../../../src/store/ports/store.ts';
import {
  claimRequest,
  documentsOf,
  donePage,
  finishAs,
  onHost,
  startJob,
  viewOf,
  webhookFor,
} from '../../../../conformance/job-samples.ts';
import { createDatabase, hasPostgres } from '../../../../conformance/open-postgres.ts';
import { sampleRun } from '../../../../conformance/runs.ts';
import { HOUR, MINUTE, START } from '../../../../conformance/samples.ts';

const PROCESSES = 4;
const SENDING = MINUTE;

interface Senders {
  stores: Store[];
  first: Store;
  teamId: string;
}

async function openSeveral(t: TestContext): Promise<Senders> {
  const database = await createDatabase(t);
  const stores = await Promise.all(Array.from({ length: PROCESSES }, () => database.open()));
  const first = stores[0]!;
  return { stores, first, teamId: (await first.teams.ensureTeam('default', START)).id };
}

const TYPE = 'agent.action';
const webhook = { url: 'http://hook.test/', headers: {}, metadata: {}, events: [TYPE] };

/** A run whose webhook is to be told about so many things, numbered from 0. */
async function startRun({ first, teamId }: Senders, events: number): Promise<string> {
  const run = sampleRun(teamId, {
    webhook,
    events: Array.from({ length: events }, (_, number) => ({ type: TYPE, success: true, data: [number] })),
  });
  assert.equal(await first.runs.add(run), 'added');
  return run.id;
}

const numberOf = ({ body }: Delivery) => JSON.parse(new TextDecoder().decode(body)).data[0] as number;
const oneOf = (sent: Delivery[][]): Delivery => {
  const [one, ...others] = sent.flat();
  assert.equal(others.length, 0);
  return one ?? assert.fail('Nothing is due.');
};

/** The same numbers for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('senders of several processes', { skip: !hasPostgres && 'It runs with npm run test:cluster' }, () => {
  test('calls of each run are delivered in order and one at a time, with failures in between', async (t) => {
    const senders = await openSeveral(t);
    const seed = Date.now() % 100_000;
    t.diagnostic(`seed ${seed}`);
    const random = randomFrom(seed);
    const delivered = new Map<string, number[]>();
    for (let run = 0; run < 6; run++) delivered.set(await startRun(senders, 12), []);
    const onTheirWay = new Set<string>();
    let now = START;

    const send = async (store: Store, call: Delivery) => {
      assert.ok(!onTheirWay.has(call.jobId), 'two calls of a run are on their way');
      onTheirWay.add(call.jobId);
      const isRefused = random() < 0.3;
      if (!isRefused) delivered.get(call.jobId)!.push(numberOf(call));
      // Released first: the next call may be handed out as soon as the result is written.
      onTheirWay.delete(call.jobId);
      const result = isRefused ? { retryAt: now + Math.floor(random() * 3) } : 'delivered';
      await store.deliveries.settle(call.id, result, { at: now });
    };
    for (; (await senders.first.deliveries.nextAt()) !== undefined; now++) {
      await Promise.all(
        senders.stores.map(async (store) => {
          for (const call of await store.deliveries.due(now, 2)) await send(store, call);
        }),
      );
    }
    for (const numbers of delivered.values()) assert.deepEqual(numbers, [...Array(12).keys()]);
  });

  test('pages that several processes finish at once are reported in the order of their results', async (t) => {
    const { stores, first } = await openSeveral(t);
    const tasks = Array.from({ length: 24 }, (_, at) => onHost(`h${at}.test`, '/'));
    const job = await startJob(first, { webhook: webhookFor('page', 'completed'), tasks });
    const isEnded = async () => (await viewOf(job)).status !== 'scraping';
    const reported: string[] = [];
    const sendAll = async ({ deliveries }: Store) => {
      for (const call of await deliveries.due(START, 10)) {
        const { type, data } = JSON.parse(new TextDecoder().decode(call.body));
        reported.push(data[0]?.metadata.sourceURL ?? type);
        await deliveries.settle(call.id, 'delivered', { at: START });
      }
    };
    const work = async (store: Store, at: number) => {
      while (!(await isEnded())) {
        const { tasks: taken } = await store.queue.claim(claimRequest(job.id, { owner: `w${at}`, slots: 3 }));
        await Promise.all(taken.map((task) => finishAs(store, `w${at}`, task, donePage(task))));
        await sendAll(store);
      }
    };
    await Promise.all(stores.map(work));
    while ((await first.deliveries.nextAt()) !== undefined) await sendAll(first);
    const results = (await documentsOf(job)).map(({ metadata }) => metadata.sourceURL);
    assert.equal(results.length, tasks.length);
    assert.deepEqual(reported, [...results, 'crawl.completed']);
  });

  test('a call that was handed out is not handed out again until its lease ends', async (t) => {
    const senders = await openSeveral(t);
    await startRun(senders, 2);
    const dueAt = (now: number) => Promise.all(senders.stores.map(({ deliveries }) => deliveries.due(now, 10)));
    const { id } = oneOf(await dueAt(START));
    assert.deepEqual((await dueAt(START + SENDING - 1)).flat(), []);
    assert.equal(await senders.first.deliveries.nextAt(), START + SENDING);
    const again = oneOf(await dueAt(START + SENDING));
    assert.deepEqual([again.id, numberOf(again)], [id, 0]);
  });

  test('a process that ends gives back what it was given', async (t) => {
    const database = await createDatabase(t);
    const [first, ending] = [await database.open(), await database.open()];
    const { id: teamId } = await first.teams.ensureTeam('default', START);
    await startRun({ first, teamId, stores: [] }, 1);
    const [call] = await ending.deliveries.due(START, 10);
    assert.deepEqual(await first.deliveries.due(START, 10), []);
    await ending.close();
    assert.deepEqual(await first.deliveries.due(START, 10), [call]);
  });

  test('the result of a process that has lost its lease is ignored', async (t) => {
    const senders = await openSeveral(t);
    const [slow, quick] = senders.stores as [Store, Store];
    await startRun(senders, 2);
    const [call] = await slow.deliveries.due(START, 1);
    assert.equal((await quick.deliveries.due(START + SENDING, 1))[0]?.id, call?.id);
    for (const result of ['delivered', 'given-up', { retryAt: START }] as const)
      await slow.deliveries.settle(call!.id, result, { at: START });
    assert.deepEqual(await slow.deliveries.due(START + SENDING, 10), []);
    await quick.deliveries.settle(call!.id, 'delivered', { at: START });
    assert.equal(numberOf((await slow.deliveries.due(START + SENDING, 10))[0]!), 1);
  });

  test('a call that is sent again at the same time as others are due does not overtake, nor go twice', async (t) => {
    const senders = await openSeveral(t);
    const { first, teamId, stores } = senders;
    await startRun(senders, 3);
    const dueAt = (now: number) => Promise.all(stores.map(({ deliveries }) => deliveries.due(now, 10)));
    const started = oneOf(await dueAt(START));
    await Promise.all(stores.map(({ deliveries }) => deliveries.settle(started.id, 'delivered', { at: START })));
    // One that is on its way keeps its lease, and a settled one waits until that has arrived.
    const [[second]] = await Promise.all([
      first.deliveries.due(START, 1),
      stores[1]!.deliveryLog.resend(started.id, teamId, START),
    ]);
    const sent = second ?? assert.fail();
    if (numberOf(sent) === 1) {
      assert.equal(await stores[2]!.deliveryLog.resend(sent.id, teamId, START), 'queued');
      assert.deepEqual((await dueAt(START)).flat(), []);
      await first.deliveries.settle(sent.id, { retryAt: START + HOUR }, { at: START });
      assert.equal(numberOf(oneOf(await dueAt(START))), 0);
    } else assert.deepEqual((await dueAt(START)).flat(), []);
  });

  test('a mail is handed out once until its lease ends, and a team asks no more addresses than it may', async (t) => {
    const { stores, first, teamId } = await openSeveral(t);
    const recipients = Array.from({ length: 8 }, (_, at) => ({ email: `p${at}@example.org`, isTrusted: at < 4 }));
    const answers = await Promise.all(
      stores.map(({ mails }, at) => mails.subscribe(teamId, at % 2 === 0 ? recipients : recipients.toReversed())),
    );
    assert.equal(new Set(answers.flat().map(({ number }) => number)).size, 8);
    const subscribed = await first.mails.subscribe(teamId, recipients);
    const mailTo = (subscription: number, key: string) => ({
      ...{ key, messageId: key, subscription },
      content: { subject: 'Changed', text: 'text', html: '<p>text</p>', headers: {} },
    });
    await Promise.all(
      stores.map(({ mails }) =>
        mails.queue(
          subscribed.slice(0, 4).map(({ number }) => mailTo(number, `mail ${number}`)),
          START,
        ),
      ),
    );
    const asked = await Promise.all(
      subscribed
        .slice(4)
        .map(({ number }, at) =>
          stores[at]!.mails.queueConfirmation(mailTo(number, `ask ${number}`), { perTeam: 2 }, START),
        ),
    );
    assert.equal(asked.filter(Boolean).length, 2);
    const dueAt = async (now: number) => (await Promise.all(stores.map(({ mails }) => mails.due(now, 2)))).flat();
    const sent = await dueAt(START);
    assert.equal(new Set(sent.map(({ id }) => id)).size, 6);
    assert.equal(sent.length, 6);
    assert.deepEqual(await dueAt(START + 5 * MINUTE - 1), []);
    assert.equal((await dueAt(START + 5 * MINUTE)).length, 6);
  });
});

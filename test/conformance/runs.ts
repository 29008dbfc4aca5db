// Every adapter of the two run ports passes these tests.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RunClaim } from '../../src/store/ports/runs/run-queue.ts';
import type { NewRun, RecentRunsQuery, RunStore } from '../../src/store/ports/runs/run-store.ts';
import type { Store } from '../../src/store/ports/store.ts';
import { uuidv7 } from '../../src/util/ids.ts';
import { DAY, HOUR, MINUTE, type OpenStore, START } from './samples.ts';

export const sampleRun = (teamId: string, run: Partial<NewRun> = {}): NewRun => ({
  id: uuidv7(START),
  teamId,
  kind: 'agent',
  request: { prompt: 'What does it cost?' },
  zeroDataRetention: false,
  createdAt: START,
  keepMs: DAY,
  maxUnfinished: 100,
  ...run,
});

const claimOf = (owner: string, claim: Partial<RunClaim> = {}): RunClaim => ({
  ...{ owner, kind: 'agent', slots: 10, teamSlots: 10, now: START, leaseUntil: START + MINUTE },
  ...claim,
});

async function start(store: Store, run: Partial<NewRun> = {}, team = 'default'): Promise<NewRun> {
  const { id: teamId } = await store.teams.ensureTeam(team, START);
  const added = sampleRun(teamId, run);
  assert.equal(await store.runs.add(added), 'added');
  return added;
}

const webhook = (...events: string[]) => ({ url: 'http://hook.test/', headers: {}, metadata: { of: 'mine' }, events });
const viewOf = (runs: RunStore, { id, teamId }: NewRun, now = START) => runs.view(id, teamId, now);

export function testRuns(adapter: string, open: OpenStore): void {
  describe(`Runs on ${adapter}`, () => {
    test('a run is read by its own team until it has expired', async (t) => {
      const store = await open(t);
      const run = await start(store, { group: 'thread', key: 'fc-1' });
      const { id: other } = await store.teams.ensureTeam('other', START);
      const view = (await viewOf(store.runs, run))!;
      assert.deepEqual([view.status, view.turn, view.group, view.key], ['queued', 1, 'thread', 'fc-1']);
      assert.deepEqual(view.request, run.request);
      assert.equal(await store.runs.view(run.id, other, START), undefined);
      await store.runQueue.claim(claimOf('me'));
      await store.runQueue.end('me', run.id, { status: 'completed', result: { a: 1 }, credits: 3 }, START + HOUR);
      const ended = (await viewOf(store.runs, run, START + DAY))!;
      assert.deepEqual([ended.status, ended.result, ended.credits], ['completed', { a: 1 }, 3]);
      assert.equal(await viewOf(store.runs, run, START + DAY + HOUR), undefined);
      await store.pages.sweep(START + DAY + HOUR);
      assert.deepEqual(await store.runs.steps(run.id), []);
    });

    test('recent runs of several kinds are listed newest first, with what they are about', async (t) => {
      const store = await open(t);
      const prompt = 'What does it cost? '.repeat(30);
      const agent = await start(store, { request: { prompt, urls: ['http://a.test/'] } });
      const extract = await start(store, {
        kind: 'extract',
        request: { urls: ['http://b.test/'] },
        createdAt: START + 1,
      });
      const check = await start(store, {
        ...{ kind: 'check', group: 'monitor', createdAt: START + 1 },
        request: { monitorId: 'monitor', definition: { name: 'Prices' } },
      });
      const secret = await start(store, { zeroDataRetention: true, createdAt: START + 2 });
      await start(store, {}, 'other');
      const list = (query: Partial<RecentRunsQuery> = {}, now = START) =>
        store.runs.recent(agent.teamId, { kinds: ['agent', 'extract', 'check'], limit: 10, ...query }, now);
      const shared = [extract, check].sort((one, two) => (one.id < two.id ? 1 : -1));
      assert.deepEqual(
        (await list()).map(({ id }) => id),
        [secret.id, ...shared.map(({ id }) => id), agent.id],
      );
      const targets = new Map((await list()).map(({ id, target }) => [id, target]));
      assert.equal(targets.get(agent.id), prompt.slice(0, 300));
      assert.deepEqual([targets.get(extract.id), targets.get(check.id)], ['http://b.test/', 'Prices']);
      assert.equal(targets.get(secret.id), undefined);
      assert.deepEqual(
        (await list({ after: { at: START + 1, id: shared[0]!.id } })).map(({ id }) => id),
        [shared[1]!.id, agent.id],
      );
      const [listed] = await list({ kinds: ['check'] });
      assert.deepEqual([listed!.group, listed!.status, listed!.kind], ['monitor', 'queued', 'check']);
      await store.runQueue.claim(claimOf('me'));
      await store.runQueue.end('me', agent.id, { status: 'failed', error: 'It failed.', credits: 3 }, START + HOUR);
      const [failed, ...others] = await list({ statuses: ['failed'] });
      assert.deepEqual([failed!.id, failed!.error, failed!.credits, others], [agent.id, 'It failed.', 3, []]);
      assert.deepEqual(await list({ statuses: ['failed'] }, START + HOUR + DAY), []);
    });

    test('one unfinished run of a group, a limit for each team, and idempotency keys', async (t) => {
      const store = await open(t);
      const first = await start(store, { group: 'thread', idempotencyKey: 'once' });
      const again = (run: Partial<NewRun>) => store.runs.add(sampleRun(first.teamId, run));
      assert.deepEqual(await again({ group: 'thread' }), { busy: first.id });
      assert.equal(await again({ idempotencyKey: 'once' }), 'key-used');
      assert.equal(await again({ maxUnfinished: 1 }), 'queue-full');
      assert.equal(await again({ kind: 'extract', maxUnfinished: 1 }), 'added', 'kinds have limits of their own');
      await store.runQueue.claim(claimOf('me'));
      await store.runQueue.end('me', first.id, { status: 'failed', error: 'no', credits: 0 }, START);
      const second = await start(store, { group: 'thread' });
      assert.equal((await viewOf(store.runs, second))?.turn, 2);
    });

    test('a claim serves the team with the fewest running ones first, and nobody beyond its share', async (t) => {
      const store = await open(t);
      const busy = [await start(store, {}, 'a'), await start(store, {}, 'a'), await start(store, {}, 'a')];
      const other = await start(store, {}, 'b');
      const idsOf = async (claim: Partial<RunClaim>) =>
        (await store.runQueue.claim(claimOf('me', claim))).runs.map(({ id }) => id);
      assert.deepEqual(await idsOf({ slots: 2 }), [busy[0]!.id, other.id]);
      assert.deepEqual(await idsOf({ teamSlots: 2 }), [busy[1]!.id]);
      assert.deepEqual(await idsOf({ kind: 'extract' }), []);
      assert.deepEqual(await idsOf({ teamSlots: 3 }), [busy[2]!.id]);
    });

    test('a worker that ends soon leaves earlier runs alone, unless they are to be cancelled', async (t) => {
      const store = await open(t);
      const earlier = await start(store);
      const later = await start(store, { createdAt: START + MINUTE });
      const claim = async () => {
        const { runs } = await store.runQueue.claim(claimOf('me', { since: START + 1 }));
        return runs.map(({ id }) => id);
      };
      assert.deepEqual(await claim(), [later.id]);
      assert.deepEqual(await claim(), []);
      await store.runs.cancel(earlier.id, earlier.teamId, START);
      assert.deepEqual(await claim(), [earlier.id]);
    });

    test('a lease that is over is claimed again, and its old owner can write nothing', async (t) => {
      const { runQueue, runs, ...store } = await open(t);
      const run = await start({ runQueue, runs, ...store });
      const { runs: first, nextAt } = await runQueue.claim(claimOf('old'));
      assert.deepEqual([first.length, first[0]?.attempt, nextAt], [1, 1, START + MINUTE]);
      const [again] = (await runQueue.claim(claimOf('new', { now: START + MINUTE, leaseUntil: START + 2 * MINUTE })))
        .runs;
      assert.deepEqual([again?.id, again?.attempt], [run.id, 2]);
      assert.deepEqual(await runQueue.extend('old', [run.id], START + HOUR, START), { lost: [run.id], cancelled: [] });
      const step = { key: 'k', name: 'search', input: null };
      assert.equal(await runQueue.beginStep('old', run.id, step, START), false);
      assert.equal(await runQueue.endStep('old', run.id, { key: 'k', output: 1, credits: 1, tokens: 0 }, START), false);
      assert.equal(await runQueue.end('old', run.id, { status: 'completed', credits: 1 }, START), false);
      assert.equal(await runQueue.beginStep('new', run.id, step, START), true);
      await runQueue.release('new');
      assert.equal((await viewOf(runs, run))?.status, 'queued');
      assert.equal((await viewOf(runs, run))?.attempt, 1, 'a run returned unfinished is no attempt');
    });

    test('steps come back in order, with what they cost; the time of work is counted', async (t) => {
      const { runQueue, runs, ...store } = await open(t);
      const run = await start({ runQueue, runs, ...store });
      await runQueue.claim(claimOf('me'));
      const long = { text: 'ü'.repeat(10_000) };
      await runQueue.beginStep('me', run.id, { key: 'a', name: 'search', input: { query: 'x' } }, START + 1);
      await runQueue.beginStep('me', run.id, { key: 'b', name: 'scrape', input: null }, START + 2);
      await runQueue.endStep('me', run.id, { key: 'b', output: long, credits: 5, tokens: 7 }, START + 30);
      await runQueue.beginStep('me', run.id, { key: 'b', name: 'again', input: null }, START + 40);
      // Nobody knew whether it had arrived, so it comes again.
      const again = { key: 'b', output: 'other', credits: 5, tokens: 7 };
      assert.equal(await runQueue.endStep('me', run.id, again, START + 40), true);
      const [first, second, ...more] = await runs.steps(run.id);
      assert.deepEqual([first?.state, first?.input, first?.output], ['started', { query: 'x' }, undefined]);
      assert.deepEqual([second?.state, second?.output, second?.credits], ['finished', long, 5]);
      assert.deepEqual(more, []);
      const { credits, tokens, workedMs } = (await viewOf(runs, run))!;
      assert.deepEqual([credits, tokens, workedMs], [5, 7, 40]);
    });

    test('the end is one charge; a failed run may cost nothing', async (t) => {
      const { runQueue, ledger, ...store } = await open(t);
      const [paid, free] = [await start({ runQueue, ledger, ...store }), await start({ runQueue, ledger, ...store })];
      await runQueue.claim(claimOf('me'));
      await runQueue.endStep('me', paid.id, { key: 'a', output: 1, credits: 9, tokens: 0 }, START);
      await runQueue.end('me', paid.id, { status: 'completed', credits: 9 }, START);
      await runQueue.end('me', free.id, { status: 'failed', error: 'x', stopReason: 'max_credits', credits: 0 }, START);
      const used = await ledger.usage(paid.teamId, { from: START, until: START + HOUR, binMs: HOUR });
      assert.deepEqual(
        used.map(({ credits }) => credits),
        [9],
      );
      const recent = await ledger.activity(paid.teamId, { since: START, limit: 10 });
      assert.deepEqual(
        recent.map(({ operation }) => operation),
        ['agent', 'agent'],
      );
    });

    test('nothing is left of the steps of a run without retention, and an hour later nothing of the run', async (t) => {
      const { runQueue, runs, ...store } = await open(t);
      const run = await start({ runQueue, runs, ...store }, { zeroDataRetention: true });
      await runQueue.claim(claimOf('me'));
      await runQueue.beginStep('me', run.id, { key: 'a', name: 'scrape', input: null }, START);
      await runQueue.end('me', run.id, { status: 'completed', result: 1, credits: 0 }, START);
      assert.deepEqual(await runs.steps(run.id), []);
      assert.equal((await viewOf(runs, run, START + HOUR - 1))?.result, 1);
      assert.equal(await viewOf(runs, run, START + HOUR), undefined);
    });

    test('a run that is to be cancelled needs no free slot, and its worker is told', async (t) => {
      const { runQueue, runs, ...store } = await open(t);
      const [running, waiting] = [await start({ runQueue, runs, ...store }), await start({ runQueue, runs, ...store })];
      await runQueue.claim(claimOf('me', { slots: 1 }));
      assert.equal(await runs.cancel(running.id, 'another team', START), undefined);
      assert.equal(await runs.cancel(running.id, running.teamId, START), 'running');
      assert.equal(await runs.cancel(waiting.id, waiting.teamId, START + 5), 'queued');
      assert.deepEqual((await runQueue.extend('me', [running.id], START + MINUTE, START)).cancelled, [running.id]);
      const [claimed] = (await runQueue.claim(claimOf('me', { slots: 0 }))).runs;
      assert.deepEqual([claimed?.id, claimed?.cancelAskedAt], [waiting.id, START + 5]);
    });

    test('events are sent in order, to webhooks that want them, after the write that caused them', async (t) => {
      const { runQueue, runs, deliveries, ...store } = await open(t);
      const all = { runQueue, runs, deliveries, ...store };
      const event = (type: string) => ({ type, success: true, data: [{ type }] });
      const run = await start(all, {
        webhook: webhook('agent.started', 'agent.completed'),
        events: [event('agent.started')],
      });
      await start(all, { events: [event('agent.started')] });
      await runQueue.claim(claimOf('me'));
      await runQueue.endStep(
        'me',
        run.id,
        { key: 'a', output: 1, credits: 0, tokens: 0, events: [event('agent.action')] },
        START,
      );
      await runQueue.end('me', run.id, { status: 'completed', credits: 0, events: [event('agent.completed')] }, START);
      const sent: unknown[] = [];
      for (let round = 0; round < 3; round++) {
        for (const { id, jobId, url, body } of await deliveries.due(START, 10)) {
          const { type, success, data, metadata, id: about } = JSON.parse(new TextDecoder().decode(body));
          sent.push([type, success, data, metadata, about === run.id && jobId === run.id, url]);
          await deliveries.settle(id, 'delivered', { at: START });
        }
      }
      const expected = (type: string) => [type, true, [{ type }], { of: 'mine' }, true, 'http://hook.test/'];
      assert.deepEqual(sent, [expected('agent.started'), expected('agent.completed')]);
    });

    test('lists runs of one kind, newest first, by group, status and time', async (t) => {
      const { runs, ...store } = await open(t);
      const all = { runs, ...store };
      const first = await start(all, { createdAt: START, group: 'g' });
      const second = await start(all, { createdAt: START + 5 });
      await start(all, { kind: 'extract' });
      const ids = async (query: object) =>
        (await runs.list(first.teamId, { kind: 'agent', limit: 10, ...query }, START)).map(({ id }) => id);
      assert.deepEqual(await ids({}), [second.id, first.id]);
      assert.deepEqual(await ids({ limit: 1, offset: 1 }), [first.id]);
      assert.deepEqual(await ids({ before: START + 5 }), [first.id]);
      assert.deepEqual(await ids({ group: 'g' }), [first.id]);
      assert.deepEqual(await ids({ status: 'completed' }), []);
    });
  });
}

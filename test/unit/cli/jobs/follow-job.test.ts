// Following a job: every document once and in order, whatever the pages of the status and the service do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { followJob, type JobPage } from '../../../../src/cli/jobs/follow-job.ts';
import { ApiError } from '../../../../src/client/api-error.ts';
import type { Document } from '../../../../src/contracts/scrape/document.ts';
import { type Clock, systemClock } from '../../../../src/util/clock.ts';

const gone = (status = 0) =>
  new ApiError('http://127.0.0.1:1 cannot be reached.', {
    code: 'UNREACHABLE',
    status,
    retryAfter: undefined,
    body: undefined,
  });

/** Time passes only by sleeping. */
function stepClock(): Clock & { slept: number[] } {
  const slept: number[] = [];
  return {
    slept,
    now: () => slept.reduce((sum, ms) => sum + ms, 0),
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      slept.push(ms);
    },
  };
}

const documentOf = (index: number) => ({ markdown: `${index}` }) as Document;
const pageOf = (skip: number, count: number, state: Partial<JobPage>): JobPage => ({
  success: true,
  status: 'scraping',
  total: 10,
  completed: 0,
  failed: 0,
  creditsUsed: 0,
  createdAt: '',
  expiresAt: '',
  data: Array.from({ length: count }, (_, index) => documentOf(skip + index)),
  ...state,
});

async function follow(answers: ((skip: number) => JobPage)[], clock = stepClock()) {
  const seen: string[] = [];
  const notes: string[] = [];
  const asked: number[] = [];
  const end = await followJob(
    {
      async read(skip) {
        asked.push(skip);
        return answers.shift()!(skip);
      },
      async onDocument(page) {
        seen.push(page.markdown!);
      },
      onState: () => {},
    },
    { clock, signal: new AbortController().signal, note: (sentence) => notes.push(sentence) },
  );
  return { end, seen, notes, asked, slept: clock.slept };
}

test('documents that are there are read at once; then the job is asked now and then', async () => {
  const { seen, asked, slept, end } = await follow([
    (skip) => pageOf(skip, 2, { completed: 5 }),
    (skip) => pageOf(skip, 3, { completed: 5 }),
    (skip) => pageOf(skip, 0, { completed: 5 }),
    (skip) => pageOf(skip, 1, { completed: 6, status: 'completed' }),
  ]);
  assert.deepEqual(seen, ['0', '1', '2', '3', '4', '5']);
  assert.deepEqual(asked, [0, 2, 5, 5]);
  assert.equal(slept.length, 2);
  assert.equal(end.status, 'completed');
});

test('the documents of a job that has ended are read to the last', async () => {
  const ended = { completed: 4, status: 'cancelled' } as const;
  const { seen, slept } = await follow([(skip) => pageOf(skip, 3, ended), (skip) => pageOf(skip, 1, ended)]);
  assert.deepEqual(seen, ['0', '1', '2', '3']);
  assert.deepEqual(slept, []);
});

test('a job that counts more documents than it returns comes to an end', async () => {
  const ended = { completed: 4, status: 'completed' } as const;
  const { seen } = await follow([(skip) => pageOf(skip, 3, ended), (skip) => pageOf(skip, 0, ended)]);
  assert.deepEqual(seen, ['0', '1', '2']);
});

test('a service that goes away and comes back is said once each, and no document comes twice', async () => {
  const fail = (status: number) => () => {
    throw gone(status);
  };
  const { seen, notes } = await follow([
    (skip) => pageOf(skip, 2, { completed: 3 }),
    fail(0),
    fail(503),
    fail(0),
    (skip) => pageOf(skip, 1, { completed: 3, status: 'completed' }),
  ]);
  assert.deepEqual(seen, ['0', '1', '2']);
  assert.deepEqual(notes, ['http://127.0.0.1:1 cannot be reached. Trying again.', 'The service answers again.']);
});

test('a service that stays away is given up, and a refusal is not tried again', async () => {
  const fail = (status: number) => () => {
    throw gone(status);
  };
  const clock = stepClock();
  await assert.rejects(follow(Array(1_000).fill(fail(0)), clock), ApiError);
  assert.ok(clock.now() > 60_000 && clock.now() <= 300_000, `${clock.now()}`);
  const hasty = stepClock();
  await assert.rejects(follow([fail(404)], hasty), ApiError);
  assert.deepEqual(hasty.slept, []);
});

test('an abort ends the following between two documents', async () => {
  const stop = new AbortController();
  const seen: string[] = [];
  const following = followJob(
    {
      read: async (skip) => pageOf(skip, 5, { completed: 5 }),
      async onDocument(page) {
        seen.push(page.markdown!);
        if (seen.length === 2) stop.abort(new Error('Ctrl-C'));
      },
      onState: () => {},
    },
    { clock: systemClock, signal: stop.signal, note: () => {} },
  );
  await assert.rejects(following, /Ctrl-C/);
  assert.deepEqual(seen, ['0', '1']);
});

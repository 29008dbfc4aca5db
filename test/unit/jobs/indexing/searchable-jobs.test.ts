// A job that has completed is reported as such once its own pages can be found, or after too long a wait.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSearchableJobs } from '../../../../src/jobs/indexing/searchable-jobs.ts';

const never = new AbortController().signal;
const MINUTE = 60_000;

function setUp() {
  const feed = { newest: 10, applied: 0, looks: 0 };
  const clock = { time: 0, now: () => clock.time };
  const indexer = {
    async newest() {
      feed.looks += 1;
      return feed.newest;
    },
    reached: async (change: number) => feed.applied >= change,
  };
  return { feed, clock, jobs: createSearchableJobs({ indexer, clock }) };
}

test('what is written later does not delay a job, and what was found once is not looked at again', async () => {
  const { feed, jobs } = setUp();
  const job = { id: 'job', endedAt: 0 };
  assert.equal(await jobs.canFind(job, never), false);
  Object.assign(feed, { newest: 1_000, applied: 9 });
  assert.equal(await jobs.canFind(job, never), false);
  feed.applied = 10;
  assert.equal(await jobs.canFind(job, never), true);
  // As for an index that is built anew.
  feed.applied = 0;
  assert.equal(await jobs.canFind(job, never), true);
  assert.equal(feed.looks, 1);
  assert.equal(await jobs.canFind({ id: 'job', endedAt: 1 }, never), false, 'it was continued and has ended again');
});

test('a broken index holds back a result for ten minutes, and an old one not at all', async () => {
  const { clock, jobs } = setUp();
  const job = { id: 'job', endedAt: 0 };
  clock.time = 10 * MINUTE;
  assert.equal(await jobs.canFind(job, never), false);
  clock.time += 1;
  assert.equal(await jobs.canFind(job, never), true);
});

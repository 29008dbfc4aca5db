// Reading a scrape by its ID while it finishes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Caller } from '../../../src/operations/caller.ts';
import { getScrape, type ReadScrapeDeps } from '../../../src/operations/scrape.ts';
import { callOf } from '../../support/call.ts';

test('a scrape that finishes between the look-ups is found', async () => {
  let isFinished = false;
  const stored = { outcome: { content: Buffer.from('{"markdown":"done"}') }, metadata: {} };
  const deps = {
    scrapes: { find: async () => (isFinished ? stored : undefined) },
    jobs: {
      pageWithoutResult: async () => {
        isFinished = true;
        return undefined;
      },
    },
    clock: { now: () => 0 },
  } as unknown as ReadScrapeDeps;
  const caller = { team: { id: 'a' } } as Caller;
  const answer = await getScrape(deps, callOf(caller, { params: { id: '0197a3b0-0000-7000-8000-000000000000' } }));
  assert.match(Buffer.from(answer.bytes).toString(), /"markdown":"done"/);
});

// The comparison of a run with the list of known failures.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareWithKnown, type Outcome, readKnownFailures } from '../../../../bench/clients/known.ts';

const outcome = (name: string, state: Outcome['state']): Outcome => ({ client: 'SDK 1', case: name, state });
const entry = (name: string, client = 'SDK 1') => ({ client, case: name, reason: 'needs a model' });

test('a failure is unknown unless the list has it, for that client', () => {
  const outcomes = [outcome('map', 'failed'), outcome('agent', 'failed'), outcome('crawl', 'passed')];
  const { unknown, passing, stale } = compareWithKnown(outcomes, [entry('agent'), entry('map', 'SDK 2')]);
  assert.deepEqual(unknown, [outcome('map', 'failed')]);
  assert.deepEqual([passing, stale], [[], []]);
});

test('an entry whose case passes, or is gone, is reported', () => {
  const { unknown, passing, stale } = compareWithKnown(
    [outcome('agent', 'passed')],
    [entry('agent'), entry('no such case')],
  );
  assert.deepEqual([unknown, passing, stale], [[], [entry('agent')], [entry('no such case')]]);
});

test('skipped cases, and clients that did not run, say nothing', () => {
  const comparison = compareWithKnown([outcome('browser', 'skipped')], [entry('browser'), entry('agent', 'SDK 2')]);
  assert.deepEqual(comparison, { unknown: [], passing: [], stale: [] });
});

test('every known failure has a reason and is listed once', () => {
  const known = readKnownFailures();
  assert.ok(known.every(({ reason }) => reason.length > 0));
  assert.equal(new Set(known.map((each) => `${each.client}: ${each.case}`)).size, known.length);
});

// The threads of understanding: a job that takes too long costs its thread and nothing else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../../src/contracts/errors/errors.ts';
import { createPagePool } from '../../../src/page-threads/page-pool.ts';

const ASKER = { team: 'a' };
const never = new AbortController().signal;

test('a job beyond its time limit fails alone, and the next one gets another thread', async (t) => {
  const pool = createPagePool({ workers: 1, jobTimeoutMs: 1 });
  t.after(() => pool.close());
  // Loading its code alone takes longer than the limit.
  const late = pool.workFor(ASKER, never).compareTexts(undefined, 'two', { wantsDiff: false });
  await assert.rejects(late, { name: 'ServiceError', code: 'SCRAPE_SITE_ERROR' });

  const patient = createPagePool({ workers: 1 });
  t.after(() => patient.close());
  const aborted = new AbortController();
  const cancelled = patient.workFor(ASKER, aborted.signal).compareTexts(undefined, 'two', { wantsDiff: false });
  aborted.abort(new ServiceError('SCRAPE_TIMEOUT'));
  await assert.rejects(cancelled, { code: 'SCRAPE_TIMEOUT' });
  assert.equal(
    (await patient.workFor(ASKER, never).compareTexts({ markdown: 'one' }, 'one', { wantsDiff: false })).isSame,
    true,
  );
});

test('a closed pool refuses jobs', async () => {
  const pool = createPagePool({ workers: 1 });
  await pool.close();
  await assert.rejects(pool.workFor(ASKER, never).compareTexts(undefined, 'two', { wantsDiff: false }), {
    code: 'SERVICE_UNAVAILABLE',
  });
});

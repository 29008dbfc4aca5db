// The texts of the error table: what happened, then what to do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERROR_TABLE } from '../../../../src/contracts/errors/errors.ts';

/** Clients know these texts by heart, so they are exactly those of the public interface. */
const CONTRACT_WORDS = [
  'BAD_REQUEST',
  'BAD_REQUEST_INVALID_JSON',
  'INVALID_SEARCH_REQUEST',
  'INVALID_JOB_ID',
  'NO_VALID_URLS',
  'UNAUTHORIZED',
  'JOB_NOT_FOUND',
  'MONITOR_NOT_FOUND',
  'CHECK_NOT_FOUND',
  'MONITOR_PAUSED',
  'SESSION_NOT_FOUND',
  'SESSION_ENDED',
  'IDEMPOTENCY_KEY_USED',
];

for (const [code, { status, text }] of Object.entries(ERROR_TABLE)) {
  test(`${code} is an error, says what happened, and what to do`, () => {
    assert.ok(status >= 400 && status !== 502, String(status));
    if (CONTRACT_WORDS.includes(code)) return;
    const sentences = text.split(/(?<=[.!?]) (?=[A-Z`])/);
    assert.ok(sentences.length >= 2 && text.endsWith('.'), text);
  });
}

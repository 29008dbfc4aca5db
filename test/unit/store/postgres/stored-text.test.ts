// Texts with NUL characters, which PostgreSQL refuses: what is stored comes back as it was, in the same order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromStoredText, toStoredText } from '../../../../src/store/postgres/database/stored-text.ts';

const CHARACTERS = ['\0', '\u0001', '\u0002', 'a'];
const TEXTS = CHARACTERS.flatMap((a) => CHARACTERS.flatMap((b) => CHARACTERS.map((c) => a + b + c)));

test('every text comes back as it was, and none is stored with a NUL character', () => {
  for (const text of ['', ...CHARACTERS, ...TEXTS]) {
    assert.ok(!toStoredText(text).includes('\0'));
    assert.equal(fromStoredText(toStoredText(text)), text);
  }
});

test('stored texts have the order of the originals', () => {
  const stored = TEXTS.map(toStoredText).sort();
  assert.deepEqual(stored.map(fromStoredText), [...TEXTS].sort());
});

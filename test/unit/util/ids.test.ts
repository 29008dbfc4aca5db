// UUIDs of version 7 sort by their time and are different.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUuid, timeOfUuid, uuidv7 } from '../../../src/util/ids.ts';

test('a UUID has the time of its creation, the version 7 and the variant of RFC 9562', () => {
  for (const now of [0, 1, Date.UTC(2026, 0, 5), 2 ** 48 - 1]) {
    const id = uuidv7(now);
    assert.ok(isUuid(id), id);
    assert.equal(timeOfUuid(id), now);
    assert.match(id, /^.{14}7.{4}[89ab]/);
  }
});

test('UUIDs of one moment differ, and later ones sort after them', () => {
  const now = Date.UTC(2026, 0, 5);
  const same = Array.from({ length: 1_000 }, () => uuidv7(now));
  assert.equal(new Set(same).size, same.length);
  assert.ok(same.every((id) => id < uuidv7(now + 1)));
});

// Large bytes are copied in slices, so that other work gets its turn.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinBytes } from '../../../../src/util/bytes/copy-bytes.ts';

const MB = 1024 * 1024;
const parts = [Buffer.from('start'), Buffer.alloc(5 * MB + 1, 'a'), Buffer.alloc(0), Buffer.from('end')];

test('parts are joined in a buffer of their own', async () => {
  const joined = await joinBytes(parts);
  assert.ok(joined.equals(Buffer.concat(parts)));
  assert.equal(joined.buffer.byteLength, joined.byteLength);
});

test('there is a turn for other work after every megabyte, if the time of the slice is over', async () => {
  let turns = 0;
  const next = async () => {
    turns += 1;
  };
  await joinBytes(parts, { isOver: () => true, next });
  assert.ok(turns >= 6, `${turns} turns`);
  await joinBytes(parts, { isOver: () => false, next: () => assert.fail('no turn is needed') });
});

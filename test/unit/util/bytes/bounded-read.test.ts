// Streams that are read up to a limit.
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { counted, keepStart, readStart } from '../../../../src/util/bytes/bounded-read.ts';

async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

test('a stream within the limit is read whole', async () => {
  const { bytes, isWhole } = await readStart(chunks('ab', 'cd'), 4);
  assert.deepEqual([Buffer.from(bytes).toString(), isWhole], ['abcd', true]);
});

test('a longer stream is cut, and the rest is not requested', async () => {
  const source = chunks('ab', 'cd', 'ef');
  const { bytes, isWhole } = await readStart(source, 3);
  assert.deepEqual([Buffer.from(bytes).toString(), isWhole], ['abc', false]);
  assert.equal((await source.next()).done, true);
});

test('counting reports the running total before a chunk is passed on', async () => {
  const totals: number[] = [];
  const passed = counted(chunks('ab', 'c', 'def'), (total) => {
    totals.push(total);
    if (total > 3) throw new Error('too much');
  });
  await assert.rejects(readStart(passed, 100), /too much/);
  assert.deepEqual(totals, [2, 3, 6]);
});

test('keepStart keeps the start of a stream and reads the rest', async () => {
  const stream = new PassThrough();
  let more = 0;
  const kept = keepStart(stream, 3, () => {
    more += 1;
  });
  for (const text of ['ab', 'cd', 'ef']) stream.write(text);
  stream.end();
  await new Promise((resolve) => stream.once('end', resolve));
  assert.deepEqual([kept.text(), kept.isCut(), more], ['abc', true, 2]);
});

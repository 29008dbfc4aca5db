// Messages that end with a zero byte, however the stream splits them.
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { frame, readFrames } from '../../../../src/runtime/programs/message-frames.ts';

async function read(chunks: Buffer[], maxBytes = 100) {
  const stream = new PassThrough();
  const messages: string[] = [];
  let tooLong = 0;
  readFrames(stream, {
    maxBytes,
    onMessage: (message) => messages.push(message),
    onTooLong: () => {
      tooLong += 1;
    },
  });
  for (const chunk of chunks) {
    stream.write(chunk);
    await turn();
  }
  return { messages, tooLong };
}

test('messages are complete wherever the chunks end', async () => {
  const all = Buffer.from(['first', 'süß', '', 'last'].map(frame).join(''));
  for (let size = 1; size <= all.length; size += 1) {
    const chunks = Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
      all.subarray(at * size, (at + 1) * size),
    );
    assert.deepEqual(await read(chunks), { messages: ['first', 'süß', '', 'last'], tooLong: 0 });
  }
});

test('a message without an end is reported once it is too long', async () => {
  const { messages, tooLong } = await read([Buffer.from('a\0bbbb'), Buffer.from('bbbb')], 6);
  assert.deepEqual([messages, tooLong], [['a'], 1]);
});

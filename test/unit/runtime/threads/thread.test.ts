// Typed calls into a worker thread.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { handedBack, Moved, override, remotePort, startThread } from '../../../../src/runtime/threads/thread.ts';
import type { Calculator } from './thread-host.ts';

const thread = startThread(new URL('./thread-host.ts', import.meta.url));
const remote = remotePort<Calculator>(thread.call);
after(() => thread.terminate());

test('a method of the port runs in the thread, with its arguments', async () => {
  assert.equal(await remote.add(2, 3), 5);
});

test('a port inside a port is called by its path', async () => {
  assert.equal(await remote.bytes.measure(new Uint8Array(7)), 7);
});

test('an error thrown by a method rejects the call', async () => {
  await assert.rejects(remote.fail('too far'), { name: 'RangeError', message: 'too far' });
});

test('moved buffers are transferred in both directions', async () => {
  const bytes = new Uint8Array(1000);
  assert.equal(await remote.bytes.measure(new Moved(bytes, [bytes.buffer])), 1000);
  assert.equal(bytes.byteLength, 0);
  assert.equal((await remote.bytes.make(12)).byteLength, 12);
});

test('buffers that moved with a call come back if it fails', async () => {
  const bytes = new Uint8Array([1, 2, 3]);
  const error = await remote.fail('too far', new Moved(bytes, [bytes.buffer])).catch((reason: unknown) => reason);
  assert.equal(bytes.byteLength, 0);
  assert.deepEqual(
    handedBack(new Error('Wrapped.', { cause: error })).map((buffer) => [...new Uint8Array(buffer)]),
    [[1, 2, 3]],
  );
  assert.deepEqual(handedBack(new Error('Another one.')), []);
});

test('a missing method is an error that names it', async () => {
  const other = remotePort<{ sets: { missing(): Promise<void> } }>(thread.call);
  await assert.rejects(other.sets.missing(), /no method sets\.missing/);
});

test('a remote port can be awaited without calling anything', async () => {
  const returned = await (async () => remote)();
  assert.equal(await returned.add(1, 1), 2);
});

test('an override replaces one method and leaves the others remote', async () => {
  const port = override<Calculator>(remote, { add: async (a, b) => a * b });
  assert.equal(await port.add(4, 5), 20);
  assert.equal(await port.bytes.measure(new Uint8Array(3)), 3);
});

test('wrong names and arguments do not compile', () => {
  const untried = () => {
    // @ts-expect-error there is no such method
    remote.subtract(1, 2);
    // @ts-expect-error a string is not a number
    remote.add('1', 2);
    // @ts-expect-error the answer is a number
    const text: Promise<string> = remote.add(1, 2);
    return text;
  };
  assert.equal(typeof untried, 'function');
});

test('a thread that has ended rejects open and later calls', async () => {
  const brief = startThread(new URL('./thread-host.ts', import.meta.url));
  const port = remotePort<Calculator>(brief.call);
  const open = assert.rejects(port.add(1, 2), /terminated/);
  await brief.terminate();
  await open;
  await assert.rejects(port.add(1, 2), /terminated/);
});

test('a remote port cannot be spread, which would lose its methods', () => {
  assert.throws(() => ({ ...remote }), /cannot be spread/);
  assert.throws(() => Object.keys(remote.bytes), /cannot be spread/);
});

// Pages that move to the store thread, and come back when they could not be written.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PageMover, withCopiedContent } from '../../../../../src/store/sqlite/pages/page-mover.ts';
import { donePage, sampleTask } from '../../../../conformance/job-samples.ts';
import { pageToStore, samplePage, sampleResult } from '../../../../conformance/samples.ts';

const text = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);
const own = (letters: string) => new Uint8Array(Buffer.from(letters));

function samplePageToStore() {
  const toStore = pageToStore(
    'key',
    'http://site.test/',
    { ...samplePage(''), bytes: own('body') },
    null,
    sampleResult(''),
  );
  toStore.result.outcome.content = own('{}');
  toStore.page.entry = own('entry');
  return toStore;
}

/** What `postMessage` does, followed by a failure in the thread. */
function sendAndFail(sent: unknown, buffers: ArrayBuffer[]): Error {
  const { moved } = structuredClone({ sent, moved: buffers }, { transfer: buffers });
  return new Error('The disk is full.', { cause: Object.assign(new Error(), { moved }) });
}

test('body, content and entry of a finished page move, and are back after a failure', () => {
  const toStore = samplePageToStore();
  const outcome = donePage({ ...sampleTask('/'), id: 1, jobId: '', attempt: 1 }, { toStore });
  const mover = new PageMover();
  const tasks = mover.tasks([{ id: 1, outcome }]);
  assert.equal(mover.buffers.length, 3);
  const error = sendAndFail(tasks, mover.buffers);
  assert.equal(toStore.page.fetched.bytes.byteLength, 0);
  mover.takeBack(error);
  const { result, page } = toStore;
  assert.deepEqual([result.outcome.content, page.fetched.bytes, page.entry].map(text), ['{}', 'body', 'entry']);
});

test('content that its caller still needs is copied, and so are views of a larger buffer', async () => {
  const toStore = samplePageToStore();
  toStore.page.fetched.bytes = own('a body in a buffer').subarray(2, 6);
  const mover = new PageMover();
  const moved = mover.toStore(await withCopiedContent(toStore));
  const error = sendAndFail(moved, mover.buffers);
  mover.takeBack(error);
  const { result, page } = toStore;
  assert.deepEqual([result.outcome.content, page.fetched.bytes, page.entry].map(text), ['{}', 'body', 'entry']);
});

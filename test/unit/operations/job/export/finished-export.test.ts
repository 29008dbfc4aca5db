// Exports of jobs that have ended: written once for everybody, given up with the last one who waits, made anew when gone.
import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { createFinishedExports } from '../../../../../src/operations/job/export/finished-export.ts';
import { HOUR, noise, START } from '../../../../conformance/samples.ts';
import { openTemporaryStore } from '../../../store/temporary-folder.ts';

const CSV = { of: ['job', START, 'csv'], expiresAt: START + HOUR, type: 'text/csv', jobId: 'job' };
const never = new AbortController().signal;

function maker(parts = 3) {
  let made = 0;
  let aborted = 0;
  const gate = Promise.withResolvers<void>();
  return {
    counts: () => ({ made, aborted }),
    go: gate.resolve,
    async *make(signal: AbortSignal) {
      made += 1;
      for (let part = 0; part < parts; part++) {
        yield noise(1_000);
        await gate.promise;
        if (signal.aborted) aborted += 1;
        signal.throwIfAborted();
      }
    },
  };
}

async function open(t: Parameters<typeof openTemporaryStore>[0], filesMaxBytes?: number) {
  const { store } = await openTemporaryStore(t, { ...(filesMaxBytes && { filesMaxBytes }) });
  return createFinishedExports({ files: store.files, clock: { now: () => START } });
}

test('ten requests at once are answered by one file, which later ones find', async (t) => {
  const exports = await open(t);
  const { make, go, counts } = maker();
  const wanted = { ...CSV, make, signal: never };
  const opening = Array.from({ length: 10 }, () => exports.open(wanted));
  go();
  const files = await Promise.all(opening);
  files.push(await exports.open(wanted));
  assert.deepEqual(counts(), { made: 1, aborted: 0 });
  assert.equal(new Set(files.map((file) => file!.etag)).size, 1);
  assert.match(files[0]!.etag, /^"[\da-f]{32}"$/);
  assert.ok((await buffer(files[3]!.read({ start: 1_000, end: 1_999 }))).equals(noise(1_000)));
});

test('a job that has run again, and another format, are other files', async (t) => {
  const exports = await open(t);
  const { make, go, counts } = maker();
  go();
  const wanted = { ...CSV, make, signal: never };
  const others = [
    { of: ['job', START + 1, 'csv'] },
    { of: ['job', START, 'jsonl'] },
    { of: ['b', START, 'csv'], jobId: 'b' },
  ];
  const files = [await exports.open(wanted)];
  for (const other of others) files.push(await exports.open({ ...wanted, ...other }));
  assert.equal(new Set(files.map((file) => file!.etag)).size, 4);
  assert.equal(counts().made, 4);
});

test('writing goes on while somebody waits, and is given up with the last one', async (t) => {
  const exports = await open(t);
  const { make, go, counts } = maker();
  const [first, second] = [new AbortController(), new AbortController()];
  const wanted = { ...CSV, make };
  const left = exports.open({ ...wanted, signal: first.signal });
  const stays = exports.open({ ...wanted, signal: never });
  const alone = exports.open({ ...wanted, of: ['jsonl'], signal: second.signal });
  while (counts().made < 2) await new Promise(setImmediate);
  first.abort(new Error('gone'));
  second.abort(new Error('gone, too'));
  await assert.rejects(left, /^Error: gone$/);
  await assert.rejects(alone, /gone, too/);
  go();
  assert.equal((await stays)?.size, 3_000);
  while (counts().aborted < 1) await new Promise(setImmediate);
  assert.deepEqual(counts(), { made: 2, aborted: 1 });
  assert.equal((await exports.open({ ...wanted, of: ['jsonl'], signal: never }))?.size, 3_000);
});

test('what takes too much space is not kept; a failure is not remembered', async (t) => {
  const exports = await open(t, 4_000);
  const { make, go, counts } = maker();
  go();
  const wanted = { ...CSV, make, signal: never };
  assert.equal(await exports.open(wanted), undefined);
  assert.equal(await exports.open(wanted), undefined, 'nobody writes it in vain again');
  assert.equal(counts().made, 1);
  const fails = async function* () {
    yield noise(10);
    throw new Error('the job is gone');
  };
  await assert.rejects(exports.open({ ...wanted, of: ['json'], make: fails }), /the job is gone/);
  assert.equal((await exports.open({ ...wanted, of: ['json'], make: maker(0).make }))?.size, 0);
});

// Every BlobStore adapter passes these tests.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, type TestContext, test } from 'node:test';
import type { BlobStore } from '../../src/store/ports/files/blob-store.ts';
import { temporaryFolder } from '../unit/store/temporary-folder.ts';
import { noise } from './samples.ts';

type OpenBlobs = (t: TestContext) => Promise<BlobStore>;

const same = (found: Uint8Array | undefined, bytes: Uint8Array, what: string) =>
  assert.ok(found && Buffer.from(bytes).equals(found), `${what}: ${found?.byteLength} bytes`);

export function testBlobStore(adapter: string, open: OpenBlobs, skip: string | false = false): void {
  describe(`BlobStore on ${adapter}`, { skip }, () => {
    test('bytes and files of every size come back unchanged', async (t) => {
      const blobs = await open(t);
      const folder = temporaryFolder(t);
      for (const size of [0, 1, 70_000, 1_048_576, 1_048_577, 20_000_000]) {
        const bytes = noise(size);
        const path = join(folder, 'file');
        await writeFile(path, bytes);
        await blobs.put(`bytes-${size}`, bytes);
        await blobs.put(`file-${size}`, { path, size });
        for (const kind of ['bytes', 'file']) {
          same(await blobs.read(`${kind}-${size}`), bytes, `${kind} ${size}`);
          same(await buffer((await blobs.stream(`${kind}-${size}`))!), bytes, `stream of ${kind} ${size}`);
        }
      }
    });

    test('a view of a larger buffer is stored as what it shows', async (t) => {
      const blobs = await open(t);
      const all = noise(300);
      await blobs.put('view', all.subarray(100, 200));
      same(await blobs.read('view'), noise(300).subarray(100, 200), 'view');
    });

    test('a range is both ends included, and may cross any inner border', async (t) => {
      const blobs = await open(t);
      const bytes = noise(2_500_000);
      await blobs.put('a', bytes);
      for (const [start, end] of [
        [0, 0],
        [1_000_000, 1_100_000],
        [1_048_575, 1_048_576],
        [2_499_999, 2_499_999],
      ] as const)
        same(
          await buffer((await blobs.stream('a', { start, end }))!),
          bytes.subarray(start, end + 1),
          `${start}-${end}`,
        );
    });

    test('what does not exist is undefined, and can be removed', async (t) => {
      const blobs = await open(t);
      assert.equal(await blobs.read('unknown'), undefined);
      assert.equal(await blobs.stream('unknown'), undefined);
      assert.equal(await blobs.stream('unknown', { start: 0, end: 3 }), undefined);
      await blobs.put('a', noise(10));
      await blobs.remove(['unknown', 'a', 'unknown']);
      await blobs.remove([]);
      assert.equal(await blobs.read('a'), undefined);
      assert.deepEqual(await blobs.list('', 10), []);
    });

    test('the list is in the order of names, goes on after any name, and knows sizes and times', async (t) => {
      const blobs = await open(t);
      const names = ['ff00', '00aa', 'a', 'ab', 'b0', '0'];
      await Promise.all(names.map((name, index) => blobs.put(name, noise(index))));
      const sorted = names.toSorted();
      const all = await blobs.list('', 100);
      assert.deepEqual(
        all.map(({ name, size }) => [name, size]),
        sorted.map((name) => [name, names.indexOf(name)]),
      );
      const [first] = all;
      assert.ok(all.every(({ writtenAt }) => Math.abs(writtenAt - first!.writtenAt) < 3_600_000));
      const seen: string[] = [];
      for (let after = ''; ; after = seen.at(-1)!) {
        const page = await blobs.list(after, 2);
        if (page.length === 0) break;
        seen.push(...page.map(({ name }) => name));
      }
      assert.deepEqual(seen, sorted);
      assert.deepEqual(
        (await blobs.list('aa', 1)).map(({ name }) => name),
        ['ab'],
      );
    });

    test('many blobs are written, read and removed at once', async (t) => {
      const blobs = await open(t);
      const names = Array.from({ length: 60 }, (_, index) => `n${index}`);
      await Promise.all(names.map((name, index) => blobs.put(name, noise(index * 100))));
      const read = await Promise.all(names.map((name) => blobs.read(name)));
      assert.deepEqual(
        read.map((bytes) => bytes?.byteLength),
        names.map((_, index) => index * 100),
      );
      await Promise.all([blobs.remove(names.slice(0, 40)), blobs.remove(names.slice(20))]);
      assert.deepEqual(await blobs.list('', 100), []);
    });
  });
}

// Every FileStore adapter passes these tests.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { SHARED } from '../../src/page/page-owner.ts';
import type { NewFile } from '../../src/store/ports/files/file-store.ts';
import { completePage, startJob } from './job-samples.ts';
import {
  DAY,
  DESKTOP,
  HOUR,
  noise,
  type OpenStore,
  pageToStore,
  queryFor,
  START,
  samplePage,
  sampleResult,
} from './samples.ts';

const file = (id: string, more: Partial<NewFile> = {}): NewFile => ({
  id,
  bytes: noise(1_000),
  type: 'image/png',
  createdAt: START,
  expiresAt: START + DAY,
  ...more,
});

export function testFileStore(adapter: string, open: OpenStore): void {
  describe(`FileStore on ${adapter}`, () => {
    test('small and large files come back unchanged', async (t) => {
      const { files } = await open(t);
      for (const size of [0, 1, 1_000, 65_536, 65_537, 3_000_000]) {
        const bytes = noise(size);
        await files.add(file(`of ${size}`, { bytes, type: 'application/pdf' }));
        const found = await files.find(`of ${size}`, START);
        assert.deepEqual([found?.type, found?.expiresAt], ['application/pdf', START + DAY]);
        assert.equal(found?.size, size);
        assert.ok((await buffer(found!.read())).equals(bytes), `${size} bytes`);
      }
    });

    test("adding a file leaves the caller's bytes intact, also for a view of a larger buffer", async (t) => {
      const { files } = await open(t);
      const all = noise(300);
      await files.add(file('part', { bytes: all.subarray(100, 200) }));
      assert.deepEqual(all, noise(300));
      assert.ok((await buffer((await files.find('part', START))!.read())).equals(noise(300).subarray(100, 200)));
    });

    test('a renewed file is kept until its new end, but never shorter than before', async (t) => {
      const { files } = await open(t);
      await files.add(file('a'));
      const times = (end: number) => ({ createdAt: START + HOUR, expiresAt: end });
      assert.deepEqual(await files.renew('a', times(START + 2 * DAY)), { type: 'image/png' });
      await files.renew('a', times(START + DAY));
      assert.equal((await files.find('a', START))?.expiresAt, START + 2 * DAY);
      assert.equal(await files.renew('unknown', times(START + DAY)), undefined);
    });

    test('the screenshot of a cached page stays with its page, and goes with the page or when room is needed', async (t) => {
      const { files, pages } = await open(t, { filesMaxBytes: 2_500 });
      const page = (key: string, shot: string) => {
        const screenshot = { options: 'full', file: shot };
        return {
          key,
          owner: SHARED,
          url: `http://site.test/${key}`,
          variant: DESKTOP,
          rank: 0,
          screenshot,
          expiresAt: null,
        };
      };
      const save = (key: string, shot: string) =>
        pages.save({ page: { ...page(key, shot), fetched: samplePage('') }, result: sampleResult('') });
      const shown = async (key: string) => (await pages.find(queryFor(key, { screenshot: 'full' })))?.screenshot;
      await files.add(file('a'));
      await save('one', 'a');
      await save('two', 'gone already');
      assert.deepEqual([await shown('one'), await shown('two')], ['a', undefined]);
      assert.equal(await pages.find(queryFor('one', { screenshot: 'other' })), undefined);
      assert.ok(await pages.find(queryFor('two')));
      await pages.sweep(START + 2 * DAY);
      assert.equal(await shown('one'), 'a', 'no link to it is valid, but it can be renewed');
      await pages.delete('http://site.test/one', SHARED);
      await pages.sweep(START + 2 * DAY);
      assert.equal(await files.renew('a', { createdAt: START, expiresAt: START }), undefined);
      await files.add(file('b'));
      await save('three', 'b');
      await files.add(file('c', { createdAt: START + 1 }));
      await files.add(file('d', { createdAt: START + 2 }));
      assert.equal(await shown('three'), undefined, 'the oldest file made room');
      assert.ok(await pages.find(queryFor('three')));
    });

    test('a range of a file can be read, small or large', async (t) => {
      const { files } = await open(t);
      for (const size of [1_000, 300_000]) {
        await files.add(file(`of ${size}`, { bytes: noise(size) }));
        const found = await files.find(`of ${size}`, START);
        const part = await buffer(found!.read({ start: 10, end: size - 11 }));
        assert.ok(part.equals(noise(size).subarray(10, size - 10)), `${size} bytes`);
      }
    });

    test('a file on disk is moved into the store and then behaves like any other', async (t) => {
      const { files, pages } = await open(t, { filesMaxBytes: 400_000 });
      const adopt = async (id: string, createdAt: number) => {
        const path = join(mkdtempSync(join(tmpdir(), 'trawl-adopted-')), 'file');
        t.after(() => rmSync(dirname(path), { recursive: true, force: true }));
        writeFileSync(path, noise(150_000));
        await files.adopt({ id, path, type: 'video/mp4', createdAt, expiresAt: START + HOUR });
        return path;
      };
      assert.equal(existsSync(await adopt('first', START)), false);
      const found = await files.find('first', START);
      assert.deepEqual([found?.type, found?.size, found?.expiresAt], ['video/mp4', 150_000, START + HOUR]);
      assert.ok((await buffer(found!.read())).equals(noise(150_000)));
      await adopt('second', START + 1);
      await adopt('third', START + 2);
      assert.equal(await files.find('first', START), undefined, 'the oldest file made room for it');
      assert.ok(await files.find('third', START));
      await pages.sweep(START + HOUR);
      assert.equal(await files.find('third', START), undefined);
    });

    test('a file is written while its content comes, unless it takes too much space', async (t) => {
      const { files } = await open(t, { filesMaxBytes: 1_000_000 });
      const facts = { type: 'text/csv', createdAt: START, expiresAt: START + HOUR };
      const parts = async function* (count: number) {
        for (let part = 0; part < count; part++) yield noise(100_000);
      };
      assert.equal(await files.write({ ...facts, id: 'fits' }, parts(5)), true);
      const found = await files.find('fits', START);
      assert.equal(found?.size, 500_000);
      assert.ok((await buffer(found!.read({ start: 100_000, end: 199_999 }))).equals(noise(100_000)));
      assert.equal(await files.write({ ...facts, id: 'empty' }, parts(0)), true);
      assert.equal((await files.find('empty', START))?.size, 0);
      assert.equal(await files.write({ ...facts, id: 'more than half' }, parts(6)), false);
      assert.equal(await files.find('more than half', START), undefined);
      await assert.rejects(files.write({ ...facts, id: 'fits' }, parts(1)));
      assert.equal((await files.find('fits', START))?.size, 500_000, 'a second file does not replace the first');
    });

    test('files that hold the documents of a job make room before older ones, and go with their job', async (t) => {
      const store = await open(t, { filesMaxBytes: 3_500 });
      const { files } = store;
      const running = await startJob(store);
      await completePage(running, '/');
      const known = async (...ids: string[]) => {
        const found = await Promise.all(ids.map((id) => files.find(id, START)));
        return ids.filter((_, index) => found[index] !== undefined);
      };
      await files.add(file('old'));
      await files.add(file('export', { createdAt: START + 1, jobId: running.id }));
      await files.add(file('young', { createdAt: START + 2 }));
      await files.add(file('another', { createdAt: START + 3 }));
      assert.deepEqual(await known('old', 'export', 'young', 'another'), ['old', 'young', 'another']);
      const later = START + 9 * DAY;
      await files.add(file('of the job', { createdAt: START + 4, expiresAt: later, jobId: running.id }));
      await files.add(file('of another', { createdAt: START + 5, expiresAt: later, jobId: 'another job' }));
      await store.pages.sweep(START + DAY);
      assert.deepEqual(await known('of the job', 'of another'), ['of another']);
    });

    test('an unknown id finds nothing', async (t) => {
      const { files } = await open(t);
      await files.add(file('known'));
      assert.equal(await files.find('unknown', START), undefined);
    });

    test('a file is found until it expires, swept or not', async (t) => {
      const { files, pages } = await open(t);
      await files.add(file('short', { expiresAt: START + HOUR }));
      await files.add(file('long'));
      assert.ok(await files.find('short', START + HOUR - 1));
      assert.equal(await files.find('short', START + HOUR), undefined);
      await pages.sweep(START + HOUR);
      assert.equal(await files.find('short', START), undefined);
      assert.ok(await files.find('long', START + HOUR));
    });

    test('when files exceed their total size limit, the oldest are removed first', async (t) => {
      const { files } = await open(t, { filesMaxBytes: 3_500 });
      const there = async () => {
        const found = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(async (id) => [id, await files.find(id, START)]));
        return found.flatMap(([id, it]) => (it ? [id] : []));
      };
      // Added in another order than they were created.
      for (const [id, age] of [['b', 4] as const, ['a', 5] as const, ['c', 3] as const]) {
        await files.add(file(id, { createdAt: START - age }));
      }
      assert.deepEqual(await there(), ['a', 'b', 'c']);
      await files.add(file('d', { createdAt: START - 2 }));
      assert.deepEqual(await there(), ['b', 'c', 'd']);
      await files.add(file('e', { bytes: noise(2_500) }));
      assert.deepEqual(await there(), ['d', 'e']);
    });

    test('a file larger than the total size limit can still be fetched', async (t) => {
      const { files } = await open(t, { filesMaxBytes: 100 });
      await files.add(file('large'));
      assert.ok(await files.find('large', START));
    });

    test('files and cached pages have separate limits', async (t) => {
      const { files, pages } = await open(t, { cacheMaxBytes: 10_000, filesMaxBytes: 10_000 });
      await pages.save(
        pageToStore('page', 'http://site.test/', { ...samplePage(''), bytes: noise(8_000) }, null, sampleResult('')),
      );
      await files.add(file('file', { bytes: noise(8_000) }));
      await pages.sweep(START);
      assert.ok(await pages.find(queryFor('page')));
      assert.ok(await files.find('file', START));
    });
  });
}

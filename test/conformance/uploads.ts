// Every UploadStore adapter passes these tests.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { NewUpload, UploadContent } from '../../src/store/ports/files/upload-store.ts';
import { DAY, MINUTE, noise, type OpenStore, START } from './samples.ts';

const LIMIT = 3;

async function* inPieces(bytes: Uint8Array, length = 40_000): UploadContent {
  for (let at = 0; at < bytes.byteLength; at += length) yield bytes.subarray(at, at + length);
}

async function* brokenOff(): UploadContent {
  yield noise(10);
  throw new Error('The line was cut.');
}

export function testUploadStore(adapter: string, open: OpenStore): void {
  describe(`UploadStore on ${adapter}`, () => {
    const opened = async (t: Parameters<OpenStore>[0]) => {
      const { uploads, teams, pages } = await open(t);
      const [own, other] = await Promise.all(['own', 'other'].map((name) => teams.ensureTeam(name, START)));
      const upload = (id: string, more: Partial<NewUpload> = {}): NewUpload => ({
        id,
        teamId: own!.id,
        name: 'report.pdf',
        type: 'application/pdf',
        createdAt: START,
        openUntil: START + 10 * MINUTE,
        expiresAt: START + DAY,
        ...more,
      });
      return { uploads, pages, own: own!, other: other!, upload };
    };
    const bytesOf = (found: Uint8Array | undefined) => found && new Uint8Array(found);

    test('held content comes back unchanged, and can be read repeatedly', async (t) => {
      const { uploads } = await opened(t);
      for (const size of [0, 1, 40_000, 3_000_001]) {
        const held = await uploads.hold(inPieces(noise(size)));
        assert.equal(held.size, size);
        assert.deepEqual(bytesOf(await held.read()), noise(size));
        assert.deepEqual(bytesOf(await held.read()), noise(size));
        await held.release();
      }
    });

    test('content that breaks off is not held', async (t) => {
      const { uploads } = await opened(t);
      await assert.rejects(uploads.hold(brokenOff()), /The line was cut/);
    });

    test('an upload has no file until one is received', async (t) => {
      const { uploads, own, upload } = await opened(t);
      assert.equal(await uploads.add(upload('a', { declaredSize: 90_000 }), LIMIT), true);
      const facts = {
        teamId: own.id,
        name: 'report.pdf',
        type: 'application/pdf',
        declaredSize: 90_000,
        openUntil: START + 10 * MINUTE,
        expiresAt: START + DAY,
      };
      assert.deepEqual({ ...(await uploads.find('a', START)) }, facts);
      assert.equal(await uploads.read('a', START), undefined);

      assert.equal(await uploads.receive('a', inPieces(noise(90_000))), true);
      assert.deepEqual({ ...(await uploads.find('a', START)) }, { ...facts, size: 90_000 });
      assert.deepEqual(bytesOf(await uploads.read('a', START)), noise(90_000));
    });

    test('empty and small files are files too', async (t) => {
      const { uploads, upload } = await opened(t);
      for (const size of [0, 5]) {
        await uploads.add(upload(`of ${size}`), LIMIT);
        assert.equal(await uploads.receive(`of ${size}`, inPieces(noise(size))), true);
        assert.deepEqual(bytesOf(await uploads.read(`of ${size}`, START)), noise(size));
      }
    });

    test('the first file counts; a second file, or one for an unknown upload, is refused', async (t) => {
      const { uploads, upload } = await opened(t);
      await uploads.add(upload('a'), LIMIT);
      assert.equal(await uploads.receive('a', inPieces(noise(100))), true);
      assert.equal(await uploads.receive('a', inPieces(noise(200))), false);
      assert.equal(await uploads.receive('unknown', inPieces(noise(200))), false);
      assert.deepEqual(bytesOf(await uploads.read('a', START)), noise(100));
    });

    test('a file that breaks off leaves the upload open for another', async (t) => {
      const { uploads, upload } = await opened(t);
      await uploads.add(upload('a'), LIMIT);
      await assert.rejects(uploads.receive('a', brokenOff()), /The line was cut/);
      assert.equal((await uploads.find('a', START))?.size, undefined);
      assert.equal(await uploads.receive('a', inPieces(noise(100))), true);
    });

    test('a removed upload is gone', async (t) => {
      const { uploads, upload } = await opened(t);
      await uploads.add(upload('a'), LIMIT);
      await uploads.receive('a', inPieces(noise(100)));
      await uploads.remove('a');
      await uploads.remove('unknown');
      assert.equal(await uploads.find('a', START), undefined);
      assert.equal(await uploads.read('a', START), undefined);
    });

    test('an upload without a file expires early, one with a file later, swept or not', async (t) => {
      const { uploads, pages, upload } = await opened(t);
      await uploads.add(upload('empty'), LIMIT);
      await uploads.add(upload('full'), LIMIT);
      await uploads.receive('full', inPieces(noise(100)));
      assert.ok(await uploads.find('empty', START + 10 * MINUTE - 1));
      assert.equal(await uploads.find('empty', START + 10 * MINUTE), undefined);
      assert.ok(await uploads.read('full', START + DAY - 1));
      assert.equal(await uploads.find('full', START + DAY), undefined);
      assert.equal(await uploads.read('full', START + DAY), undefined);
      await pages.sweep(START + DAY);
      assert.equal(await uploads.find('full', START), undefined);
    });

    test('a team has a limited number of uploads, with or without a file', async (t) => {
      const { uploads, upload, other } = await opened(t);
      for (const id of ['a', 'b', 'c']) assert.equal(await uploads.add(upload(id), LIMIT), true);
      assert.equal(await uploads.add(upload('d'), LIMIT), false);
      assert.equal(await uploads.find('d', START), undefined);
      assert.equal(await uploads.add(upload('theirs', { teamId: other.id }), LIMIT), true);

      await uploads.receive('a', inPieces(noise(100)));
      assert.equal(await uploads.add(upload('d'), LIMIT), false);
      await uploads.remove('a');
      assert.equal(await uploads.add(upload('d'), LIMIT), true);

      // Uploads without a file do not count for long.
      await uploads.receive('b', inPieces(noise(100)));
      const later = { createdAt: START + 10 * MINUTE, openUntil: START + 20 * MINUTE };
      assert.equal(await uploads.add(upload('e', later), LIMIT), true);
      assert.equal(await uploads.add(upload('f', later), LIMIT), true);
      assert.equal(await uploads.add(upload('g', later), LIMIT), false);
    });
  });
}

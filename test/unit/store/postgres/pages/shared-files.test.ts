// Several processes receive and remove files: the first one counts, one process sweeps, and only orphans go.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { UploadContent } from '../../../../../src/store/ports/files/upload-store.ts';
import { createSweeper } from '../../../../../src/store/postgres/pages/sweep/sweeper.ts';
import { hasPostgres } from '../../../../conformance/open-postgres.ts';
import {
  DAY,
  MINUTE,
  noise,
  pageToStore,
  queryFor,
  START,
  samplePage,
  sampleResult,
} from '../../../../conformance/samples.ts';
import { openProcesses } from './several-processes.ts';

const LARGE = 200_000;

async function* contentOf(bytes: Uint8Array): UploadContent {
  yield bytes;
}

describe('files of several processes', { skip: !hasPostgres && 'It runs with npm run test:cluster' }, () => {
  test('a file that two receive at once counts once, and any process reads it', async (t) => {
    const { a, b, database, teamId } = await openProcesses(t);
    const times = { createdAt: START, openUntil: START + MINUTE, expiresAt: START + DAY };
    await a.uploads.add({ id: 'u', teamId, name: 'a\0b.pdf', type: 'application/pdf', ...times }, 3);
    const files = [noise(LARGE, 1), noise(LARGE, 2)];
    const received = await Promise.all([a, b].map(({ uploads }, n) => uploads.receive('u', contentOf(files[n]!))));
    assert.deepEqual(received.toSorted(), [false, true]);
    const first = files[received.indexOf(true)]!;
    for (const { uploads } of [a, b]) assert.deepEqual(new Uint8Array((await uploads.read('u', START))!), first);
    assert.equal((await b.uploads.find('u', START))?.name, 'a\0b.pdf');
    assert.equal((await database.sql`SELECT 1 FROM blobs`).length, 1, 'the other one leaves nothing');
  });

  test('a team that adds uploads everywhere at once has no more than it may', async (t) => {
    const { a, b, teamId } = await openProcesses(t);
    const times = { createdAt: START, openUntil: START + MINUTE, expiresAt: START + DAY };
    const upload = (n: number) => ({ id: `u${n}`, teamId, name: 'f', type: 't', ...times });
    const added = await Promise.all(Array.from({ length: 8 }, (_, n) => [a, b][n % 2]!.uploads.add(upload(n), 3)));
    assert.equal(added.filter(Boolean).length, 3);
  });

  test('a profile that two save at once is one of them, and nothing is left of the other', async (t) => {
    const { a, b, database, teamId } = await openProcesses(t);
    const states = ['a', 'b'].map((text) => JSON.stringify([text, Buffer.from(noise(LARGE)).toString('base64')]));
    await Promise.all(states.map((state, n) => [a, b][n]!.profiles.write(teamId, 'p', state, START)));
    assert.ok(states.includes((await b.profiles.read(teamId, 'p'))!));
    await a.pages.sweep(START);
    assert.equal((await database.sql`SELECT 1 FROM blobs`).length, 1);
  });

  test('while one process sweeps, another one does not; after its death, it takes over', async (t) => {
    const { base, database } = await openProcesses(t);
    const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = createSweeper(base, [
      async () => {
        begun.resolve();
        await goOn.promise;
        return 0;
      },
    ]);
    let swept = 0;
    const other = createSweeper(base, [
      async () => {
        swept += 1;
        return 0;
      },
    ]);
    const sweeping = slow.sweep(START);
    await begun.promise;
    await other.sweep(START);
    assert.equal(swept, 0);
    await database.sql`UPDATE sweep_lease SET ends_at = now() - interval '1 second'`;
    await other.sweep(START);
    assert.equal(swept, 1);
    goOn.resolve();
    await sweeping;
    await other.sweep(START);
    assert.equal(swept, 2);
  });

  test('the sweep goes on until nothing is left, also of what it has set free', async (t) => {
    const { base } = await openProcesses(t);
    let [jobs, results] = [250, 0];
    const remove = (count: number, limit: number) => Math.min(count, limit);
    await createSweeper(base, [
      async (_now, limit) => {
        const removed = remove(results, limit);
        results -= removed;
        return removed;
      },
      async (_now, limit) => {
        const removed = remove(jobs, limit);
        jobs -= removed;
        results += removed;
        return removed;
      },
    ]).sweep(START);
    assert.deepEqual([jobs, results], [0, 0]);
  });

  test('orphans older than an hour go, and blobs that rows name stay', async (t) => {
    const { a, b, base, database } = await openProcesses(t);
    const page = { ...samplePage('x'), bytes: noise(LARGE) };
    await a.pages.save(pageToStore('key', 'http://site.test/', page, null, sampleResult('x')));
    await a.files.add({
      id: 'f'.repeat(32),
      type: 'image/png',
      bytes: noise(LARGE),
      createdAt: START,
      expiresAt: START + DAY,
    });
    for (const name of ['0-orphan', 'f-orphan', 'young']) await base.blobs.put(name, noise(10));
    await database.sql`UPDATE blobs SET written_at = now() - interval '61 minutes' WHERE name <> 'young'`;
    await b.pages.sweep(START);
    const names = (await database.sql<{ name: string }[]>`SELECT name FROM blobs`).map(({ name }) => name);
    assert.equal(names.length, 3, names.join(' '));
    assert.ok(names.includes('young'));
    const found = await b.pages.find(queryFor('key', { transformKey: undefined }));
    assert.deepEqual(found && 'bytes' in found && found.bytes, noise(LARGE));
  });

  test('the bodies of removed rows go with the next sweep', async (t) => {
    const { a, b, database } = await openProcesses(t);
    await a.files.add({
      id: 'f'.repeat(32),
      type: 'image/png',
      bytes: noise(LARGE),
      createdAt: START,
      expiresAt: START + 1,
    });
    await b.pages.sweep(START + 2);
    assert.equal((await database.sql`SELECT 1 FROM blobs`).length, 0);
    assert.equal((await database.sql`SELECT 1 FROM removed_blobs`).length, 0);
  });
});

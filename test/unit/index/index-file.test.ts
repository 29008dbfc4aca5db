// The index file: it survives restarts, is recreated when it is unreadable, and never prevents a start.
import assert from 'node:assert/strict';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPageIndex } from '../../../src/index/open-index.ts';
import type { PageIndex } from '../../../src/index/page-index.ts';
import { changeOf, feed, filler, queryOf, searchOf, urlsOf } from '../../conformance/page-index-samples.ts';
import { fullTest, test } from '../../support/full-run.ts';
import { temporaryFolder } from '../store/temporary-folder.ts';

const A = 'https://a.example/page';

const fileOf = (t: TestContext): string => join(temporaryFolder(t), 'index.db');

async function fillIndex(file: string): Promise<void> {
  const index = await openPageIndex({ file });
  await feed(index, {
    url: A,
    title: 'Seals',
    body: 'grey seals',
    links: [{ url: 'https://b.example/', text: 'walrus' }],
  });
  await feed(index, 'https://gone.example/', { url: 'https://b.example/', body: 'x', countries: ['DE'] });
  await index.close();
}

test('indexed pages are found after a restart, in the same order with the same scores', async (t) => {
  const file = fileOf(t);
  await fillIndex(file);
  const first = await openPageIndex({ file });
  const before = await first.web(searchOf(queryOf('seals walrus'), { highlights: true }));
  await first.close();
  const again = await openPageIndex({ file });
  t.after(() => again.close());
  assert.equal(before.length, 2);
  assert.deepEqual(await again.web(searchOf(queryOf('seals walrus'), { highlights: true })), before);
  assert.equal(await again.applied(), 3);
  await again.apply([changeOf(A, 2)]);
  assert.equal((await again.stats()).pages, 2, 'changes that were already applied are skipped');
  await feed(again, A);
  assert.deepEqual(await urlsOf(again, queryOf('seals')), []);
});

test('no thread is started and no file is created before the first call', async (t) => {
  const file = fileOf(t);
  const index = await openPageIndex({ file });
  assert.equal(existsSync(file), false);
  await index.close();
  assert.equal(existsSync(file), false);
  await assert.rejects(index.applied(), { code: 'SERVICE_UNAVAILABLE' });
});

test('only the owner may read the file', async (t) => {
  const file = fileOf(t);
  await fillIndex(file);
  assert.equal(statSync(file).mode & 0o777, 0o600);
});

const DAMAGES: [string, (file: string) => void][] = [
  ['is not a database', (file) => writeFileSync(file, 'not a database '.repeat(1000))],
  ['is empty', (file) => writeFileSync(file, '')],
  [
    'has a newer version and other tables',
    (file) => {
      const database = new DatabaseSync(file);
      database.exec('PRAGMA user_version = 9999; ALTER TABLE docs ADD COLUMN colour TEXT');
      database.close();
    },
  ],
  [
    'lacks a table',
    (file) => {
      const database = new DatabaseSync(file);
      database.exec('DROP TABLE docs');
      database.close();
    },
  ],
  [
    'is half overwritten',
    (file) => {
      const half = statSync(file).size / 2;
      const database = new DatabaseSync(file);
      database.exec('PRAGMA journal_mode = DELETE');
      database.close();
      const handle = openSync(file, 'r+');
      writeSync(handle, Buffer.alloc(half, 0x55), 0, half, half);
      closeSync(handle);
    },
  ],
];

for (const [what, damage] of DAMAGES) {
  test(`a file that ${what} is recreated and can be filled again`, async (t) => {
    const file = fileOf(t);
    await fillIndex(file);
    damage(file);
    const index = await openPageIndex({ file });
    t.after(() => index.close());
    // Damage may surface only in use: that call fails, and the next one finds an empty index.
    await index.web(searchOf(queryOf('seals'))).catch(() => {});
    if ((await index.applied()) !== 0) await feed(index, { url: A, body: 'x' }).catch(() => {});
    assert.equal(await index.applied(), 0);
    await feed(index, { url: A, body: 'seals' });
    assert.deepEqual(await urlsOf(index, queryOf('seals')), [A]);
  });
}

test('a file that cannot be opened fails the call and is not removed', async (t) => {
  const file = fileOf(t);
  mkdirSync(file);
  const crashes: Error[] = [];
  const index = await openPageIndex({ file, onCrash: (error) => crashes.push(error) });
  await assert.rejects(index.applied(), { code: 'UNKNOWN_ERROR' });
  assert.equal(crashes.length, 1);
  assert.ok(statSync(file).isDirectory());
  await index.close().catch(() => {});
});

test('after the obstacle is removed, the next call starts a new thread', async (t) => {
  const file = fileOf(t);
  mkdirSync(file);
  const index = await openPageIndex({ file });
  t.after(() => index.close());
  await assert.rejects(index.applied());
  rmSync(file, { recursive: true });
  assert.equal(await index.applied(), 0);
});

test('an idle thread is stopped, and the next call finds everything', async (t) => {
  const index = await openPageIndex({ file: fileOf(t), idleMs: 1 });
  t.after(() => index.close());
  for (const word of ['seals', 'walrus', 'otter']) {
    await feed(index, { url: `https://a.example/${word}`, body: word });
    await sleep(50);
    assert.deepEqual(await urlsOf(index, queryOf(word)), [`https://a.example/${word}`]);
  }
  assert.equal((await index.stats()).pages, 3);
});

test('a search during a long ingest is answered before the ingest ends', async (t) => {
  const index = await openPageIndex({ file: fileOf(t) });
  t.after(() => index.close());
  const changes = Array.from({ length: 600 }, (_, i) =>
    changeOf({ url: `https://h${i}.example/`, body: `seal ${filler(200)}` }, i + 1),
  );
  const order: string[] = [];
  await Promise.all([
    index.apply(changes).then(() => order.push('fed')),
    index.web(searchOf(queryOf('seal'))).then(() => order.push('found')),
  ]);
  assert.deepEqual(order, ['found', 'fed']);
});

fullTest('closing waits for changes that are being applied', async (t) => {
  const file = fileOf(t);
  const index = await openPageIndex({ file });
  const changes = Array.from({ length: 300 }, (_, i) =>
    changeOf({ url: `https://h${i}.example/`, body: 'seal' }, i + 1),
  );
  const fed = index.apply(changes);
  await index.close();
  await fed;
  const again = await openPageIndex({ file });
  t.after(() => again.close());
  assert.equal(await again.applied(), 300);
});

test('a thread that nobody has searched in ends on request, and the next call starts another', async (t) => {
  const file = fileOf(t);
  const index = await openPageIndex({ file });
  t.after(() => index.close());
  const isOpen = () => existsSync(`${file}-wal`);
  await feed(index, { url: A, title: 'Seals', body: 'grey seals' });
  assert.equal(isOpen(), true);
  await index.endUnlessSearched();
  assert.equal(isOpen(), false);
  assert.deepEqual(await urlsOf(index, queryOf('seals')), [A]);
  await index.endUnlessSearched();
  assert.equal(isOpen(), true);
});

function giveOlderWords(file: string): void {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA user_version = 9999');
  database.close();
}

const searched = (index: PageIndex) => urlsOf(index, queryOf('seals'));

test('an index with older words answers until another one is filled, even if that is interrupted', async (t) => {
  const file = fileOf(t);
  await fillIndex(file);
  giveOlderWords(file);
  const index = await openPageIndex({ file });
  assert.deepEqual(await searched(index), [A]);
  assert.equal(await index.applied(), 3);
  assert.equal(await index.appliedNext(), 0);
  await index.applyNext([changeOf({ url: A, body: 'seals', title: 'New' }, 1)]);
  await index.close();

  const again = await openPageIndex({ file });
  assert.equal(await again.appliedNext(), 1, 'it goes on where it was');
  assert.deepEqual(await searched(again), [A]);
  const [change, removal] = [changeOf({ url: 'https://late.example/', body: 'seals' }, 4), changeOf(A, 5)];
  await again.apply([change, removal]);
  assert.deepEqual(await searched(again), ['https://late.example/'], 'what is new can be found meanwhile');
  await again.applyNext([changeOf({ url: 'https://b.example/', body: 'x' }, 3)]);
  assert.notEqual(await again.appliedNext(), undefined);
  await again.applyNext([changeOf({ url: 'https://late.example/', body: 'seals' }, 4)]);
  await again.applyNext([]);
  assert.equal(await again.appliedNext(), undefined);
  assert.equal(existsSync(`${file}.next`), false);
  assert.deepEqual(await searched(again), ['https://late.example/'], 'a removal that the feed has forgotten is known');
  await again.close();

  const last = await openPageIndex({ file });
  t.after(() => last.close());
  assert.equal(await last.applied(), 4);
  assert.equal((await last.stats()).pages, 2);
});

test('a file that was moved, but not all of it, is found again', async (t) => {
  const file = fileOf(t);
  await fillIndex(file);
  renameSync(file, `${file}.next`);
  const index = await openPageIndex({ file });
  t.after(() => index.close());
  assert.deepEqual(await searched(index), [A]);
});

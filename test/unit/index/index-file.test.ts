// The file of the index: kept over restarts, begun anew when it cannot be read, and never a reason not to start.
import assert from 'node:assert/strict';
import { closeSync, existsSync, mkdirSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPageIndex } from '../../../src/index/open-index.ts';
import { changeOf, feed, filler, queryOf, searchOf, urlsOf } from '../../conformance/page-index-samples.ts';
import { temporaryFolder } from '../store/temporary-folder.ts';

const A = 'https://a.example/page';

const fileOf = (t: TestContext): string => join(temporaryFolder(t), 'index.db');

async function filled(file: string): Promise<void> {
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

test('what was taken in is there after a restart, in the same order with the same scores', async (t) => {
  const file = fileOf(t);
  await filled(file);
  const first = await openPageIndex({ file });
  const before = await first.web(searchOf(queryOf('seals walrus'), { highlights: true }));
  await first.close();
  const again = await openPageIndex({ file });
  t.after(() => again.close());
  assert.equal(before.length, 2);
  assert.deepEqual(await again.web(searchOf(queryOf('seals walrus'), { highlights: true })), before);
  assert.equal(await again.applied(), 3);
  await again.apply([changeOf(A, 2)]);
  assert.equal((await again.stats()).pages, 2, 'what it had taken in before is passed over');
  await feed(again, A);
  assert.deepEqual(await urlsOf(again, queryOf('seals')), []);
});

test('no thread runs and no file is there before the first call', async (t) => {
  const file = fileOf(t);
  const index = await openPageIndex({ file });
  assert.equal(existsSync(file), false);
  await index.close();
  assert.equal(existsSync(file), false);
  await assert.rejects(index.applied(), { code: 'SERVICE_UNAVAILABLE' });
});

test('only its owner may read the file', async (t) => {
  const file = fileOf(t);
  await filled(file);
  assert.equal(statSync(file).mode & 0o777, 0o600);
});

const DAMAGES: [string, (file: string) => void][] = [
  ['is no database', (file) => writeFileSync(file, 'not a database '.repeat(1000))],
  ['is empty', (file) => writeFileSync(file, '')],
  [
    'is of a newer version',
    (file) => {
      const database = new DatabaseSync(file);
      database.exec('PRAGMA user_version = 9999');
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
    'was cut off',
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
  test(`a file that ${what} is begun anew, and can be fed again`, async (t) => {
    const file = fileOf(t);
    await filled(file);
    damage(file);
    const index = await openPageIndex({ file });
    t.after(() => index.close());
    // Damage inside the file may show only in use: then that call fails, and the next finds an empty index.
    await index.web(searchOf(queryOf('seals'))).catch(() => {});
    if ((await index.applied()) !== 0) await feed(index, { url: A, body: 'x' }).catch(() => {});
    assert.equal(await index.applied(), 0);
    await feed(index, { url: A, body: 'seals' });
    assert.deepEqual(await urlsOf(index, queryOf('seals')), [A]);
  });
}

test('a file that cannot be opened is an error of the call, and nothing is removed', async (t) => {
  const file = fileOf(t);
  mkdirSync(file);
  const crashes: Error[] = [];
  const index = await openPageIndex({ file, onCrash: (error) => crashes.push(error) });
  await assert.rejects(index.applied(), { code: 'UNKNOWN_ERROR' });
  assert.equal(crashes.length, 1);
  assert.ok(statSync(file).isDirectory());
  await index.close().catch(() => {});
});

test('once the way is free, the next call starts another thread', async (t) => {
  const file = fileOf(t);
  mkdirSync(file);
  const index = await openPageIndex({ file });
  t.after(() => index.close());
  await assert.rejects(index.applied());
  rmSync(file, { recursive: true });
  assert.equal(await index.applied(), 0);
});

test('a thread without work is ended, and the next call finds everything', async (t) => {
  const index = await openPageIndex({ file: fileOf(t), idleMs: 1 });
  t.after(() => index.close());
  for (const word of ['seals', 'walrus', 'otter']) {
    await feed(index, { url: `https://a.example/${word}`, body: word });
    await sleep(50);
    assert.deepEqual(await urlsOf(index, queryOf(word)), [`https://a.example/${word}`]);
  }
  assert.equal((await index.stats()).pages, 3);
});

test('a search that comes during a long feed is answered before it ends', async (t) => {
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

test('closing waits for what is being taken in', async (t) => {
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

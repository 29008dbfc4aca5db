// What leaves the index is gone from its file: URL, title, description and text.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { openPageIndex } from '../../../../src/index/open-index.ts';
import { createLogEmptier } from '../../../../src/index/upkeep/empty-log.ts';
import { createConnection } from '../../../../src/runtime/sqlite/sqlite.ts';
import { feed } from '../../../conformance/page-index-samples.ts';
import { findInFolder } from '../../../support/found-bytes.ts';

const SECRET = 'seven secret whales';
const URL_OF_PAGE = 'http://site.test/whales-4711';

function folderFor(t: { after(end: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-erasure-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('a page that was removed or replaced', async (t) => {
  const folder = folderFor(t);
  const index = await openPageIndex({ file: join(folder, 'index.db') });
  const page = { url: URL_OF_PAGE, title: SECRET, description: SECRET, body: `We saw ${SECRET}. `.repeat(900) };
  const other = { url: 'http://site.test/other', title: 'Other', body: `Here are ${SECRET}, too.` };
  await feed(index, page, other);
  assert.ok(findInFolder(folder, [SECRET, URL_OF_PAGE]).length > 0, 'it was there before');
  await feed(index, URL_OF_PAGE, { ...other, body: 'Something else by now.' });
  await index.close();
  assert.deepEqual(findInFolder(folder, [SECRET, URL_OF_PAGE]), []);
});

test('the log is emptied once a minute at most', (t) => {
  const folder = folderFor(t);
  const database = new DatabaseSync(join(folder, 'log.db'));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON; CREATE TABLE texts (text TEXT)');
  let now = 0;
  const emptyLog = createLogEmptier(createConnection(database), () => now);
  const addAndRemove = () => database.exec(`INSERT INTO texts VALUES ('${SECRET}'); DELETE FROM texts`);
  addAndRemove();
  emptyLog();
  assert.notDeepEqual(findInFolder(folder, [SECRET]), []);
  now += 60_000;
  emptyLog();
  assert.deepEqual(findInFolder(folder, [SECRET]), []);
  database.close();
});

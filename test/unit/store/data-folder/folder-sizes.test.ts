// Sizes of the data folder by part, exact for few files and scaled for many.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { measureFolder } from '../../../../src/store/data-folder/folder-sizes.ts';

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-sizes-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const write = (name: string, bytes: number) => writeFileSync(join(folder, name), new Uint8Array(bytes));
  for (const name of ['incoming', 'blobs', 'threat-lists']) mkdirSync(join(folder, name));
  write('store.db', 100);
  write('store.db-wal', 20);
  write('index.db', 30);
  write('reserve', 7);
  write('secret', 1);
  write('threat-lists/one', 5);
  for (let prefix = 0; prefix < 10; prefix++) {
    mkdirSync(join(folder, 'blobs', String(prefix)));
    for (let file = 0; file < 4; file++) write(`blobs/${prefix}/${file}`, 10);
  }
  return folder;
}

test('each part is measured, and unknown files count as others', async (t) => {
  const { parts, freeBytes, diskBytes } = await measureFolder(makeFolder(t));
  const exact = (bytes: number, files: number) => ({ bytes, files, isEstimate: false });
  assert.deepEqual(parts, {
    store: exact(120, 2),
    index: exact(30, 1),
    blobs: exact(400, 40),
    uploads: exact(0, 0),
    reserve: exact(7, 1),
    other: exact(6, 2),
  });
  assert.ok(freeBytes > 0 && diskBytes >= freeBytes);
});

test('of many files, some are measured and the rest is estimated', async (t) => {
  const { parts } = await measureFolder(makeFolder(t), 10);
  assert.deepEqual(parts.blobs, { bytes: 400, files: 40, isEstimate: true });
  assert.equal(parts.store.isEstimate, false);
});

// The chaos soak finds a secret wherever it stands in a data folder.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import { findSecrets } from '../../../scripts/soak/chaos/secrets.ts';

const SECRET = 'canary-5f0e';
/** Longer than a page of the database, even when compressed. */
const long = () => Buffer.concat([randomBytes(20_000), Buffer.from(SECRET), randomBytes(20_000)]);

function createFolder(t: { after(end: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-secrets-'));
  t.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'blobs/ab'), { recursive: true });
  return folder;
}

function writeRow(folder: string, value: string | Uint8Array): void {
  const database = new DatabaseSync(join(folder, 'store.db'));
  database.exec('CREATE TABLE bodies (id INTEGER, content)');
  database.prepare('INSERT INTO bodies VALUES (?, ?)').run(9_008_298_766_368_768n, value);
  database.close();
}

const PLACES: Record<string, (folder: string) => void> = {
  'a file': (folder) => writeFileSync(join(folder, 'blobs/ab/abcd'), `x ${SECRET} y`),
  'a compressed file': (folder) => writeFileSync(join(folder, 'blobs/ab/abcd'), zstdCompressSync(long())),
  'a row': (folder) => writeRow(folder, `x ${SECRET} y`),
  'a long row': (folder) => writeRow(folder, long()),
  'a long compressed row': (folder) => writeRow(folder, zstdCompressSync(long())),
};

for (const [place, write] of Object.entries(PLACES)) {
  test(`a secret in ${place} is found`, (t) => {
    const folder = createFolder(t);
    write(folder);
    assert.notDeepEqual(findSecrets(folder, { secret: SECRET }), []);
    assert.deepEqual(findSecrets(folder, { secret: 'canary-none' }), []);
  });
}

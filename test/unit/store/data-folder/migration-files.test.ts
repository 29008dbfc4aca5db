// The numbered migrations of a folder.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { readMigrationFiles } from '../../../../src/store/data-folder/migration-files.ts';
import { temporaryFolder } from '../temporary-folder.ts';

test('migrations are read in the order of their numbers, and two with the same number are refused', (t) => {
  const folder = temporaryFolder(t);
  const url = pathToFileURL(`${folder}/`);
  for (const name of ['0002-second.sql', '10000-last.sql', '0001-first.sql', 'notes.md'])
    writeFileSync(join(folder, name), `-- ${name}`);
  assert.deepEqual(readMigrationFiles(url), [
    { version: 1, sql: '-- 0001-first.sql' },
    { version: 2, sql: '-- 0002-second.sql' },
    { version: 10_000, sql: '-- 10000-last.sql' },
  ]);
  writeFileSync(join(folder, '0002-other.sql'), '');
  assert.throws(() => readMigrationFiles(url), /0002-\w+\.sql and 0002-\w+\.sql have the same number/);
});

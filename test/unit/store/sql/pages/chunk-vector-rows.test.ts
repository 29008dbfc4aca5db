// The vectors of chunks stay within their number, and make room on a full disk.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { createConnection } from '../../../../../src/runtime/sqlite/sqlite.ts';
import { createChunkVectorRows } from '../../../../../src/store/sql/pages/chunk-vector-rows.ts';
import { createSqliteDatabase } from '../../../../../src/store/sqlite/database/database.ts';
import { openDatabase } from '../../../../../src/store/sqlite/database/open-database.ts';
import { START } from '../../../../conformance/samples.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

test('those that were used longest ago go: of too many, and as many as the disk needs', async (t) => {
  const database = openDatabase(join(temporaryFolder(t), 'store.db'));
  const connection = createConnection(database);
  t.after(connection.close);
  database.exec("INSERT INTO teams (id, name, created_at) VALUES ('team', 'default', 0)");
  const rows = createChunkVectorRows(createSqliteDatabase(connection), 3);
  const keyOf = (at: number) => ({ site: 'a.test', page: `${at}` });
  for (let at = 0; at < 6; at++) await rows.put('team', keyOf(at), Uint8Array.of(at), START + at);
  const kept = async () => {
    const found = await Promise.all([0, 1, 2, 3, 4, 5].map((at) => rows.find('team', keyOf(at), START)));
    return found.flatMap((bytes) => (bytes ? [...bytes] : []));
  };
  assert.equal(await rows.removeOldest(START, 2), 2);
  assert.equal(await rows.removeOldest(START, 2), 1);
  assert.equal(await rows.removeOldest(START, 2), 0);
  assert.deepEqual(await kept(), [3, 4, 5]);
  assert.equal(await rows.discard(2), 2);
  assert.deepEqual(await kept(), [5]);
});

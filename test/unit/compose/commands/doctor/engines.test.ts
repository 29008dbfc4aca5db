// What `trawl doctor` and `trawl backup` say about a shared database.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openBackup, openRestore } from '../../../../../src/compose/commands/backup.ts';
import { engines } from '../../../../../src/compose/commands/doctor/engines.ts';
import type { Config } from '../../../../../src/config/settings.ts';
import { connect } from '../../../../../src/store/postgres/database/database.ts';
import { createDatabase, hasPostgres, SECRET } from '../../../../conformance/open-postgres.ts';
import { aProcess } from '../../../../conformance/processes.ts';

const examine = (settings: Partial<Config>) => engines(settings as Config);

test('without engines nothing is checked, and unreachable ones are findings that say what to do', async () => {
  assert.deepEqual(await examine({}), []);
  const findings = await examine({
    databaseUrl: 'postgres://nobody@127.0.0.1:1/none',
    secret: SECRET,
    indexUrl: 'http://127.0.0.1:1',
  });
  assert.deepEqual(
    findings.map(({ check, state }) => [check, state]),
    [
      ['database', 'fail'],
      ['OpenSearch', 'fail'],
    ],
  );
  assert.match(findings[0]!.text, /^The database cannot be used: .*ECONNREFUSED/);
  assert.match(findings[0]!.todo!, /^Check TRAWL_DATABASE_URL/);
  assert.match(findings[1]!.todo!, /^Check TRAWL_INDEX_URL/);
});

test('a shared database is not backed up by copying a data folder', () => {
  for (const open of [openBackup, openRestore])
    assert.throws(() => open({ databaseUrl: 'postgres://x/y' } as Config, () => {}), {
      message: /^Everything is stored in the database .* pg_dump .* docs\/operate\/distributed\.md\.$/,
    });
});

describe('a database', { skip: !hasPostgres && 'It runs with npm run test:cluster' }, () => {
  test('is described with its schema, its secret and its processes, and nothing is written', async (t) => {
    const { url, open } = await createDatabase(t);
    const ask = (secret: Uint8Array) => examine({ databaseUrl: url, secret });
    assert.equal((await ask(new Uint8Array(32))).find(({ check }) => check === 'secret')?.state, 'ok');
    const store = await open();
    await store.processes.renew(aProcess('first'), (await store.processes.time())!);
    const [database, secret, processes] = await ask(SECRET);
    assert.match(database!.text, /^PostgreSQL \d.*, schema \d+$/);
    assert.equal(secret!.state, 'ok');
    assert.match(processes!.text, /first/);
    const [, other] = await ask(new Uint8Array(32).fill(9));
    assert.equal(other!.state, 'fail');
    assert.match(other!.todo!, /^Set the same one for every process/);
  });

  test('that is empty, or belongs to a newer version or to one that is too old, is told apart', async (t) => {
    const { url } = await createDatabase(t);
    const admin = connect({ url, connections: 1 });
    t.after(() => admin.close());
    await admin.sql`INSERT INTO schema_versions (version, works_from) VALUES (9000, 9000)`;
    const [newer] = await examine({ databaseUrl: url, secret: SECRET });
    assert.match(newer!.text, /^The database belongs to a newer version of Trawl/);
    await admin.sql`DELETE FROM schema_versions`;
    await admin.sql`INSERT INTO schema_versions (version, works_from) VALUES (1, 1)`;
    const [older] = await examine({ databaseUrl: url, secret: SECRET });
    assert.equal(older!.state, 'fail');
    assert.match(older!.todo!, /^Start commit \w+ of Trawl on it once/);
    await admin.sql`DROP TABLE schema_versions`;
    const [empty] = await examine({ databaseUrl: url, secret: SECRET });
    assert.match(empty!.text, /empty; the first start makes the tables$/);
  });
});

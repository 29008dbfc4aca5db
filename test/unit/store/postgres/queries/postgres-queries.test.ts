// Queries of the shared database see the views of their caller and nothing else, whatever they call or read.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import postgres from 'postgres';
import { QUERY_TABLES } from '../../../../../src/contracts/query/query-tables.ts';
import { createPageSharing } from '../../../../../src/page/page-owner.ts';
import type { QueryViews, TableQueries } from '../../../../../src/store/ports/table-queries.ts';
import { createPostgresQueries } from '../../../../../src/store/postgres/queries/postgres-queries.ts';
import { canStartPostgres, openDatabase } from '../../../../conformance/open-postgres.ts';

const NOW = Date.UTC(2031, 4, 6);
const CANARY = 'canary-of-others';
const VIEWS = Object.fromEntries(
  Object.entries(QUERY_TABLES).flatMap(([name, { columns }]) => {
    const names = Object.keys(columns).filter((column) => !columns[column]!.isEmbedded);
    return names.length === 0 ? [] : [[name, names]];
  }),
) as QueryViews;
const never = new AbortController().signal;

describe('queries in PostgreSQL', { skip: !canStartPostgres }, () => {
  let database: Awaited<ReturnType<typeof openDatabase>>;
  let admin: postgres.Sql;
  let queries: TableQueries;

  before(async () => {
    database = await openDatabase();
    admin = postgres(database.url, { max: 1, onnotice: () => {} });
    await fill();
    queries = createPostgresQueries(database.url);
  });
  after(async () => {
    await queries?.close();
    await admin?.end();
    await database?.drop();
  });

  async function fill(): Promise<void> {
    const body = Buffer.from('x');
    for (const team of ['mine', 'other']) {
      const word = team === 'mine' ? 'one' : CANARY;
      const url = `http://${team}.site.test/${word}`;
      await admin`INSERT INTO teams (id, name, created_at) VALUES (${team}, ${word}, 1)`;
      await admin`INSERT INTO pages (key, owner, url, header, status, content_type, variant, verified, title, bytes, size,
        fetched_at, checked_at, used_at) VALUES (${url}, ${team}, ${url}, '{}', 200, 'text/html', '{}', true, ${word}, ${body},
        7, ${NOW}, ${NOW}, ${NOW})`;
      await admin`INSERT INTO index_entries (owner, url, first_seen_at, rank, verified, fetched_at, bytes, pending)
        VALUES (${team}, ${url}, 1, 0, true, ${NOW}, ${body}, nextval('pending_changes'))`;
      await admin`INSERT INTO page_history (key, team_id, url, redacted) VALUES (${word}, ${team}, ${url}, false)`;
      await admin`INSERT INTO page_versions (history, status, at, seen_at, bytes, size)
        VALUES (${word}, 'new', ${NOW}, ${NOW}, ${body}, 5)`;
      const [run] =
        await admin`INSERT INTO runs (id, team_id, kind, group_id, turn, status, zero_data_retention, events,
        request, keep_ms, created_at, expires_at) VALUES (${word}, ${team}, 'check', 'monitor', 0, 'completed', false, '', '',
        1, 1, ${NOW + 1}) RETURNING number`;
      await admin`INSERT INTO checked_pages (id, run, target_id, url, status, created_at, details)
        VALUES ('c', ${run!.number}, 't', ${url}, 'same', 1, '')`;
    }
  }

  async function ask(sql: string, more: { domains?: string[]; timeMs?: number; maxRows?: number } = {}) {
    const viewer = createPageSharing({ isolatesTeams: true }).viewerOf('mine');
    const who = { viewer, listed: viewer, teamId: 'mine', domains: [], now: NOW };
    const result = await queries.run({ sql, views: VIEWS, ...who, timeMs: 20_000, maxRows: 100, ...more }, never);
    const rows = result.batches.flatMap((batch) => JSON.parse(batch) as unknown[][]);
    assert.equal(rows.length, result.rowCount);
    return { ...result, rows };
  }

  test('the tables have what the caller sees, with types', async () => {
    for (const [table, columns] of Object.entries(VIEWS)) {
      const { columns: found, rows } = await ask(`SELECT * FROM ${table}`);
      assert.deepEqual(
        found.map(({ name }) => name),
        columns,
      );
      assert.equal(rows.length, 1, table);
      assert.doesNotMatch(JSON.stringify(rows), new RegExp(CANARY));
      const type = (name: string) => found.find((column) => column.name === name)?.type;
      for (const name of columns) assert.equal(type(name), QUERY_TABLES[table as 'pages'].columns[name]!.type, name);
    }
    const { rows } = await ask(
      'SELECT url, host, title, fetched_at, copies, bytes, tracked, shared, searchable FROM pages',
    );
    assert.deepEqual(rows, [
      ['http://mine.site.test/one', 'mine.site.test', 'one', '2031-05-06T00:00:00+00:00', 1, 7, true, false, true],
    ]);
  });

  test('a key for some domains sees rows of these hosts only', async () => {
    for (const [domain, count] of [
      ['mine.site.test', 1],
      ['*.site.test', 1],
      ['site.test', 0],
      ["x' OR true --", 0],
    ] as const) {
      for (const table of Object.keys(VIEWS)) {
        assert.deepEqual((await ask(`SELECT count(*) FROM ${table}`, { domains: [domain] })).rows, [[count]], domain);
      }
    }
  });

  test('joins, windows, recursion and JSON work; large numbers and bytes are texts', async () => {
    const { rows } = await ask(`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3)
      SELECT sum(i) AS total, max(p.title) AS title, 9007199254740993 AS large, '\\x00ff'::bytea AS bytes,
        row_number() OVER () AS place, lower('A') || upper('b') AS text, '{"a": 5}'::json ->> 'a' AS json
      FROM n, pages p JOIN versions v USING (url) WHERE p.fetched_at > '2031-01-01'`);
    assert.deepEqual(rows, [[6, 'one', '9007199254740993', 'AP8=', 1, 'aB', '5']]);
  });

  const TABLES = ['teams', 'keys', 'pages', 'index_entries', 'page_versions', 'runs', 'schema_versions', 'notes'];
  const ATTACKS = [
    ...TABLES.flatMap((table) => [
      `SELECT * FROM public.${table}`,
      `SELECT count(*) FROM public.${table}`,
      `WITH pages AS (SELECT * FROM public.${table}) SELECT * FROM pages`,
      `SELECT url FROM pages WHERE EXISTS (SELECT 1 FROM public.${table})`,
      `TABLE public.${table}`,
    ]),
    ...[
      'pg_catalog.pg_class',
      'pg_roles',
      'pg_stat_activity',
      'pg_settings',
      'information_schema.tables',
      'pg_database',
    ].map((table) => `SELECT * FROM ${table}`),
    "SELECT set_config('role', 'none', true)",
    "SELECT pg_catalog.set_config('role', 'none', false) FROM pages",
    `SELECT "set_config"('role', 'none', true)`,
    `SELECT U&"set\\005fconfig"('role', 'none', true)`,
    "SELECT query_to_xml('SELECT * FROM public.keys', true, true, '')",
    "SELECT table_to_xml('public.teams', true, true, '')",
    'SELECT database_to_xml(true, true, 1)::text',
    ...[
      "current_setting('data_directory')",
      "pg_read_file('/etc/passwd')",
      "pg_ls_dir('/')",
      "lo_import('/etc/passwd')",
    ].map((call) => `SELECT ${call}`),
    ...[
      'pg_sleep(100)',
      'pg_terminate_backend(1)',
      'pg_advisory_lock(1)',
      "nextval('pending_changes')",
      'txid_current()',
    ].map((call) => `SELECT ${call}`),
    ...[
      "repeat('a', 1000000000)",
      "lpad('a', 1000000000)",
      "pg_notify('a', 'b')",
      "ts_stat('SELECT 1')",
      'version()',
    ].map((call) => `SELECT ${call}`),
    "SELECT * FROM dblink('host=127.0.0.1', 'SELECT 1') AS t (x int)",
    "SELECT xmlelement(name a, 'b')::text AS x",
    "SELECT * FROM xmltable('/a' PASSING '<a/>'::xml COLUMNS b text)",
    ...[
      'DELETE FROM pages',
      "UPDATE public.teams SET name = 'x'",
      "INSERT INTO public.teams VALUES ('x')",
      'DROP TABLE public.teams',
    ],
    ...[
      'COPY public.teams TO STDOUT',
      "COPY public.teams FROM PROGRAM 'id'",
      'RESET ROLE',
      'SET ROLE none',
      'COMMIT',
      'VACUUM',
      'DO $$ BEGIN END $$',
    ],
    ...[
      'SELECT 1; RESET ROLE',
      'SELECT 1; SELECT 2',
      'SELECT 1; COMMIT',
      'SELECT 1 AS a INTO x',
      'SELECT url FROM pages FOR UPDATE',
    ],
    ...[
      'WITH x AS (DELETE FROM public.teams RETURNING *) SELECT * FROM x',
      'EXPLAIN SELECT 1',

      '',
      '-- nothing',
      'SELECT $1',
    ],
    ...[
      'SELECT nope FROM pages',
      'SELEC 1',
      'SELECT 1 / 0 AS x',
      "SELECT 'x'::integer AS x",
      'SELECT markdown FROM pages',
      'SELECT * FROM links',
    ],
  ];

  test(`none of ${ATTACKS.length} attacks reads or does anything else`, async () => {
    for (const sql of ATTACKS) {
      await assert.rejects(
        ask(sql),
        (error: { code?: string; message: string }) => {
          assert.equal(error.code, 'QUERY_INVALID', `${sql}\n${error.message}`);
          assert.doesNotMatch(error.message, new RegExp(CANARY), sql);
          return true;
        },
        sql,
      );
    }
    assert.deepEqual((await admin`SELECT count(*)::integer AS count FROM teams`)[0], { count: 2 });
    // Neither views nor the role outlive a query.
    assert.deepEqual((await ask('SELECT count(*) AS count FROM pages')).rows, [[1]]);
    const left = await admin`SELECT relname FROM pg_class WHERE relname LIKE 'trawl_%' AND relkind = 'v'`;
    assert.deepEqual([...left], []);
  });

  test('time and rows have limits, and so has a row', async () => {
    const forever = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i % 9 + 1 FROM n) SELECT count(*) FROM n';
    await assert.rejects(ask(forever, { timeMs: 300 }), { code: 'QUERY_TIMEOUT' });
    const numbers = 'SELECT * FROM generate_series(1, 101) AS n (i)';
    assert.equal((await ask(numbers, { maxRows: 101 })).rows.length, 101);
    await assert.rejects(ask(numbers), { code: 'QUERY_TOO_LARGE' });
    const wide = "SELECT string_agg('0123456789', '') AS wide FROM generate_series(1, 200000)";
    await assert.rejects(ask(wide), { code: 'QUERY_TOO_LARGE' });
  });

  test('without the right to make the role, the answer has the statement for it', async () => {
    const name = `user_${process.pid}`;
    await admin.unsafe(`CREATE ROLE ${name} LOGIN PASSWORD 'x'`);
    const url = new URL(database.url);
    url.username = name;
    url.password = 'x';
    const without = createPostgresQueries(url.href);
    try {
      const viewer = createPageSharing({ isolatesTeams: true }).viewerOf('mine');
      const who = { viewer, listed: viewer, teamId: 'mine', domains: [], now: NOW };
      await assert.rejects(without.run({ sql: 'SELECT 1', views: {}, ...who, timeMs: 9_000, maxRows: 1 }, never), {
        code: 'QUERY_ROLE_MISSING',
        message: new RegExp(`CREATE ROLE trawl_query NOLOGIN; GRANT trawl_query TO "${name}";`),
      });
    } finally {
      await without.close();
      await admin.unsafe(`DROP ROLE ${name}`);
    }
  });
});

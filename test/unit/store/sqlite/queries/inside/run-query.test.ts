// Queries of the embedded store see the views of their caller and nothing else: a corpus of attacks, on a file with two teams.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { QUERY_TABLES } from '../../../../../../src/contracts/query/query-tables.ts';
import { createPageSharing } from '../../../../../../src/page/page-owner.ts';
import { compressBytes } from '../../../../../../src/store/encoding/compress.ts';
import type { QueryViews } from '../../../../../../src/store/ports/table-queries.ts';
import { openDatabase } from '../../../../../../src/store/sqlite/database/open-database.ts';
import type { QueryMessage, QueryRequest } from '../../../../../../src/store/sqlite/queries/inside/query-messages.ts';
import { runQuery } from '../../../../../../src/store/sqlite/queries/inside/run-query.ts';

const NOW = Date.UTC(2031, 4, 6);
/** Stands in everything that the other team has. */
const CANARY = 'canary-of-others';
const CHUNKER = new URL('../../../../../../src/understand/chunks/make-chunks.ts', import.meta.url).href;
const ALL_VIEWS = Object.fromEntries(
  Object.entries(QUERY_TABLES).map(([name, { columns }]) => [name, Object.keys(columns)]),
) as QueryViews;

let dataDir: string;
before(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'trawl-query-'));
  fill();
});
after(() => rmSync(dataDir, { recursive: true, force: true }));

/** Two pages of mine, one of them by a redirect, and a page, a version and a check of the other team. */
function fill(): void {
  using database = openDatabase(join(dataDir, 'store.db'));
  const run = (sql: string, ...values: (string | number | Uint8Array | null)[]) =>
    Number(database.prepare(sql).run(...values).lastInsertRowid);
  const body = (text: string) => run('INSERT INTO bodies (bytes) VALUES (?)', compressBytes(Buffer.from(text)));
  for (const team of ['mine', 'other']) run('INSERT INTO teams (id, name, created_at) VALUES (?, ?, 1)', team, team);
  run("INSERT INTO keys (hash, prefix, team_id, created_at, id) VALUES (?, ?, 'other', 1, 'k')", CANARY, CANARY);

  const addPage = (owner: string, url: string, word: string, finalUrl: string | null = null) => {
    const id = run(
      `INSERT INTO pages (key, url, header, body_id, size, fetched_at, used_at, title, owner, final_url, status, content_type)
       VALUES (?, ?, '{}', ?, 7, ?, 1, ?, ?, ?, 200, 'text/html')`,
      ...[url, url, body(word), NOW, `Title ${word}`, owner, finalUrl],
    );
    const content = JSON.stringify({ markdown: `# ${word}\n\nText of ${word}.` });
    run(
      'INSERT INTO results (page_id, transform_key, body_id, size) VALUES (?, ?, ?, 1)',
      id,
      'k',
      body(`${content}\n{}`),
    );
    const links = [{ url: `http://target.test/${word}`, text: word }];
    const entry = {
      url,
      title: `Entry ${word}`,
      description: '',
      body: `Plain ${word}`,
      language: 'en',
      fileType: 'html',
      links,
    };
    run(
      'INSERT INTO index_entries (owner, url, first_seen_at, body_id, rank, fetched_at) VALUES (?, ?, 1, ?, 0, ?)',
      ...[owner, finalUrl ?? url, body(JSON.stringify(entry)), NOW],
    );
  };
  const addHistory = (team: string, url: string, word: string) => {
    run('INSERT INTO page_history (key, team_id, url, redacted) VALUES (?, ?, ?, 0)', `history ${word}`, team, url);
    run(
      "INSERT INTO page_versions (history, status, at, seen_at, body_id, size) VALUES (?, 'new', ?, ?, ?, 5)",
      ...[`history ${word}`, NOW, NOW, body(`{}\nVersion ${word}`)],
    );
  };
  const addCheck = (team: string, word: string, expiresAt: number) => {
    const id = run(
      `INSERT INTO runs (id, team_id, kind, group_id, turn, status, zero_data_retention, events, request, keep_ms, created_at, expires_at)
       VALUES (?, ?, 'check', 'monitor', 0, 'completed', 0, '', '', 1, 1, ?)`,
      ...[`run ${word}`, team, expiresAt],
    );
    run(
      "INSERT INTO checked_pages (id, run, target_id, url, status, created_at, details) VALUES ('c', ?, 't', ?, 'same', 1, '')",
      ...[id, `http://site.test/${word}`],
    );
  };
  addPage('mine', 'http://site.test/one', 'one');
  addPage('mine', 'http://old.test/', 'two', 'http://site.test/two');
  addPage('other', `http://other.test/${CANARY}`, CANARY);
  addHistory('mine', 'http://site.test/one', 'one');
  addHistory('other', `http://other.test/${CANARY}`, CANARY);
  addCheck('mine', 'one', NOW + 1);
  addCheck('mine', 'expired', NOW);
  addCheck('other', CANARY, NOW + 1);
}

interface Answer {
  columns: string[];
  types: string[];
  rows: unknown[][];
  code?: string;
  message?: string;
  text: string;
}

async function ask(sql: string, more: Partial<QueryRequest> = {}): Promise<Answer> {
  const viewer = createPageSharing({ isolatesTeams: true }).viewerOf('mine');
  const request: QueryRequest = {
    ...{ sql, views: ALL_VIEWS, viewer, listed: viewer, teamId: 'mine', domains: [], now: NOW },
    ...{ timeMs: 10_000, maxRows: 100, dataDir, chunker: CHUNKER, ...more },
  };
  const rows: unknown[][] = [];
  const sent: QueryMessage[] = [];
  await runQuery(request, (message) => {
    sent.push(message);
    if ('batch' in message) rows.push(...(JSON.parse(message.batch) as unknown[][]));
  });
  const last = sent.at(-1)!;
  const text = JSON.stringify(sent);
  if ('problem' in last)
    return { columns: [], types: [], rows, text, code: last.problem.code, message: last.problem.message };
  assert('columns' in last && last.rowCount === rows.length, text);
  return { columns: last.columns.map(({ name }) => name), types: last.columns.map(({ type }) => type), rows, text };
}

const rowsOf = async (sql: string, more?: Partial<QueryRequest>) => {
  const { rows, message } = await ask(sql, more);
  assert.equal(message, undefined, sql);
  return rows;
};

test('the tables have what the caller sees, and every column of the list', async () => {
  for (const [table, columns] of Object.entries(ALL_VIEWS)) {
    const answer = await ask(`SELECT * FROM ${table}`);
    assert.deepEqual(answer.columns, columns, answer.text);
    assert(answer.rows.length > 0, table);
    assert.doesNotMatch(answer.text, new RegExp(CANARY));
    assert.deepEqual(await rowsOf(`SELECT count(*) FROM ${table}`), [[answer.rows.length]], table);
  }
  assert.deepEqual(
    await rowsOf('SELECT url, host, title, kind, fetched_at, copies, bytes, tracked, markdown FROM pages ORDER BY url'),
    [
      [
        'http://site.test/one',
        'site.test',
        'Entry one',
        'html',
        '2031-05-06T00:00:00.000Z',
        1,
        7,
        1,
        '# one\n\nText of one.',
      ],
      [
        'http://site.test/two',
        'site.test',
        'Entry two',
        'html',
        '2031-05-06T00:00:00.000Z',
        1,
        7,
        0,
        '# two\n\nText of two.',
      ],
    ],
  );
  assert.deepEqual(await rowsOf('SELECT url, markdown FROM versions'), [['http://site.test/one', 'Version one']]);
  assert.deepEqual(await rowsOf('SELECT target, target_host, text, position FROM links ORDER BY url'), [
    ['http://target.test/one', 'target.test', 'one', 0],
    ['http://target.test/two', 'target.test', 'two', 0],
  ]);
  assert.deepEqual(await rowsOf("SELECT url, context FROM chunks WHERE text LIKE '%of one%'"), [
    ['http://site.test/one', 'Entry one > one'],
  ]);
  assert.deepEqual(await rowsOf('SELECT url FROM checks'), [['http://site.test/one']]);
});

test('a key for some domains sees rows of these hosts only, and columns that are left out do not exist', async () => {
  const domains = ['elsewhere.test'];
  for (const table of Object.keys(ALL_VIEWS)) {
    assert.deepEqual(await rowsOf(`SELECT count(*) FROM ${table}`, { domains }), [[0]], table);
    assert.notDeepEqual(await rowsOf(`SELECT count(*) FROM ${table}`, { domains: ['site.test'] }), [[0]], table);
  }
  const views = { pages: ['url', 'title'] };
  assert.deepEqual((await ask('SELECT * FROM pages', { views })).columns, ['url', 'title']);
  for (const sql of ['SELECT markdown FROM pages', 'SELECT url FROM links']) {
    assert.equal((await ask(sql, { views })).code, 'QUERY_INVALID', sql);
  }
});

test('each column can be read alone, also where the key is left no other one', async () => {
  for (const [table, columns] of Object.entries(ALL_VIEWS)) {
    for (const column of columns) {
      for (const views of [ALL_VIEWS, { [table]: [column] }]) {
        const [counted] = await rowsOf(`SELECT count(*) FROM ${table}`, { views });
        assert.equal(
          (await rowsOf(`SELECT ${column} FROM ${table}`, { views })).length,
          counted![0],
          `${table}.${column}`,
        );
      }
    }
  }
});

test('values keep their types, and numbers that JSON cannot hold are texts', async () => {
  const { rows, types } = await ask("SELECT 1, 1.5, 'a', x'00ff', NULL, 9007199254740993, count(*) FROM pages");
  assert.deepEqual(rows, [[1, 1.5, 'a', 'AP8=', null, '9007199254740993', 2]]);
  assert.deepEqual(types, ['integer', 'number', 'text', 'bytes', 'null', 'integer', 'integer']);
  assert.deepEqual((await ask("VALUES (1, 1), (1.5, 'a')")).types, ['number', 'any']);
});

test('what a query may use works: joins, windows, recursion, JSON, dates', async () => {
  assert.deepEqual(
    await rowsOf(`
      -- A comment before
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3), named AS (SELECT * FROM pages)
      SELECT sum(i), (SELECT count(*) FROM named), (SELECT count(*) FROM n) FROM n; -- and behind`),
    [[6, 2, 3]],
  );
  assert.deepEqual(
    await rowsOf(`SELECT p.url, l.text, row_number() OVER (ORDER BY p.url), date(p.fetched_at), json_extract('{"a": 5}', '$.a')
      FROM pages p JOIN links l USING (url) WHERE p.url = 'http://site.test/one'`),
    [['http://site.test/one', 'one', 1, '2031-05-06', 5]],
  );
  assert.deepEqual(await rowsOf("SELECT value FROM json_each('[1, 2]')"), [[1], [2]]);
});

const TABLES = [
  'teams',
  'keys',
  'bodies',
  'pages',
  'index_entries',
  'page_versions',
  'runs',
  'scrapes',
  'objects',
  'audit',
];
const ATTACKS = [
  ...TABLES.flatMap((table) => [
    `SELECT * FROM main.${table}`,
    `SELECT count(*) FROM main.${table}`,
    `SELECT 1 FROM main.${table} LIMIT 1`,
    `SELECT rowid FROM main.${table}`,
    // SQLite names the common table expression as the one that reads.
    ...Object.keys(ALL_VIEWS).map((view) => `WITH ${view} AS (SELECT * FROM main.${table}) SELECT * FROM ${view}`),
    `SELECT url FROM pages WHERE EXISTS (SELECT 1 FROM main.${table})`,
    `SELECT (SELECT count(*) FROM main.${table})`,
    `SELECT url FROM pages UNION ALL SELECT * FROM (SELECT 1 FROM main.${table})`,
    `SELECT url FROM pages ORDER BY (SELECT max(rowid) FROM main.${table})`,
  ]),
  ...TABLES.filter((table) => table !== 'pages').map((table) => `SELECT count(*) FROM ${table}`),
  'SELECT owner FROM pages',
  'SELECT rowid FROM main.pages',
  'SELECT pages.body_id FROM pages',
  ...[
    'sqlite_master',
    'sqlite_schema',
    'sqlite_temp_master',
    'temp.sqlite_schema',
    'main.sqlite_sequence',
    'sqlite_sequence',
  ].flatMap((table) => [`SELECT * FROM ${table}`, `SELECT count(*) FROM ${table}`]),
  ...["table_info('keys')", 'table_list', 'database_list', 'function_list', 'module_list', 'compile_options'].flatMap(
    (pragma) => [`SELECT * FROM pragma_${pragma}`, `SELECT count(*) FROM pragma_${pragma}`],
  ),
  'SELECT * FROM dbstat',
  'SELECT count(*) FROM dbstat',
  "SELECT * FROM fts5vocab('main', 'fts', 'row')",
  "SELECT load_extension('/tmp/x.so')",
  "SELECT readfile('/etc/passwd')",
  "SELECT writefile('/tmp/x', 'y')",
  "SELECT edit('x', 'vi')",
  "SELECT fts3_tokenizer('simple')",
  'SELECT sqlite_version()',
  'SELECT sqlite_compileoption_get(1)',
  'SELECT last_insert_rowid()',
  'SELECT randomblob(1000000000)',
  'SELECT zeroblob(1000000000)',
  "SELECT printf('%.*c', 1000000000, 'x')",
  "SELECT format('%1000000000d', 1)",
  "SELECT replace(replace('aaaaaaaaaa', 'a', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'), '', '') || entry(1, 'body')",
  "SELECT markdown('http://other.test/')",
  `SELECT group_concat(x) FROM (WITH RECURSIVE t (x, n) AS (SELECT 'aaaaaaaa', 1 UNION ALL SELECT x || x, n + 1 FROM t WHERE n < 40) SELECT x FROM t)`,
  `SELECT 'a' LIKE '${'%a'.repeat(600)}'`,
  `SELECT ${'1 + ('.repeat(300)}1${')'.repeat(300)}`,
  `SELECT ${Array.from({ length: 600 }, (_, at) => at).join(', ')}`,
  Array.from({ length: 60 }, () => 'SELECT 1').join(' UNION ALL '),
  ...[
    'DELETE FROM pages',
    'UPDATE main.teams SET name = 1',
    "INSERT INTO main.teams VALUES ('a', 'b', 1)",
    'DROP VIEW pages',
  ],
  ...[
    'CREATE TABLE x (y)',
    'CREATE TEMP TABLE x AS SELECT 1',
    'CREATE TEMP VIEW x AS SELECT * FROM main.keys',
    'VACUUM',
    'REINDEX',
  ],
  ...[
    "ATTACH 'other.db' AS other",
    'DETACH main',
    'PRAGMA writable_schema = 1',
    'BEGIN',
    'COMMIT',
    'SAVEPOINT x',
    'ANALYZE',
  ],
  ...[
    'EXPLAIN SELECT 1',
    'EXPLAIN QUERY PLAN SELECT * FROM pages',
    'SELECT 1; DROP VIEW pages',
    'SELECT 1; SELECT 2',
    '-- nothing',
  ],
  ...[
    'WITH x AS (SELECT 1) DELETE FROM pages',
    'WITH x AS (SELECT 1) INSERT INTO main.notes SELECT 1, 2',
    '; ; ;',
    'SELECT',
  ],
  'SELECT * FROM pages WHERE url MATCH 1',
  "SELECT * FROM pages WHERE url REGEXP '(a+)+$'",
  'SELECT "no such text"',
  'SELECT * FROM nothing',
];

test(`none of ${ATTACKS.length} attacks reads anything else`, async () => {
  for (const sql of ATTACKS) {
    const answer = await ask(sql);
    assert.equal(answer.code, 'QUERY_INVALID', `${sql}\n${answer.text}`);
    assert.doesNotMatch(answer.text, new RegExp(CANARY), sql);
    // Neither paths nor the inner names of views.
    assert.doesNotMatch(answer.message!, new RegExp(`${dataDir}|x[0-9a-f]{32}_|undefined`), sql);
    assert.match(answer.message!, /^[A-Z"'(].*\.$/s, sql);
  }
});

test('no error tells of rows of others: conditions are tried on rows of the caller only', async () => {
  const columns = { pages: ['url', 'title', 'bytes'], versions: ['url', 'status', 'bytes'], checks: ['url', 'status'] };
  for (const [table, names] of Object.entries(columns)) {
    for (const column of names) {
      const failing = `CASE WHEN ${column} LIKE '%canary%' THEN json('no JSON') ELSE '1' END`;
      for (const sql of [
        `SELECT count(*) FROM ${table} WHERE ${failing}`,
        `SELECT count(*) FROM ${table} WHERE ${column} = '${CANARY}' OR ${failing}`,
        `SELECT max(${failing}) FROM ${table}`,
        `SELECT url FROM ${table} GROUP BY ${failing} ORDER BY ${column}`,
        `SELECT a.url FROM ${table} a JOIN ${table} b ON ${failing.replaceAll(column, `b.${column}`)} = a.url`,
      ]) {
        assert.equal((await ask(sql)).message, undefined, sql);
      }
    }
  }
});

test('more rows than allowed are an error, and so is a larger result', async () => {
  const numbers = (most: number, column: string) =>
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${most}) SELECT ${column} FROM n`;
  assert.equal((await rowsOf(numbers(100, 'i'))).length, 100);
  const over = await ask(numbers(101, 'i'));
  assert.deepEqual([over.code, over.message?.slice(0, 35)], ['QUERY_TOO_LARGE', 'The query has more than 100 rows. A']);
  const long = "(SELECT group_concat('0123456789') FROM json_each('[1' || replace(hex(i), '3', ',1,1,1') || ']'))";
  assert.equal((await ask(numbers(3, long))).code, undefined);
  const wide = `replace('${'a'.repeat(1_000)}', 'a', '${'b'.repeat(1_000)}')`;
  assert.equal((await ask(numbers(20, wide))).code, 'QUERY_TOO_LARGE');
});

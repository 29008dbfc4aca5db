// POST /v2/query over HTTP: what a team, and a key of it, gets of what is stored.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import { until } from '../support/jobs.ts';
import type { RunningService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

const scene = useService({}, {});

/** Only the team that fetched it sees a page whose URL has a secret. */
const page = (path = '') => scene.web.url('news.test', `/article/1?token=a1b2c3d4e5f6a7b8c9d0${path}`);
const FOREVER = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';

interface Answer {
  status: number;
  text: string;
  code?: string;
  error?: string;
  data: { columns: { name: string; type: string }[]; rowCount: number; rows: unknown[][] };
}

async function ask(body: object, { from = scene.service, key }: { from?: RunningService; key?: string } = {}) {
  const response = await from.fetch('/v2/query', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, text, headers: response.headers, ...(isJson && JSON.parse(text)) } as Answer & {
    headers: Headers;
  };
}

async function rowsOf(sql: string, options?: Parameters<typeof ask>[1]): Promise<unknown[][]> {
  const { status, text, data } = await ask({ sql }, options);
  assert.equal(status, 200, text);
  return data.rows;
}

async function keyWith(limits: object): Promise<string> {
  const { body } = await scene.service.post<{ data: { key: string } }>('/v2/team/keys', { limits });
  return body.data.key;
}

before(async () => {
  const formats = ['markdown', 'links', 'changeTracking'];
  assert.equal((await scene.service.scrape({ url: page(), formats })).status, 200);
});

test('a team asks what is stored of its pages, and another team sees nothing of it', async () => {
  const ofPage = `FROM pages WHERE url = '${page()}'`;
  const { data } = await ask({ sql: `SELECT host, status_code, tracked, markdown LIKE '#%' AS has_heading ${ofPage}` });
  assert.deepEqual(
    data.columns.map(({ name }) => name),
    ['host', 'status_code', 'tracked', 'has_heading'],
  );
  assert.deepEqual([data.rowCount, data.rows], [1, [[new URL(page()).host, 200, 1, 1]]]);
  assert.deepEqual(await rowsOf(`SELECT status FROM versions WHERE url = '${page()}'`), [['new']]);
  assert.equal((await rowsOf(`SELECT id FROM chunks WHERE url = '${page()}' LIMIT 1`)).length, 1);
  for (const table of ['pages', 'versions', 'links', 'chunks']) {
    assert.deepEqual(await rowsOf(`SELECT count(*) FROM ${table} WHERE url = '${page()}'`, { from: scene.other }), [
      [0],
    ]);
  }
});

test('the rows come as CSV, in which no text is taken for a formula', async () => {
  const { text, headers } = await ask({ sql: "VALUES (1, '=1+1'), (NULL, 'a,b')", format: 'csv' });
  assert.equal(text, 'column1,column2\r\n1,\'=1+1\r\n,"a,b"\r\n');
  assert.match(headers.get('content-disposition') ?? '', /query\.csv/);
});

test('the rows come as Parquet, typed and with a name for each column', async () => {
  const sql = `VALUES (1, 9007199254740993, 1.5, 'é', x'00ff', 'a', NULL), (NULL, -2, 2, NULL, NULL, 7, NULL)`;
  const response = await scene.service.fetch('/v2/query', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sql: `SELECT *, 1 AS column1 FROM (${sql})`, format: 'parquet' }),
  });
  assert.equal(response.headers.get('content-type'), 'application/vnd.apache.parquet');
  assert.match(response.headers.get('content-disposition') ?? '', /query\.parquet/);
  const compressors = { ZSTD: (input: Uint8Array) => new Uint8Array(zstdDecompressSync(input)) };
  const rows = await parquetReadObjects({ file: await response.arrayBuffer(), compressors, utf8: false });
  assert.deepEqual(rows, [
    {
      ...{ column1: 1n, column2: 9007199254740993n, column3: 1.5, column4: 'é', column5: new Uint8Array([0, 255]) },
      ...{ column6: 'a', column7: null, column1_2: 1n },
    },
    {
      ...{ column1: null, column2: -2n, column3: 2, column4: null, column5: null },
      ...{ column6: '7', column7: null, column1_2: 1n },
    },
  ]);
});

test('the schema lists what a query can read, for each key what is left of it', async () => {
  const schemaOf = async (key = scene.service.key) => {
    const response = await scene.service.fetch('/v2/query/schema', { headers: { authorization: `Bearer ${key}` } });
    const { data } = (await response.json()) as { data: { tables: { name: string; columns: { name: string }[] }[] } };
    return Object.fromEntries(data.tables.map(({ name, columns }) => [name, columns.map((column) => column.name)]));
  };
  const all = await schemaOf();
  assert.deepEqual(Object.keys(all), ['pages', 'versions', 'links', 'chunks', 'checks']);
  for (const [name, columns] of Object.entries(all)) {
    assert.deepEqual(
      (await ask({ sql: `SELECT * FROM ${name}` })).data.columns.map((column) => column.name),
      columns,
    );
  }
  const some = await schemaOf(await keyWith({ formats: ['links'], operations: ['scrape'] }));
  assert.deepEqual(Object.keys(some), ['pages', 'versions', 'links']);
  assert(!some.pages!.includes('markdown') && some.pages!.includes('title'));
});

test('a restricted key sees its hosts and its formats, and hears why it sees no more', async () => {
  const here = await keyWith({ domains: ['news.test'], operations: ['scrape'] });
  const elsewhere = await keyWith({ domains: ['elsewhere.test'] });
  for (const table of ['pages', 'versions', 'chunks']) {
    const counted = `SELECT count(*) > 0 FROM ${table}`;
    assert.deepEqual([await rowsOf(counted, { key: here }), await rowsOf(counted, { key: elsewhere })], [[[1]], [[0]]]);
  }
  const formats = await keyWith({ formats: ['links'] });
  for (const sql of ['SELECT p.text FROM pages p', 'SELECT markdown FROM versions', 'SELECT * FROM chunks']) {
    const { status, code, error } = await ask({ sql }, { key: formats });
    assert.deepEqual([status, code], [403, 'KEY_RESTRICTED'], sql);
    assert.match(error!, /restricted to the following formats: links/);
  }
  const checks = await ask({ sql: 'SELECT * FROM checks' }, { key: here });
  assert.match(checks.error!, /restricted to the following operations: scrape.*monitor/);
  const map = await ask({ sql: 'SELECT 1' }, { key: await keyWith({ operations: ['map'] }) });
  assert.equal(map.code, 'KEY_RESTRICTED');
});

test('what is deleted, or was never to be stored, is not found', async () => {
  const counted = (url: string) =>
    rowsOf(`SELECT (SELECT count(*) FROM pages p WHERE p.url = '${url}'),
    (SELECT count(*) FROM versions v WHERE v.url = '${url}'), (SELECT count(*) FROM links l WHERE l.url = '${url}')`);
  const [gone, traceless] = [page('&gone=1'), page('&traceless=1')];
  await scene.service.scrape({ url: gone, formats: ['markdown', 'changeTracking'] });
  await scene.service.scrape({ url: traceless, zeroDataRetention: true });
  assert.deepEqual(
    (await counted(gone))[0]!.map((count) => Number(count) > 0),
    [true, true, true],
  );
  assert.deepEqual(await counted(traceless), [[0, 0, 0]]);
  const deleted = await scene.service.fetch(`/v2/index/pages?url=${encodeURIComponent(gone)}`, { method: 'DELETE' });
  assert.equal(deleted.status, 200);
  assert.deepEqual(await counted(gone), [[0, 0, 0]]);
});

test('bad queries are refused in words, and a third one at the same time waits for nothing', async () => {
  for (const body of [
    {},
    { sql: '' },
    { sql: 1 },
    { sql: 'SELECT \0' },
    { sql: 'SELECT 1', timeout: 30_001 },
    { sql: 'SELECT 1', format: 'xml' },
  ]) {
    assert.equal((await ask(body)).status, 400, JSON.stringify(body));
  }
  assert.equal((await ask({ sql: 'x'.repeat(100_001) })).code, 'BAD_REQUEST');
  const unknown = await ask({ sql: 'SELECT * FROM teams' });
  assert.deepEqual([unknown.status, unknown.code], [400, 'QUERY_INVALID']);
  assert.match(unknown.error!, /GET \/v2\/query\/schema/);
  // Which of them arrives first is open, so a short one may be in the way of a long one.
  const long = () =>
    until(
      () => ask({ sql: FOREVER, timeout: 3_000 }),
      ({ status }) => status !== 429,
    );
  const running = [long(), long()];
  const third = await until(
    () => ask({ sql: 'SELECT 1' }),
    ({ status }) => status !== 200,
  );
  assert.deepEqual([third.status, third.code], [429, 'TOO_MANY_QUERIES']);
  assert.deepEqual(await rowsOf('SELECT 1', { from: scene.other }), [[1]]);
  for (const { status, code } of await Promise.all(running)) assert.deepEqual([status, code], [408, 'QUERY_TIMEOUT']);
  assert.deepEqual(await rowsOf('SELECT 1'), [[1]]);
});

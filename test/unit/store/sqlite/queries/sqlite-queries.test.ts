// Query processes: they end at their limits, and the next query finds another one.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createPageSharing } from '../../../../../src/page/page-owner.ts';
import { findConfinement } from '../../../../../src/parse/process/confinement.ts';
import type { QueryResult, TableQueries } from '../../../../../src/store/ports/table-queries.ts';
import { openDatabase } from '../../../../../src/store/sqlite/database/open-database.ts';
import { createSqliteQueries } from '../../../../../src/store/sqlite/queries/sqlite-queries.ts';
import { systemClock } from '../../../../../src/util/clock.ts';

const CHUNKER = new URL('../../../../../src/understand/chunks/make-chunks.ts', import.meta.url);
const FOREVER = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';
/** Ten thousand bytes for each of ten million rows. */
const HUGE = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 10000000)
  SELECT count(*) FROM (SELECT DISTINCT i || replace('${'a'.repeat(1_000)}', 'a', '0123456789') FROM n)`;

let dataDir: string;
let queries: TableQueries;
before(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'trawl-queries-'));
  openDatabase(join(dataDir, 'store.db')).close();
  const { wrap } = await findConfinement(process.env.PATH ?? '', []);
  queries = createSqliteQueries({ dataDir, confine: async () => wrap, chunker: CHUNKER, clock: systemClock });
});
after(async () => {
  await queries.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const never = new AbortController().signal;

function run(sql: string, timeMs = 60_000, signal = never): Promise<QueryResult> {
  const viewer = createPageSharing({ isolatesTeams: true }).viewerOf('mine');
  const who = { viewer, listed: viewer, teamId: 'mine', domains: [], views: { pages: ['url'] } };
  return queries.run({ sql, ...who, now: 0, timeMs, maxRows: 10_000 }, signal);
}

const rowsOf = async (sql: string) => (await run(sql)).batches.flatMap((batch) => JSON.parse(batch) as unknown[][]);

test('a query without an end, one that takes too much memory and one whose caller has left end with an error', async () => {
  assert.deepEqual(await rowsOf('SELECT 1'), [[1]]);
  await assert.rejects(run(FOREVER, 300), { code: 'QUERY_TIMEOUT' });
  assert.deepEqual(await rowsOf('SELECT 2'), [[2]]);
  await assert.rejects(run(HUGE), { code: 'QUERY_OUT_OF_MEMORY' });
  const leaving = new AbortController();
  const left = run(FOREVER, 60_000, leaving.signal);
  const reason = new Error('left');
  setImmediate(() => leaving.abort(reason));
  await assert.rejects(left, reason);
  assert.deepEqual(await rowsOf('SELECT 3'), [[3]]);
});

test('queries run beside each other, and a long result arrives whole and in order', async () => {
  const numbers = (to: number) =>
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${to}) SELECT i, hex(i) || 'padding of a row' FROM n`;
  const [long, short, none] = await Promise.all([
    rowsOf(numbers(10_000)),
    rowsOf(numbers(3)),
    rowsOf('SELECT url FROM pages'),
  ]);
  assert.deepEqual(
    long!.map(([i]) => i),
    Array.from({ length: 10_000 }, (_, at) => at + 1),
  );
  assert.deepEqual([short!.length, none], [3, []]);
  await assert.rejects(run('SELECT x FROM y'), { code: 'QUERY_INVALID' });
});

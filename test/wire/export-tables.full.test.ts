// Exported tables in the hands of others: DuckDB queries Parquet over HTTP, and finds the same pages in a data set.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { pythonSdk } from '../../scripts/python-sdk.mjs';
import { openZip } from '../../src/parse/container/zip.ts';
import { CRAWL, runCrawl } from '../support/jobs.ts';
import { useService } from '../support/use-service.ts';

const DRIVER = join(import.meta.dirname, '../support/python/drive_tables.py');
const scene = useService();
const python = pythonSdk();

interface Found {
  columns: [name: string, type: string][];
  pages: unknown[][];
  hosts: unknown[][];
  onDisk: number;
}

test('DuckDB reads the Parquet of a crawl over HTTP, in parts, and that of a data set', async (t) => {
  if (python === undefined) return t.skip('the packages of Python are not installed');
  const before = Date.now();
  const { id, documents } = await runCrawl(scene.service, {
    url: scene.web.url('docs.test'),
    limit: 20,
    scrapeOptions: { formats: ['markdown', 'links'], maxAge: 0 },
  });
  const path = `${CRAWL}/${id}/export`;
  const folder = await mkdtemp(join(tmpdir(), 'trawl-tables-'));
  t.after(() => rm(folder, { recursive: true }));
  const dataset = await scene.service.fetch(`${path}?format=huggingface&license=cc-by-4.0`);
  const archive = openZip(Buffer.from(await dataset.arrayBuffer()));
  await writeFile(join(folder, 'pages.parquet'), archive.read('data/pages-00000.parquet')!);
  const card = Buffer.from(archive.read('README.md')!).toString();
  assert.match(
    card,
    /^---\npretty_name: "Pages of docs\.test:\d+"\nlicense: cc-by-4\.0\nlanguage:\n- "en"\nsize_categories:\n- n<1K\n/,
  );
  assert.match(card, /\| `links` \| list of strings \|/);

  const child = spawn(python, [DRIVER], { stdio: ['pipe', 'pipe', 'inherit'] });
  const url = `${scene.service.url}${path}?format=parquet`;
  child.stdin.end(JSON.stringify({ url, key: scene.service.key, files: join(folder, '*.parquet') }));
  const found = JSON.parse(await text(child.stdout)) as Found;
  assert.deepEqual(found.columns, [
    ...['url', 'sourceURL', 'title', 'description', 'language'].map((name) => [name, 'VARCHAR']),
    ['statusCode', 'INTEGER'],
    ...['contentType', 'error', 'warning', 'scrapeId'].map((name) => [name, 'VARCHAR']),
    ['fetchedAt', 'TIMESTAMP WITH TIME ZONE'],
    ['markdown', 'VARCHAR'],
    ['links', 'VARCHAR[]'],
    ['metadata', 'VARCHAR'],
  ]);
  assert.deepEqual(found.hosts, [[20, 20, true]]);
  assert.equal(found.onDisk, 20);
  const expected = documents
    .map(({ metadata, links, markdown }) => [metadata.url, metadata.statusCode, links!.length, [...markdown!].length])
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  assert.deepEqual(
    found.pages.map(([address, , ...rest]) => [address, ...rest.slice(0, 3)]),
    expected,
  );
  for (const [, , , , , at] of found.pages)
    assert.ok(Number(at) >= before - 1 && Number(at) <= Date.now() + 1, String(at));
});

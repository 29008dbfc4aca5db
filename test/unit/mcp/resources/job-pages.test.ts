// The pages of a job in parts: each read has as many as fit, and reading on reaches every page once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiClient } from '../../../../src/client/api-client.ts';
import type { ResourceText } from '../../../../src/mcp/resource.ts';
import { crawlPages } from '../../../../src/mcp/resources/job-pages.ts';
import { findResource } from '../../../../src/mcp/resources/resources.ts';

const MAX = 10_000;

interface Page {
  markdown?: string;
  html?: string;
}

/** A service that has read these pages. */
const contextOf = (pages: readonly Page[], more: object = {}) => ({
  maxAnswer: MAX,
  signal: new AbortController().signal,
  api: createApiClient({
    origin: 'mcp',
    async send({ path }) {
      const query = new URL(path, 'http://service').searchParams;
      const [skip, limit] = [Number(query.get('skip')), Number(query.get('limit'))];
      const data = pages.map((page, at) => ({ ...page, metadata: { scrapeId: `id${at}`, url: `http://page/${at}` } }));
      const job = { status: 'completed', total: pages.length, completed: pages.length, failed: 0, ...more };
      const text = JSON.stringify({ success: true, ...job, data: data.slice(skip, skip + limit) });
      const body = (async function* () {
        yield Buffer.from(text);
      })();
      return { status: 200, headers: {}, body };
    },
  }),
});

async function readAll(pages: readonly Page[]) {
  const context = contextOf(pages);
  const seen: string[] = [];
  let uri: string | undefined = 'trawl://crawl/job/pages';
  let reads = 0;
  while (uri !== undefined) {
    const { kind, variables }: NonNullable<ReturnType<typeof findResource>> = findResource(uri)!;
    const [head, ...contents]: readonly ResourceText[] = await kind.read(variables, context);
    assert.equal(head!.uri, uri);
    assert.ok(contents.reduce((sum, { text }) => sum + text.length, 0) <= MAX + contents.length * 40);
    seen.push(...contents.map((each) => each.uri));
    uri = /Continue with the resource (\S+)/.exec(head!.text)?.[1];
    reads += 1;
  }
  return { seen, reads };
}

const idsUntil = (count: number) => Array.from({ length: count }, (_, at) => `trawl://scrape/id${at}`);

test('short pages come twenty at a time, long ones as the budget allows', async () => {
  const short = Array.from({ length: 45 }, () => ({ markdown: 'Short.' }));
  assert.deepEqual(await readAll(short), { seen: idsUntil(45), reads: 3 });
  const long = Array.from({ length: 9 }, () => ({ markdown: 'word '.repeat(800) }));
  assert.deepEqual(await readAll(long), { seen: idsUntil(9), reads: 5 });
});

test('a page that is longer than the budget is cut, and says where it continues', async () => {
  const pages = [{ markdown: 'word '.repeat(10_000) }, { markdown: 'Short.' }];
  const [, first] = await crawlPages.read({ id: 'job' }, contextOf(pages));
  assert.match(first!.text, /^Source: http:\/\/page\/0\n\nword /);
  assert.match(first!.text, /Continue with the resource trawl:\/\/scrape\/id0\?offset=\d+\]$/);
  assert.deepEqual((await readAll(pages)).seen, idsUntil(2));
});

test('pages without Markdown come as JSON', async () => {
  const [, first] = await crawlPages.read({ id: 'job' }, contextOf([{ html: '<p>x</p>' }]));
  assert.equal(first!.mimeType, 'application/json');
  assert.equal(JSON.parse(first!.text).html, '<p>x</p>');
});

test('the state says what failed, and whether more will come', async () => {
  const stateOf = async (more: object) =>
    (await crawlPages.read({ id: 'job' }, contextOf([{ markdown: 'x' }], more)))[0]!.text;
  assert.match(await stateOf({ failed: 2 }), /^The crawl is completed: 1 of 1 pages are done, and 2 failed\./);
  assert.match(await stateOf({ status: 'scraping', total: 9 }), /More pages follow/);
  assert.match(await stateOf({ status: 'scraping', total: 9, paused: true }), /^The crawl is paused: [\s\S]*1 to 1\.$/);
  assert.match(await stateOf({ status: 'failed', error: 'The site is gone.' }), /Error: The site is gone\./);
});

test('only URIs of the templates are found', () => {
  const found = (uri: string) => findResource(uri)?.kind.name;
  assert.equal(found('trawl://scrape/a'), 'scrape');
  assert.deepEqual(findResource('trawl://scrape/a%2Fb?offset=3&format=html&other=1')?.variables, {
    id: 'a/b',
    offset: '3',
    format: 'html',
  });
  for (const uri of [
    'trawl://scrape',
    'trawl://scrape/a/b',
    'trawl://crawl/a',
    'TRAWL://scrape/a',
    'trawl:scrape/a',
    '',
    `trawl://scrape/${'a'.repeat(3_000)}`,
  ]) {
    assert.equal(found(uri), undefined, uri);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scrapeOptions } from '../../../../src/contracts/scrape/scrape-options.ts';
import type { FetchEngine } from '../../../../src/fetch/engine.ts';
import { CallerHeaders } from '../../../../src/net/http/caller-headers.ts';
import { type ReadPageDeps, readPage } from '../../../../src/operations/page/read-page.ts';
import { NO_SITE_MEMORIES } from '../../../../src/operations/page/siblings/site-memories.ts';
import type { Fetched } from '../../../../src/page/page.ts';
import { createPageSharing } from '../../../../src/page/page-owner.ts';
import type { ParsedFile } from '../../../../src/page/parsed.ts';
import type { FileParser } from '../../../../src/parse/file-parser.ts';
import { sharedPagePool } from '../../../support/threads.ts';

const NOW = Date.UTC(2031, 4, 1);
const SIGNAL = new AbortController().signal;
const transformer = sharedPagePool();

const http: FetchEngine = {
  name: 'http',
  fetch: async ({ url, proxyClass }): Promise<Fetched> => ({
    ...{ requestedUrl: url.href, finalUrl: `${url.href}#top`, status: 200, headers: {}, contentType: 'text/html' },
    ...{
      bytes: Buffer.from('<title>Tides</title><p>The tide turns twice a day.'),
      fetchedAt: NOW,
      engine: 'http',
      proxyClass,
    },
  }),
};
const deps = {
  ...{ http, chromeHttp: http, transformer, clock: { now: () => NOW } },
  metrics: { count: () => {} },
  manual: { has: () => false },
  browser: { unavailable: () => 'There is none.' },
  renderedHosts: { has: () => false, add: () => {} },
  egress: { hasProxy: () => true },
  pages: { find: async () => undefined },
  sharing: createPageSharing({ isolatesTeams: false }),
  siteMemories: NO_SITE_MEMORIES,
} as unknown as ReadPageDeps;

async function read(options: object, zeroDataRetention = false) {
  const request = {
    url: new URL('https://example.com/tides'),
    teamId: 'team',
    threatCheck: undefined,
    options: { ...scrapeOptions.parse(options), zeroDataRetention },
    headers: CallerHeaders.none(),
    deadline: NOW + 60_000,
    baseUrl: 'http://trawl.test',
  };
  const { outcome, toStore } = await readPage(deps, request, SIGNAL);
  assert.ok(!('entry' in outcome), 'the outcome for the caller contains the index entry');
  assert.ok('result' in toStore && !('entry' in toStore.result.outcome), 'the stored result contains the index entry');
  return 'page' in toStore ? toStore.page.entry : undefined;
}

test('a stored page is indexed under its own URL with the time of its fetch', async () => {
  const entry = await read({});
  assert.ok(entry);
  const { url, title, fetchedAt } = JSON.parse(Buffer.from(entry).toString());
  assert.deepEqual({ url, title, fetchedAt }, { url: 'https://example.com/tides', title: 'Tides', fetchedAt: NOW });
  assert.ok(await read({ formats: ['rawHtml'], onlyMainContent: false, proxy: 'basic' }));
  assert.ok(await read({ location: { country: 'us' } }));
});

test('a page is indexed whatever variant of it was fetched, unless it is not stored', async () => {
  for (const options of [
    { mobile: true },
    { waitFor: 100 },
    { blockAds: false },
    { proxy: 'enhanced' },
    { location: { country: 'DE' } },
    { location: { country: 'US', languages: ['fr'] } },
  ]) {
    assert.ok(await read(options), JSON.stringify(options));
  }
  assert.equal(await read({}, true), undefined);
  for (const options of [{ storeInCache: false }, { headers: { cookie: 'a=b' } }]) {
    assert.equal(await read(options), undefined, JSON.stringify(options));
  }
});

test('a partially parsed file is returned but not stored for other requests', async () => {
  const page = await http.fetch({ url: new URL('https://example.com/scan.pdf'), proxyClass: 'basic' } as never, SIGNAL);
  const pdf: FetchEngine = {
    name: 'http',
    fetch: async () => ({ ...page, bytes: Buffer.from('%PDF-1.4\n'), contentType: 'application/pdf' }),
  };
  const parsed = (isPartial?: true): ParsedFile => ({
    body: { markdown: '# Tides' },
    metadata: {},
    warnings: [],
    numPages: 1,
    totalPages: 2,
    ...(isPartial && { isPartial }),
  });
  const toStoreFor = async (file: ParsedFile) => {
    const fileParser: FileParser = { parse: async () => file, close: async () => {} };
    const options = { ...scrapeOptions.parse({}), zeroDataRetention: false };
    const headers = CallerHeaders.none();
    const timing = { deadline: NOW + 60_000, baseUrl: 'http://trawl.test' };
    const request = {
      url: new URL(page.finalUrl),
      teamId: 'team',
      threatCheck: undefined,
      options,
      headers,
      ...timing,
    };
    return (await readPage({ ...deps, http: pdf, fileParser }, request, SIGNAL)).toStore;
  };
  assert.ok('page' in (await toStoreFor(parsed())));
  const partial = await toStoreFor(parsed(true));
  assert.ok('result' in partial && !('page' in partial));
});

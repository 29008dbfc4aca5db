// Providers that are down, slow, wrong or out of quota: the others answer in time, and the warning names those that did not.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe } from 'node:test';
import { fullTest, test } from '../support/full-run.ts';
import {
  type Behaviour,
  type ProviderStandIn,
  sendJson,
  startProviderStandIn,
} from '../support/search/provider-stand-ins.ts';
import { fetchPages, hostPaths, search, startSearchWeb, trySearch } from '../support/search/search.ts';
import { type RunningProgram, startServiceWith } from '../support/service.ts';
import { startServiceHereWith } from '../support/service-here.ts';
import type { Web } from '../support/web.ts';

const PAGES = [
  { at: 'own.test/anchor', title: 'Anchor', text: 'An anchor holds a ship.' },
  { at: 'own.test/chain', title: 'Anchor chain', text: 'The chain of an anchor is heavy.' },
];

let web: Web;
let searxng: ProviderStandIn;
let brave: ProviderStandIn;
let service: RunningProgram;

before(async () => {
  [web, searxng, brave] = await Promise.all([
    startSearchWeb(PAGES),
    startProviderStandIn('searxng'),
    startProviderStandIn('brave'),
  ]);
  service = await startServiceWith(web, {
    TRAWL_SEARXNG_URL: searxng.url,
    TRAWL_BRAVE_URL: brave.url,
    TRAWL_BRAVE_API_KEY: 'first-key,second-key',
  });
  await fetchPages(service, web, PAGES);
});
after(async () => {
  await Promise.all([service?.stop(), searxng?.stop(), brave?.stop()]);
  await web?.stop();
});

let questions = 0;
const ask = (more: object = {}) => search(service, { query: `anchor n${questions++}`, explain: true, ...more });
const own = ['own.test/anchor', 'own.test/chain'];

// A provider that has just worked is not paused after a single failure.
beforeEach(async () => {
  for (const provider of [searxng, brave]) provider.give();
  await ask();
});

const html: Behaviour = (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Busy');
const BEHAVIOURS: Record<string, [behaviour: Behaviour, words: RegExp]> = {
  'answers with an error': [(_, response) => sendJson(response, {}, 500), /out of order \(status 500\)/],
  'cuts the connection': [
    (_, response) => void response.socket!.destroy(),
    /could not be reached, or the connection broke/,
  ],
  'sends a web page': [html, /web page instead of JSON/],
  'sends half an answer': [
    (_, response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end('{"results":[{"url":"htt'),
    /cut off/,
  ],
  'breaks off in the middle': [
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"results":[', () => response.socket!.destroy());
    },
    /connection broke/,
  ],
  'sends nothing': [(_, response) => void response.writeHead(200).end(), /is empty/],
  'sends JSON of another shape': [(_, response) => sendJson(response, ['x']), /shape|no results|expected/i],
  redirects: [(_, response) => sendJson(response, {}, 302, { location: 'http://10.0.0.1/' }), /redirect/],
  'never stops sending': [
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const chunk = ' '.repeat(1 << 20);
      const more = () => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    },
    /too large|no answer|in time/,
  ],
};

for (const [name, [behaviour, words]] of Object.entries(BEHAVIOURS)) {
  test(`a provider that ${name} does not affect the others`, async () => {
    searxng.behave(behaviour);
    brave.give({ url: 'https://far.test/brave' });
    const { data, warning, explain } = await ask();
    assert.deepEqual(hostPaths(data.web).sort(), ['far.test/brave', ...own]);
    assert.match(warning!, /^Not every search provider answered \(SearXNG: /);
    assert.match(warning!, words);
    const run = explain!.providers.find(({ provider }) => provider === 'searxng')!;
    assert.equal(run.state, 'failed');
    assert.ok(warning!.includes(run.problem!));
  });
}

fullTest('a slow provider is cut off in time and named', async () => {
  searxng.behave(() => {});
  // A search that takes longer than this would be a 408.
  const { data, warning, explain } = await ask({ timeout: 5000 });
  assert.deepEqual(hostPaths(data.web).sort(), own);
  assert.match(warning!, /SearXNG/);
  assert.equal(explain!.providers.find(({ provider }) => provider === 'searxng')!.state, 'timed-out');
});

describe('when nobody answers', () => {
  const nothing = () => ({ query: `xyzzyplugh n${questions++}` });
  const broken: Behaviour = (_, response) => sendJson(response, {}, 500);

  test('the search fails and says why, instead of claiming that there is nothing', async () => {
    searxng.behave(broken);
    brave.behave(broken);
    const { status, body } = await trySearch(service, nothing());
    assert.deepEqual([status, body.success, body.code, 'data' in body], [500, false, 'UNKNOWN_ERROR', false]);
    assert.match(
      body.error,
      /^No search provider answered \(SearXNG, Brave Search: it is out of order \(status 500\)\)\./,
    );
    assert.match(body.error, /own index has no matching page/);
  });

  test('results of the own index, or one empty answer, are enough', async () => {
    searxng.behave(broken);
    brave.behave(broken);
    assert.deepEqual(hostPaths((await ask()).data.web).sort(), own);
    brave.give();
    const { data, warning } = await search(service, nothing());
    assert.deepEqual(data, { web: [] });
    assert.match(warning!, /^Not every search provider answered \(SearXNG: /);
  });
});

test('when a key is used up, the next one is used', async () => {
  brave.behave(({ headers }, response) =>
    headers['x-subscription-token'] === 'first-key'
      ? sendJson(response, { error: { code: 'RATE_LIMITED' } }, 429, { 'retry-after': '3600' })
      : sendJson(response, {
          type: 'search',
          query: {},
          web: { results: [{ url: 'https://far.test/second', title: 'x' }] },
        }),
  );
  brave.asked.length = 0;
  const keys = () => brave.asked.map(({ headers }) => headers['x-subscription-token']);
  const { data, warning } = await ask();
  assert.ok(hostPaths(data.web).includes('far.test/second'));
  assert.equal(warning, undefined);
  assert.deepEqual(keys(), ['first-key', 'second-key']);
  await ask();
  assert.deepEqual(keys(), ['first-key', 'second-key', 'second-key']);
});

test('a provider that asks for a pause gets it', async () => {
  searxng.behave((_, response) => sendJson(response, {}, 503, { 'retry-after': '60' }));
  await ask();
  const before = searxng.asked.length;
  const { warning, explain } = await ask();
  assert.equal(searxng.asked.length, before);
  assert.match(warning!, /SearXNG/);
  const run = explain!.providers.find(({ provider }) => provider === 'searxng')!;
  assert.deepEqual([run.state, run.requests], ['resting', 0]);
});

describe('timeout', () => {
  test('without an answer in time is a 408', async () => {
    // No provider answers, and their share of the time starts later, so the search itself times out first.
    brave.behave(() => {});
    const { status, body } = await trySearch(service, { query: 'anchor now', timeout: 1 });
    assert.deepEqual([status, body.success, body.code], [408, false, 'SCRAPE_TIMEOUT']);
    assert.match(body.error, /`timeout`/);
    assert.ok(!('data' in body));
  });

  test('is also a 408 if it left every provider too little time and the index has nothing', async () => {
    for (const provider of [searxng, brave]) provider.behave(() => {});
    const { status, body } = await trySearch(service, { query: 'xyzzyplugh', timeout: 1_500 });
    assert.deepEqual([status, body.success, body.code, 'data' in body], [408, false, 'SCRAPE_TIMEOUT', false]);
  });

  test('is not what a search failed by if the providers had all the time that they may have', async () => {
    const limited = await startServiceHereWith(web, {
      TRAWL_SEARXNG_URL: searxng.url,
      TRAWL_PROVIDER_TIMEOUT_MS: '1000',
    });
    try {
      searxng.behave(() => {});
      const { status, body } = await trySearch(limited, { query: 'xyzzyplugh' });
      assert.deepEqual([status, body.code], [500, 'UNKNOWN_ERROR']);
      assert.match(body.error, /^No search provider answered \(SearXNG: it did not answer in time\)/);
    } finally {
      await limited.stop();
    }
  });

  fullTest('keeps results whose scrape did not finish', async () => {
    brave.give({ url: web.url('fault.test', '/stalled-headers') });
    const { data } = await ask({ timeout: 5000, scrapeOptions: { formats: ['markdown'] } });
    const stalled = data.web!.find(({ url }) => url.includes('fault.test'))!;
    assert.equal(stalled.metadata!.statusCode, 408);
    assert.match(stalled.metadata!.error!, /timeout/);
    assert.equal(data.web!.filter(({ markdown }) => markdown !== undefined).length, 2);
  });
});

test('neither keys nor queries are written to the log', () => {
  const { stdout, stderr } = service.output();
  assert.match(stdout + stderr, /search provider failed/);
  assert.doesNotMatch(stdout.replace(/.*API key.*/, '') + stderr, /first-key|second-key|anchor n\d/);
});

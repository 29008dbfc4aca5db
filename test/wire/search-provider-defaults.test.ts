// Who answers web searches by default: without an account, with a provider of one's own, and behind a proxy.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { FIXTURES } from '../support/provider-server.ts';
import { startProxy, type TestProxy } from '../support/proxy.ts';
import { type ProviderStandIn, sendHtml, startProviderStandIn } from '../support/search/provider-stand-ins.ts';
import { hostPaths, search, trySearch } from '../support/search/search.ts';
import { type RunningService, startService } from '../support/service.ts';

const CHALLENGE = readFileSync(join(FIXTURES, 'duckduckgo/challenge-dialog.html'), 'utf8');

let duckduckgo: ProviderStandIn;
let wikipedia: ProviderStandIn;
let marginalia: ProviderStandIn;
let standIns: Record<string, string>;

before(async () => {
  [duckduckgo, wikipedia, marginalia] = await Promise.all([
    startProviderStandIn('duckduckgo'),
    startProviderStandIn('wikipedia'),
    startProviderStandIn('marginalia'),
  ]);
  standIns = {
    TRAWL_DUCKDUCKGO_URL: duckduckgo.url,
    TRAWL_WIKIPEDIA_URL: wikipedia.url,
    TRAWL_MARGINALIA_URL: marginalia.url,
  };
});
after(() => Promise.all([duckduckgo, wikipedia, marginalia].map((provider) => provider?.stop())));

const stateOf = (found: Awaited<ReturnType<typeof search>>, name: string) =>
  found.explain!.providers.find(({ provider }) => provider === name)?.state;

describe('without an account', () => {
  let service: RunningService;
  before(async () => {
    service = await startService({ ...standIns, TRAWL_KEYLESS_PROVIDERS: 'on', TRAWL_PROVIDER_TIMEOUT_MS: '6000' });
  });
  after(() => service?.stop());
  const ask = (request: object) => search(service, { explain: true, ...request });

  test('the start says who answers searches and how to add a provider', () => {
    const { stdout } = service.output();
    assert.match(stdout, /^Searches are answered by: index, duckduckgo, wikipedia, marginalia\..*docs\/9-search\.md/m);
    assert.match(stdout, /TRAWL_BRAVE_API_KEY/);
  });

  test('DuckDuckGo, Wikipedia and Marginalia answer web searches', async () => {
    duckduckgo.give({ url: 'https://far.test/net', title: 'Net', description: 'A net.' });
    wikipedia.give({ url: '', title: 'Fishing net', description: 'A net for fishing' });
    marginalia.give({ url: 'https://small.test/net' });
    const { data, warning } = await ask({ query: 'fishing net' });
    assert.equal(warning, undefined);
    assert.deepEqual(hostPaths(data.web).sort(), [
      'en.wikipedia.org/wiki/Fishing_net',
      'far.test/net',
      'small.test/net',
    ]);
    assert.match(String(duckduckgo.asked[0]!.headers['user-agent']), /^Mozilla\/5\.0 .*Chrome/);
    assert.equal(duckduckgo.asked[0]!.headers['sec-fetch-mode'], 'navigate');
    assert.equal(marginalia.asked[0]!.headers['api-key'], 'public');
  });

  test('domains and times are passed on, and checked on the results', async () => {
    duckduckgo.give({ url: 'https://far.test/new' }, { url: 'https://other.test/new' });
    const asked = [wikipedia.asked.length, marginalia.asked.length];
    const { data } = await ask({ query: 'mended nets', includeDomains: ['far.test'], tbs: 'qdr:w' });
    assert.deepEqual(hostPaths(data.web), ['far.test/new']);
    const { query, parameters } = duckduckgo.asked.at(-1)!;
    assert.deepEqual([query, parameters.get('df')], ['mended nets site:far.test', 'w']);
    assert.deepEqual([wikipedia.asked.length, marginalia.asked.length], asked, 'they cannot have such results');

    const { data: others } = await ask({ query: 'mended nets', excludeDomains: ['other.test'] });
    assert.deepEqual(hostPaths(others.web).includes('other.test/new'), false);
    assert.equal(duckduckgo.asked.at(-1)!.query, 'mended nets -site:other.test');
  });

  test('a country alone does not change the language', async () => {
    await ask({ query: 'nets of Hamburg', country: 'DE' });
    assert.equal(duckduckgo.asked.at(-1)!.parameters.get('kl'), null);
    assert.equal(marginalia.asked.at(-1)!.parameters.get('lang'), null);
    await ask({ query: 'nets of Hamburg', country: 'DE', lang: 'de' });
    assert.equal(duckduckgo.asked.at(-1)!.parameters.get('kl'), 'de-de');
    assert.equal(marginalia.asked.at(-1)!.parameters.get('lang'), 'de');
  });

  test('a slow provider is cut off and named, and the results of the others are returned', async () => {
    duckduckgo.give({ url: 'https://far.test/fast' });
    marginalia.behave(() => {});
    const found = await ask({ query: 'slow nets' });
    assert.ok(hostPaths(found.data.web).includes('far.test/fast'));
    assert.equal(stateOf(found, 'marginalia'), 'timed-out');
    assert.match(found.warning!, /Marginalia Search: it did not answer in time/);
  });

  test('a challenge is said in plain words, and DuckDuckGo rests', async () => {
    marginalia.give();
    duckduckgo.behave((_, response) => sendHtml(response, CHALLENGE, 202));
    const first = await ask({ query: 'nets for people' });
    const asked = duckduckgo.asked.length;
    assert.match(first.warning!, /DuckDuckGo .*CAPTCHA.*not asked for a while/);
    const second = await ask({ query: 'nets for people again' });
    assert.match(second.warning!, /DuckDuckGo .*CAPTCHA/);
    assert.deepEqual([stateOf(second, 'duckduckgo'), duckduckgo.asked.length], ['resting', asked]);
    const lines = service.output().stderr.match(/"provider":"duckduckgo"/g);
    assert.equal(lines?.length, 1);
  });
});

test('with a provider of your own, DuckDuckGo is not asked; with the keyless ones off, nobody else is', async () => {
  const brave = await startProviderStandIn('brave');
  const proxy = await startProxy({ status: 502 });
  const own = { TRAWL_BRAVE_URL: brave.url, TRAWL_BRAVE_API_KEY: 'key' };
  try {
    for (const [settings, names] of [
      [{ ...standIns, TRAWL_KEYLESS_PROVIDERS: 'on' }, ['brave', 'wikipedia', 'marginalia']],
      [{ TRAWL_KEYLESS_PROVIDERS: 'off', TRAWL_PROXY: proxy.url }, ['brave']],
    ] as const) {
      const service = await startService({ ...own, ...settings });
      try {
        const before = [brave, duckduckgo].map(({ asked }) => asked.length);
        marginalia.give();
        const { explain } = await search(service, { query: `own nets ${names.length}`, explain: true });
        assert.deepEqual(
          explain!.providers.map(({ provider }) => provider),
          ['index', ...names],
        );
        // At a private address, the provider is asked directly.
        assert.deepEqual(
          [brave, duckduckgo].map(({ asked }) => asked.length),
          [before[0]! + 1, before[1]!],
        );
        assert.match(service.output().stdout, new RegExp(`answered by: index, ${names.join(', ')}\\.`));
        assert.doesNotMatch(service.output().stdout, /API_KEY/);
      } finally {
        await service.stop();
      }
    }
    assert.deepEqual(proxy.asked, []);
  } finally {
    await Promise.all([brave.stop(), proxy.stop()]);
  }
});

describe('behind a proxy', () => {
  let proxy: TestProxy;
  let own: TestProxy;
  before(async () => {
    [proxy, own] = await Promise.all([startProxy({ status: 502 }), startProxy()]);
  });
  after(() => Promise.all([proxy?.stop(), own?.stop()]));

  test('providers are asked through TRAWL_PROXY', async () => {
    const service = await startService({
      TRAWL_KEYLESS_PROVIDERS: 'on',
      TRAWL_PROXY: proxy.url.replace('://', '://me:secret@'),
    });
    try {
      const { body } = await trySearch(service, { query: 'nets' });
      assert.equal(body.code, 'SEARCH_FAILED');
      assert.deepEqual(proxy.asked.toSorted(), [
        'CONNECT api2.marginalia-search.com:443',
        'CONNECT en.wikipedia.org:443',
        'CONNECT html.duckduckgo.com:443',
      ]);
      const { stdout, stderr } = service.output();
      assert.match(stderr, /the upstream proxy did not forward the request/);
      assert.doesNotMatch(body.error + stdout + stderr, /secret/);
    } finally {
      await service.stop();
    }
  });

  test('TRAWL_PROVIDER_PROXY replaces it, for all providers', async () => {
    const searxng = await startProviderStandIn('searxng');
    searxng.give({ url: 'https://far.test/proxied' });
    const asked = proxy.asked.length;
    const service = await startService({
      TRAWL_SEARXNG_URL: searxng.url,
      TRAWL_PROXY: proxy.url,
      TRAWL_PROVIDER_PROXY: own.url,
    });
    try {
      const { data } = await search(service, { query: 'nets' });
      assert.deepEqual(hostPaths(data.web), ['far.test/proxied']);
      assert.ok(own.asked.includes(`CONNECT ${new URL(searxng.url).host}`), JSON.stringify(own.asked));
      assert.equal(proxy.asked.length, asked);
    } finally {
      await service.stop();
      await searxng.stop();
    }
  });
});

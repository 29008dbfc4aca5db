// The providers that need no key, beside a provider of your own and behind proxies.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startProxy, type TestProxy } from '../support/proxy.ts';
import { startProviderStandIn } from '../support/search/provider-stand-ins.ts';
import { hostPaths, search, trySearch } from '../support/search/search.ts';
import { startService } from '../support/service.ts';
import { duckduckgo, marginalia, standIns, useDefaults } from '../support/wire/search-provider-defaults.ts';

useDefaults();

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
      assert.equal(body.code, 'UNKNOWN_ERROR');
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

// The providers that need no key, as they are asked without any setting.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import { fullTest, test } from '../support/full-run.ts';
import { FIXTURES } from '../support/provider-server.ts';
import { sendHtml } from '../support/search/provider-stand-ins.ts';
import { hostPaths, search } from '../support/search/search.ts';
import { type RunningProgram, startService } from '../support/service.ts';
import { duckduckgo, marginalia, standIns, useDefaults, wikipedia } from '../support/wire/search-provider-defaults.ts';

useDefaults();

const CHALLENGE = readFileSync(join(FIXTURES, 'duckduckgo/challenge-dialog.html'), 'utf8');

const stateOf = (found: Awaited<ReturnType<typeof search>>, name: string) =>
  found.explain!.providers.find(({ provider }) => provider === name)?.state;

describe('without an account', () => {
  let service: RunningProgram;
  before(async () => {
    service = await startService({ ...standIns, TRAWL_KEYLESS_PROVIDERS: 'on', TRAWL_PROVIDER_TIMEOUT_MS: '6000' });
  });
  after(() => service?.stop());
  const ask = (request: object) => search(service, { explain: true, ...request });

  test('the start says who answers searches and how to add a provider', () => {
    const { stdout } = service.output();
    assert.match(
      stdout,
      /^Searches are answered by: index, duckduckgo, wikipedia, marginalia\..*docs\/use\/search\.md/m,
    );
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

  fullTest('a slow provider is cut off and named, and the results of the others are returned', async () => {
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
    const lines = service.output().stderr.match(/"provider":"duckduckgo".*CAPTCHA/g);
    assert.equal(lines?.length, 1);
  });
});

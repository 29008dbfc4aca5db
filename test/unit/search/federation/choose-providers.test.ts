// Which providers are asked for what, and whether the list of names matches the adapters.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../../../src/config/settings.ts';
import type { Conditions } from '../../../../src/contracts/search/search-query.ts';
import { chooseProviders, usesIndex, webSearchers } from '../../../../src/search/federation/choose-providers.ts';
import type { ProviderQuery } from '../../../../src/search/providers/provider.ts';
import { operatorOrigins, PROVIDER_NAMES, PROVIDER_NEEDS } from '../../../../src/search/providers/provider-names.ts';
import { PROVIDERS } from '../../../../src/search/providers/registry.ts';
import { parseQuery } from '../../../../src/search/query/query.ts';

const question = (source: ProviderQuery['source'], more: Partial<Conditions> = {}, text = 'words'): ProviderQuery => ({
  query: parseQuery(text),
  conditions: {
    sortByDate: false,
    includeDomains: [],
    excludeDomains: [],
    categories: [],
    country: 'US',
    language: 'en',
    ...more,
  },
  source,
  count: 10,
  page: 0,
  now: 0,
});

const chosen = (env: Record<string, string>, asked = question('web')) =>
  chooseProviders(PROVIDERS, readConfig(env).searchProviders, asked).map(({ name }) => name);

test('every adapter is in the list of names, in order and with its requirements', () => {
  assert.deepEqual(
    PROVIDERS.map(({ name }) => name),
    PROVIDER_NAMES,
  );
  for (const { name, needs, url, label, sources, onlyFor } of PROVIDERS) {
    const listed = PROVIDER_NEEDS[name as (typeof PROVIDER_NAMES)[number]];
    const needed = listed.key === 'needed' ? 'key' : listed.url === 'needed' ? 'url' : 'nothing';
    assert.equal(needs, needed, name);
    assert.equal(url === undefined, listed.url === 'needed', `${name} must have a URL or require one`);
    assert.ok(url === undefined || /^https:\/\/.*[^/]$/.test(url), `${name}: ${url}`);
    assert.ok(label !== '' && sources.length > 0, name);
    assert.equal(listed.web !== undefined, sources.includes('web') && onlyFor === undefined, name);
  }
});

test('without settings, providers that need nothing are asked, for the source or category they cover', () => {
  assert.deepEqual(chosen({}), ['duckduckgo', 'wikipedia', 'marginalia']);
  assert.deepEqual(chosen({}, question('images')), ['openverse', 'wikimedia']);
  assert.deepEqual(chosen({}, question('news')), ['gdelt', 'hackernews']);
  const research = chosen({}, question('web', { categories: ['research'] }));
  for (const name of ['arxiv', 'openalex', 'crossref', 'pubmed']) assert.ok(research.includes(name), name);
  assert.ok(!research.includes('github'));
  assert.ok(chosen({}, question('web', { categories: ['github'] })).includes('github'));
});

test('providers with a key or URL are asked too, before the keyless ones', () => {
  const env = { TRAWL_TAVILY_API_KEY: 'k', TRAWL_SEARXNG_URL: 'http://searx.lan', TRAWL_BRAVE_API_KEY: 'k' };
  assert.deepEqual(chosen(env), ['searxng', 'brave', 'tavily', 'wikipedia', 'marginalia']);
});

test('duckduckgo is asked by default only while no other provider for the whole web is set up', () => {
  const isAsked = (env: Record<string, string>) => chosen(env).includes('duckduckgo');
  assert.ok(!isAsked({ TRAWL_BRAVE_API_KEY: 'k' }));
  assert.ok(!isAsked({ TRAWL_SEARXNG_URL: 'http://searx.lan', TRAWL_DUCKDUCKGO_URL: 'http://ddg.lan' }));
  // A key for a part of the web replaces nothing, nor does a URL without the key that its provider needs.
  assert.ok(isAsked({ TRAWL_MARGINALIA_API_KEY: 'k', TRAWL_GITHUB_API_KEY: 'k', TRAWL_WIKIPEDIA_URL: 'http://w.lan' }));
  assert.ok(isAsked({ TRAWL_BRAVE_URL: 'http://brave.lan' }));
});

test('those who answer plain web searches are named in order', () => {
  const named = (env: Record<string, string>) => {
    const { names, hasOwn } = webSearchers(readConfig(env).searchProviders);
    return [...names, ...(hasOwn ? ['(own)'] : [])].join(' ');
  };
  assert.equal(named({}), 'index duckduckgo wikipedia marginalia');
  assert.equal(named({ TRAWL_BRAVE_API_KEY: 'k' }), 'index brave wikipedia marginalia (own)');
  assert.equal(named({ TRAWL_KEYLESS_PROVIDERS: 'off' }), 'index');
  assert.equal(named({ TRAWL_SEARCH_PROVIDERS: 'duckduckgo,arxiv' }), 'duckduckgo');
});

test('a list orders and restricts the providers', () => {
  const env = { TRAWL_BRAVE_API_KEY: 'k', TRAWL_EXA_API_KEY: 'k' };
  const listed = (order: string) => chosen({ ...env, TRAWL_SEARCH_PROVIDERS: order });
  assert.deepEqual(listed('wikipedia, exa'), ['wikipedia', 'exa']);
  assert.deepEqual(listed('duckduckgo,brave'), ['duckduckgo', 'brave']);
  assert.deepEqual(listed('index'), []);
});

test('with keyless providers off, only those that the operator configured are asked', () => {
  const off = { TRAWL_KEYLESS_PROVIDERS: 'off' };
  assert.deepEqual(chosen(off), []);
  assert.deepEqual(chosen({ ...off, TRAWL_BRAVE_API_KEY: 'k' }), ['brave']);
  assert.deepEqual(chosen({ ...off, TRAWL_WIKIPEDIA_URL: 'http://mirror.lan' }), ['wikipedia']);
  assert.deepEqual(chosen({ ...off, TRAWL_SEARCH_PROVIDERS: 'wikipedia,duckduckgo' }), []);
});

test('a provider that cannot have matching results is not asked', () => {
  assert.deepEqual(chosen({}, question('web', { includeDomains: ['example.com'] })), ['duckduckgo', 'marginalia']);
  assert.deepEqual(chosen({}, question('web', { time: { from: 0 } })), ['duckduckgo']);
  assert.deepEqual(chosen({}, question('web', {}, 'words filetype:pdf')), ['duckduckgo']);
});

test('the own index is used unless the list leaves it out', () => {
  assert.deepEqual(
    [undefined, 'index,wikipedia', 'wikipedia'].map((order) =>
      usesIndex(readConfig({ TRAWL_SEARCH_PROVIDERS: order }).searchProviders),
    ),
    [true, true, false],
  );
});

test('only URLs set by the operator may be private, and credentials are stripped from them', () => {
  const env = { TRAWL_SEARXNG_URL: 'http://me:pw@10.0.0.1:8080/searx/', TRAWL_BRAVE_API_KEY: 'k' };
  assert.deepEqual(operatorOrigins(readConfig(env).searchProviders), ['http://10.0.0.1:8080']);
});

// A country alone changes the language of no request; a language that the caller names does, where the provider has one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Source } from '../../../../src/contracts/search/search-query.ts';
import type { Provider } from '../../../../src/search/providers/provider.ts';
import { PROVIDERS } from '../../../../src/search/providers/registry.ts';
import { question, type SeenRequest, startProvider } from '../../../support/provider-server.ts';

/** Values by name, from the parameters and the body at any depth. */
function valuesOf(value: unknown, name = ''): [name: string, value: unknown][] {
  if (typeof value !== 'object' || value === null) return [[name, value]];
  return Object.entries(value).flatMap(([key, inner]) => valuesOf(inner, Array.isArray(value) ? name : key));
}

const COUNTRY_NAMES = ['country', 'gl', 'rb', 'region', 'userLocation'];

const isGerman = ([name, value]: [string, unknown]) =>
  !COUNTRY_NAMES.includes(name) && /^de(?:[-_].*)?$|sourcelang:german/i.test(String(value));

test('a country without a language sends no language', async (t) => {
  const withLanguage: string[] = [];
  for (const provider of PROVIDERS) {
    const server = await startProvider(t, provider.name);
    const ask = async (source: Source, language: string | undefined): Promise<SeenRequest[]> => {
      server.requests.length = 0;
      const asked = question('tide', { source, conditions: { country: 'DE', language } });
      // Answers of another source may be unreadable; only the request counts.
      await server.search(provider as Provider, asked, 'key').catch(() => undefined);
      assert.ok(server.requests.length > 0, provider.name);
      return [...server.requests];
    };
    const german = (requests: SeenRequest[]) =>
      requests.flatMap(({ parameters, body }) => valuesOf([parameters, body])).filter(isGerman);
    for (const source of provider.sources) {
      assert.deepEqual(german(await ask(source, undefined)), [], `${provider.name} ${source}`);
      if (german(await ask(source, 'de')).length > 0) withLanguage.push(provider.name);
    }
  }
  assert.deepEqual(
    [...new Set(withLanguage)],
    [
      'searxng',
      'brave',
      'serper',
      'serpapi',
      'google',
      'mojeek',
      'you',
      'v2',
      'duckduckgo',
      'marginalia',
      'wikimedia',
      'gdelt',
    ],
  );
});

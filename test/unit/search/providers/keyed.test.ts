// How the adapters of providers with a key or URL read good and bad answers, over a real connection.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Source } from '../../../../src/contracts/search/search-query.ts';
import { searxng } from '../../../../src/search/providers/adapters/self-hosted/searxng.ts';
import { v2 } from '../../../../src/search/providers/adapters/self-hosted/v2.ts';
import { brave } from '../../../../src/search/providers/adapters/web/brave.ts';
import { exa } from '../../../../src/search/providers/adapters/web/exa.ts';
import { google } from '../../../../src/search/providers/adapters/web/google.ts';
import { kagi } from '../../../../src/search/providers/adapters/web/kagi.ts';
import { marginalia } from '../../../../src/search/providers/adapters/web/marginalia.ts';
import { mojeek } from '../../../../src/search/providers/adapters/web/mojeek.ts';
import { serpapi } from '../../../../src/search/providers/adapters/web/serpapi.ts';
import { serper } from '../../../../src/search/providers/adapters/web/serper.ts';
import { tavily } from '../../../../src/search/providers/adapters/web/tavily.ts';
import { you } from '../../../../src/search/providers/adapters/web/you.ts';
import type { Provider, ProviderAnswer } from '../../../../src/search/providers/provider.ts';
import { ProviderProblem } from '../../../../src/search/providers/provider-problem.ts';
import { casesOf, expectedOf, NOW, question, startProvider } from '../../../support/provider-server.ts';

const KEY = 'secret-key-4711';
const HOUR = { from: NOW - 3_600_000, preset: 'hour' } as const;
const KEYED: Provider[] = [searxng, brave, serper, serpapi, google, tavily, exa, mojeek, kagi, you, v2];

const sourceOf = (title: string): Source =>
  title.startsWith('full-') ? (title.slice('full-'.length) as Source) : 'web';

/** In the form of expected.json: ISO dates, no undefined fields. */
const toExpectedForm = ({ results, hasMore }: ProviderAnswer): unknown =>
  JSON.parse(
    JSON.stringify({
      results: results.map(({ date, ...rest }) => ({
        ...rest,
        ...(date !== undefined && { date: new Date(date).toISOString() }),
      })),
      hasMore,
    }),
  );

for (const provider of KEYED) {
  const { name } = provider;

  test(`${name}: full, partial and odd answers become the expected results`, async (t) => {
    const server = await startProvider(t, name);
    const expected = expectedOf(name);
    for (const [title, answer] of Object.entries(expected)) {
      server.answer(title);
      const given = await server.search(provider, question('tide tables', { source: sourceOf(title) }), KEY);
      assert.deepEqual(toExpectedForm(given), answer, title);
    }
  });

  test(`${name}: no results are an empty answer without further pages`, async (t) => {
    const server = await startProvider(t, name);
    server.answer('empty');
    const given = await server.search(provider, question('zzqx'), KEY);
    assert.deepEqual(given, { results: [], hasMore: false });
  });

  test(`${name}: errors, an exhausted quota, HTML and truncated answers are distinguished, without leaking the key`, async (t) => {
    const server = await startProvider(t, name);
    const kinds = { html: 'malformed', truncated: 'malformed' } as Record<string, string>;
    for (const [title, { kind }] of Object.entries(casesOf(name))) if (kind) kinds[title] = kind;
    for (const [title, kind] of Object.entries(kinds)) {
      server.answer(title);
      const key = name === 'searxng' ? undefined : KEY;
      await assert.rejects(server.search(provider, question('tide tables'), key), (error) => {
        assert.ok(error instanceof ProviderProblem, `${title}: ${error}`);
        assert.equal(error.kind, kind, title);
        assert.ok(!error.message.includes(KEY) && !error.message.includes('tide'), error.message);
        return true;
      });
    }
  });

  test(`${name}: JSON of another shape is malformed`, async (t) => {
    const server = await startProvider(t, name);
    for (const strange of ['null', '[]', '"ok"', '7', '{"ok":true}', '[{"url":"https://a.example/"}]']) {
      server.answerText(strange);
      await assert.rejects(server.search(provider, question('tide tables'), KEY), { kind: 'malformed' }, strange);
    }
  });

  test(`${name}: every source has plausible limits`, () => {
    for (const source of provider.sources) {
      const { maxCount, maxPages } = provider.capabilities(source);
      assert.ok(maxCount >= 1 && maxCount <= 200 && maxPages >= 1 && maxPages <= 10, source);
    }
    assert.equal(provider.url === undefined, provider.needs === 'url');
  });
}

test('a query that a provider cannot express is not sent', async (t) => {
  for (const provider of [brave, tavily, exa, you, searxng, mojeek, marginalia, kagi]) {
    const server = await startProvider(t, provider.name);
    const given = await server.search(provider, question('larger:800x600'), KEY);
    assert.deepEqual(given, { results: [], hasMore: false }, provider.name);
    assert.equal(server.requests.length, 0, provider.name);
  }
});

test('for the last hour, undated results are dropped where the provider filters only by day', async (t) => {
  for (const provider of [searxng, brave, google, mojeek, kagi, you]) {
    const server = await startProvider(t, provider.name);
    const { results } = await server.search(provider, question('tide', { conditions: { time: HOUR } }), KEY);
    assert.ok(results.length > 0, provider.name);
    assert.ok(
      results.every(({ date }) => date !== undefined),
      provider.name,
    );
  }
});

test('for the last hour, undated results are kept where Google filters by hour', async (t) => {
  const server = await startProvider(t, 'serper');
  const { results } = await server.search(serper, question('tide', { conditions: { time: HOUR } }), KEY);
  assert.equal(results.length, 3);
});

test('a SearXNG without JSON output is reported with the setting to change, one with a wrong password is not', async (t) => {
  const server = await startProvider(t, 'searxng');
  server.answer('error');
  await assert.rejects(server.search(searxng, question('tide')), { kind: 'refused', message: /search\.formats/ });
  await assert.rejects(server.search(searxng, question('tide'), 'user:wrong'), { kind: 'key' });
});

test('a wait that the provider requests is passed on', async (t) => {
  const server = await startProvider(t, 'searxng');
  server.answer('quota');
  await assert.rejects(server.search(searxng, question('tide')), { kind: 'quota', retryAfterMs: 120_000 });
});

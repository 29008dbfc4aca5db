// What the adapters of keyless providers request, and how they read good and bad answers, over a real connection.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Ask } from '../../../../src/search/federation/provider-http.ts';
import { openverse } from '../../../../src/search/providers/adapters/images/openverse.ts';
import { wikimedia } from '../../../../src/search/providers/adapters/images/wikimedia.ts';
import { gdelt } from '../../../../src/search/providers/adapters/news/gdelt.ts';
import { hackernews } from '../../../../src/search/providers/adapters/news/hackernews.ts';
import { arxiv } from '../../../../src/search/providers/adapters/research/arxiv.ts';
import { crossref } from '../../../../src/search/providers/adapters/research/crossref.ts';
import { github } from '../../../../src/search/providers/adapters/research/github.ts';
import { openalex } from '../../../../src/search/providers/adapters/research/openalex.ts';
import { pubmed } from '../../../../src/search/providers/adapters/research/pubmed.ts';
import { duckduckgo } from '../../../../src/search/providers/adapters/web/duckduckgo.ts';
import { marginalia } from '../../../../src/search/providers/adapters/web/marginalia.ts';
import { wikipedia } from '../../../../src/search/providers/adapters/web/wikipedia.ts';
import type { Provider, ProviderAnswer } from '../../../../src/search/providers/provider.ts';
import { ProviderProblem } from '../../../../src/search/providers/provider-problem.ts';
import { casesOf, expectedOf, FIXTURES, NOW, question, startProvider } from '../../../support/provider-server.ts';
import { runs, seedOr } from '../../../support/runs.ts';

const KEYLESS: Provider[] = [
  wikipedia,
  marginalia,
  github,
  arxiv,
  openalex,
  crossref,
  pubmed,
  openverse,
  wikimedia,
  gdelt,
  hackernews,
  duckduckgo,
];
const HOUR_MS = 3_600_000;
const ODD_TEXTS = ['', 'x', '\ud800<b', 'javascript:1'];
const ODD_VALUES: unknown[] = [...ODD_TEXTS, null, true, -1, 1e300, [], [[]], {}, { toString: null, length: 9 }];

/** A provider that is asked in two steps has a second file for the second step. */
const answersOf = (name: string, title: string) =>
  casesOf(name)[`${title}-summary`] ? { 'esearch.fcgi': title, 'esummary.fcgi': `${title}-summary` } : title;

/** In the form of expected.json: ISO dates, no undefined fields. */
const toExpectedForm = ({ results, hasMore }: ProviderAnswer): unknown => ({
  results: results.map((result) => {
    const date = result.date === undefined ? undefined : new Date(result.date).toISOString();
    return JSON.parse(JSON.stringify({ ...result, date }));
  }),
  hasMore,
});

for (const provider of KEYLESS) {
  const { name } = provider;
  const source = provider.sources[0]!;

  test(`${name}: full, partial and odd answers become the expected results`, async (t) => {
    const server = await startProvider(t, name);
    for (const [title, answer] of Object.entries(expectedOf(name))) {
      server.answer(answersOf(name, title));
      assert.deepEqual(toExpectedForm(await server.search(provider, question('ghost net', { source }))), answer, title);
    }
  });

  test(`${name}: no results are an empty answer without further pages`, async (t) => {
    const server = await startProvider(t, name);
    server.answer('empty');
    const given = await server.search(provider, question('zzqx', { source }));
    assert.deepEqual(given, { results: [], hasMore: false });
    assert.equal(server.requests.length, 1);
  });

  test(`${name}: errors, an exhausted quota, HTML and truncated answers are distinguished`, async (t) => {
    const server = await startProvider(t, name);
    const expected = expectedOf(name);
    for (const [title, { kind: named }] of Object.entries(casesOf(name))) {
      const kind = named ?? (title === 'html' || title === 'truncated' ? 'malformed' : undefined);
      if (kind === undefined || title in expected) continue;
      server.answer(title);
      await assert.rejects(server.search(provider, question('ghost net', { source })), (error) => {
        assert.ok(error instanceof ProviderProblem, `${title}: ${error}`);
        assert.equal(error.kind, kind, title);
        assert.ok(!/ghost|127\.0\.0\.1/.test(error.message), error.message);
        return true;
      });
    }
  });

  test(`${name}: an answer of another shape is malformed`, async (t) => {
    const server = await startProvider(t, name);
    for (const strange of ['null', '[]', '"ok"', '7', '{"ok":true}', '[{"url":"https://a.example/"}]']) {
      server.answerText(strange);
      await assert.rejects(server.search(provider, question('net', { source })), { kind: 'malformed' }, strange);
    }
  });

  test(`${name}: a query without words sends no request`, async (t) => {
    const server = await startProvider(t, name);
    assert.deepEqual(await server.search(provider, question('larger:80x60', { source })), {
      results: [],
      hasMore: false,
    });
    assert.equal(server.requests.length, 0);
  });

  test(`${name}: with any field replaceValue, results are still valid URLs and texts`, async () => {
    const cases = casesOf(name);
    const steps = ['full', 'full-summary'].flatMap((title) => cases[title] ?? []);
    const texts = steps.map(({ file }) => readFileSync(join(FIXTURES, name, file), 'utf8'));
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.constantFrom(...ODD_VALUES), fc.nat(200), async (at, value, cut) => {
        const next = texts.values();
        const ask: Ask = {
          json: async () => replaceValue(JSON.parse(next.next().value!), at, value),
          text: async () => ({ status: 200, headers: {}, text: cutPiece(next.next().value!, at, cut) }),
        };
        const context = { url: 'https://provider.test', key: undefined, ask, signal: AbortSignal.timeout(60_000) };
        try {
          const { results } = await provider.search(question('ghost net', { source }), context);
          for (const { url, title, description, date } of results) {
            assert.match(new URL(url).protocol, /^https?:$/);
            assert.ok(typeof title === 'string' && title.length <= 1_100);
            assert.ok(typeof description === 'string' && description.length <= 1_000);
            assert.ok(date === undefined || Number.isFinite(date));
          }
        } catch (error) {
          if (!(error instanceof ProviderProblem)) throw error;
        }
      }),
      { seed: seedOr(5), numRuns: runs(400, 8_000) },
    );
  });

  test(`${name}: its limits are plausible, and its URL has no trailing slash`, () => {
    const { maxCount, maxPages } = provider.capabilities(source);
    assert.ok(maxCount >= 1 && maxCount <= 200 && maxPages >= 1 && maxPages <= 10);
    assert.match(provider.url!, /^https:\/\/[a-z0-9.-]+$/);
    assert.equal(provider.needs, 'nothing');
  });
}

/** The JSON with one of its values replaceValue. */
function replaceValue(whole: unknown, at: number, value: unknown): unknown {
  const slots: [Record<string, unknown>, string][] = [];
  const visit = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return;
    for (const key of Object.keys(node)) {
      slots.push([node as Record<string, unknown>, key]);
      visit((node as Record<string, unknown>)[key]);
    }
  };
  visit(whole);
  const [parent, key] = slots[at % slots.length]!;
  parent[key] = value;
  return whole;
}

/** The text with a piece cut out. */
const cutPiece = (whole: string, at: number, cut: number): string =>
  whole.slice(0, at % whole.length) + whole.slice((at % whole.length) + cut);

test('each provider has its sources and categories, and only duckduckgo has a pace', () => {
  const kindOf = ({ name, sources, onlyFor = [], category, everyMs }: Provider) =>
    [name, ...sources, ...onlyFor, category, everyMs].filter(Boolean).join(' ');
  assert.deepEqual(KEYLESS.map(kindOf), [
    'wikipedia web',
    'marginalia web',
    'github web github github',
    'arxiv web research research',
    'openalex web research research',
    'crossref web research research',
    'pubmed web research research',
    'openverse images',
    'wikimedia images',
    'gdelt news',
    'hackernews news',
    'duckduckgo web 1000',
  ]);
});

test('a provider whose pages the query, domains or file type exclude is not asked', () => {
  const asked = (provider: Provider, text: string, conditions = {}) => provider.covers!(question(text, { conditions }));
  assert.equal(asked(wikipedia, 'nets'), true);
  assert.equal(asked(wikipedia, 'nets site:example.com'), false);
  assert.equal(asked(wikipedia, 'nets site:de.wikipedia.org'), true);
  assert.equal(asked(wikipedia, 'nets site:example.com OR site:wikipedia.org'), true);
  assert.equal(asked(wikipedia, 'nets -site:wikipedia.org'), false);
  assert.equal(asked(wikipedia, 'nets -site:de.wikipedia.org'), true);
  assert.equal(asked(wikipedia, 'nets filetype:pdf'), false);
  assert.equal(asked(wikipedia, 'nets -filetype:pdf'), true);
  assert.equal(asked(wikipedia, 'nets related:example.com'), false);
  assert.equal(asked(wikipedia, 'nets', { includeDomains: ['example.com'] }), false);
  assert.equal(asked(wikipedia, 'nets', { includeDomains: ['example.com', 'org'] }), true);
  assert.equal(asked(wikipedia, 'nets', { excludeDomains: ['wikipedia.org'] }), false);
  assert.equal(asked(wikipedia, 'nets', { categories: ['pdf'] }), false);
  assert.equal(asked(wikipedia, 'nets', { time: { from: NOW - HOUR_MS } }), false);
  assert.equal(asked(wikimedia, 'nets filetype:jpg'), true);
  assert.equal(asked(wikimedia, 'nets site:wikimedia.org'), true);
  assert.equal(asked(openverse, 'nets', { time: { from: NOW - HOUR_MS } }), false);
  for (const [provider, host] of [
    [github, 'github.com'],
    [arxiv, 'arxiv.org'],
    [openalex, 'doi.org'],
    [crossref, 'doi.org'],
    [pubmed, 'pubmed.ncbi.nlm.nih.gov'],
  ] as const) {
    assert.equal(asked(provider, `nets site:${host}`), true, provider.name);
    assert.equal(asked(provider, 'nets site:example.com'), false, provider.name);
  }
});

test('wikipedia is asked in the language of the search, unless the operator set another URL', async (t) => {
  const server = await startProvider(t, 'wikipedia');
  const asked: string[] = [];
  const ask: Ask = {
    ...server.ask,
    json(request, signal) {
      const { origin, pathname } = new URL(request.url);
      asked.push(origin);
      return server.ask.json({ ...request, url: server.url + pathname }, signal);
    },
  };
  for (const language of ['de', 'nb', undefined, '', '../']) {
    const context = { url: wikipedia.url!, key: undefined, ask, signal: AbortSignal.timeout(60_000) };
    await wikipedia.search(question('netz', { conditions: { language } }), context);
  }
  const [de, no, en] = ['de', 'no', 'en'].map((language) => `https://${language}.wikipedia.org`);
  assert.deepEqual(asked, [de, no, en, en, en]);
});

test('the description of a long abstract is the part with the phrase', async (t) => {
  const server = await startProvider(t, 'arxiv');
  server.answer('long');
  const { results } = await server.search(arxiv, question('"ghost net"'));
  assert.match(results[0]!.description, /Only here the ghost net appears/);
  assert.ok(results[0]!.description.length <= 500);
});

test('arxiv: a feed is read only up to 200 entries and 64 levels', async (t) => {
  const server = await startProvider(t, 'arxiv');
  const entry = '<entry><id>http://arxiv.org/abs/2610.00001</id><title>Nets</title></entry>';
  server.answerText(`<feed>${entry.repeat(2_000)}</feed>`);
  assert.equal((await server.search(arxiv, question('net'))).results.length, 200);
  server.answerText(`<feed>${'<a>'.repeat(100_000)}`);
  await assert.rejects(server.search(arxiv, question('net')), { kind: 'malformed' });
});

test('pubmed: a phrase that it searches as loose words gives no results', async (t) => {
  const server = await startProvider(t, 'pubmed');
  server.answer('unquoted');
  assert.deepEqual(await server.search(pubmed, question('"ghost net"')), { results: [], hasMore: false });
  assert.equal(server.requests.length, 1);
});

test('duckduckgo: for the last hour only dated results are kept', async (t) => {
  const server = await startProvider(t, 'duckduckgo');
  const time = { from: NOW - HOUR_MS, preset: 'hour' } as const;
  const { results } = await server.search(duckduckgo, question('nets', { conditions: { time } }));
  assert.deepEqual(
    results.map(({ url }) => url),
    ['https://example.com/nets?a=1&b=2'],
  );
});

test('duckduckgo: its challenge is recognised by its form, its dialog or its status, and asks for a long rest', async (t) => {
  const server = await startProvider(t, 'duckduckgo');
  for (const title of ['quota', 'challenge-dialog', 'challenge-status']) {
    server.answer(title);
    await assert.rejects(server.search(duckduckgo, question('nets')), (error) => {
      assert.ok(error instanceof ProviderProblem, title);
      assert.deepEqual([error.kind, error.retryAfterMs], ['quota', 600_000], title);
      assert.match(error.message, /CAPTCHA/);
      return true;
    });
  }
});

test('duckduckgo: the page is read with the headers of a page, in the language of the search', async (t) => {
  const server = await startProvider(t, 'duckduckgo');
  const context = { url: server.url, key: undefined, ask: server.ask, signal: AbortSignal.timeout(60_000) };
  const pageHeaders = async (language: string) => ({ 'user-agent': 'Mozilla/5.0', 'accept-language': language });
  for (const language of [undefined, 'de']) {
    await duckduckgo.search(question('nets', { conditions: { language } }), { ...context, pageHeaders });
  }
  assert.deepEqual(
    server.requests.map(({ headers }) => [headers['user-agent'], headers['accept-language']]),
    [
      ['Mozilla/5.0', 'en'],
      ['Mozilla/5.0', 'de'],
    ],
  );
});

test('marginalia: everyone without a key shares the public one, and its lockout is a pause', async (t) => {
  const server = await startProvider(t, 'marginalia');
  await server.search(marginalia, question('nets'));
  await server.search(marginalia, question('nets'), 'mine');
  assert.deepEqual(
    server.requests.map(({ headers }) => headers['api-key']),
    ['public', 'mine'],
  );
  server.answer('error');
  await assert.rejects(server.search(marginalia, question('nets')), { kind: 'quota' });
  await assert.rejects(server.search(marginalia, question('nets'), 'mine'), { kind: 'key' });
});

test('github: with a key, repositories, issues and code alternate', async (t) => {
  const server = await startProvider(t, 'github');
  const answers = { '/repositories': 'full', '/issues': 'full-issues', '/code': 'full-code' };
  server.answer(answers);
  const given = await server.search(github, question('crawler'), 'ghp_1');
  assert.deepEqual(
    given.results.map(({ title }) => title),
    ['trawl/trawl', 'Crawler stops at a redirect', 'trawl/trawl: src/crawl.ts', 'acme/net-kit', 'Empty body'],
  );
  assert.equal(given.results[1]!.description, 'It stops. ``` GET / 301 ```');
  assert.equal(given.results[2]!.description, 'export function crawl( start: URL,');
  assert.deepEqual([...new Set(server.requests.map(({ headers }) => headers.authorization))], ['Bearer ghp_1']);

  server.answer({ ...answers, '/code': 'secondary' });
  assert.equal((await server.search(github, question('crawler'), 'ghp_1')).results.length, 4);
  server.answer('badkey');
  await assert.rejects(server.search(github, question('crawler'), 'ghp_1'), { kind: 'key' });
  server.answer('secondary');
  await assert.rejects(server.search(github, question('crawler'), 'ghp_1'), { kind: 'quota' });
});

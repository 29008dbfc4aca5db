// Developer search: issues, pull requests and READMEs of GitHub, and documentation in the own index. Also by the public SDK.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type DeveloperSearchResponse, Firecrawl } from 'firecrawl';
import { type Catalogues, startCatalogues } from '../support/search/catalogues.ts';
import { fetchPages, startSearchWeb } from '../support/search/search.ts';
import type { RunningService } from '../support/service.ts';
import { startServiceHereWith } from '../support/service-here.ts';
import type { Web } from '../support/web.ts';

const DOCS = [
  {
    at: 'docs.acme.test/retries',
    title: 'Retries',
    text: 'The client retries requests with exponential backoff. Set maxRetries to change how often a request is repeated.',
  },
  { at: 'acme.test/reference/timeouts', title: 'Timeouts', text: 'A timeout ends requests that take too long.' },
  { at: 'shop.test/shoes', title: 'Shoes', text: 'Our shoes survive many retries of the same backoff hill.' },
];
const REPOS = [
  {
    full_name: 'acme/client',
    description: 'An HTTP client',
    readme: '# client\n\nA small client.\n\n## Backoff\n\nRetries use exponential backoff with jitter.',
    license: 'MIT',
    stars: 500,
    issues: [
      {
        number: 1234,
        title: 'Retries ignore 429',
        body: 'The backoff never runs, because 429 is final.\n\nSecond paragraph.',
      },
      { number: 1240, title: 'Run the backoff on 429', body: 'Makes the backoff run for 429 too.', isPull: true },
    ],
  },
  {
    full_name: 'other/tool',
    description: 'A tool with backoff',
    license: null,
    stars: 3,
    issues: [{ number: 7, title: 'Backoff is slow', body: 'It waits for a minute.' }],
  },
];

let web: Web;
let catalogues: Catalogues;
let service: RunningService;
let client: Firecrawl;

before(async () => {
  [web, catalogues] = await Promise.all([startSearchWeb(DOCS), startCatalogues({ papers: [], repos: REPOS })]);
  service = await startServiceHereWith(web, { TRAWL_GITHUB_URL: catalogues.settings.TRAWL_GITHUB_URL! });
  client = new Firecrawl({ apiKey: service.key, apiUrl: service.url });
  await fetchPages(service, web, DOCS);
});
after(async () => {
  await service?.stop();
  await Promise.all([web?.stop(), catalogues?.stop()]);
});
beforeEach(() => {
  catalogues.asked.length = 0;
  catalogues.behave('github');
});

type Body = DeveloperSearchResponse & {
  code?: string;
  error?: string;
  warning?: string;
  creditsUsed?: number;
  coverage: Record<string, string>;
};
const get = async (path: string, at: RunningService = service) => {
  const response = await at.fetch(path);
  return { status: response.status, body: (await response.json()) as Body };
};
const idsOf = ({ results }: DeveloperSearchResponse) =>
  results.map(({ id }) => id.replace(/^doc:http:\/\/([^:/]+):\d+/, 'doc:$1')).toSorted();
const ALL = [
  'doc:docs.acme.test/retries',
  'issue:acme/client#1234',
  'issue:other/tool#7',
  'pull_request:acme/client#1240',
  'readme:acme/client',
  'readme:other/tool',
];

describe('a developer search', () => {
  test('finds issues, pull requests, READMEs and fetched documentation, with passages', async () => {
    const found = (await client.developerSearch('how do I configure the backoff of retries?')) as Body;
    assert.deepEqual(idsOf(found), ALL);
    assert.deepEqual(found.coverage, { doc: 'ok', issue: 'ok', pull_request: 'ok', readme: 'ok' });
    assert.deepEqual(
      [found.creditsUsed, found.warning, found.repos, found.sources],
      [2, undefined, undefined, undefined],
    );
    const byId = new Map(found.results.map((result) => [result.id, result]));
    assert.deepEqual(byId.get('issue:acme/client#1234'), {
      id: 'issue:acme/client#1234',
      type: 'issue',
      url: 'https://github.com/acme/client/issues/1234',
      title: 'Retries ignore 429',
      passages: [
        {
          text: 'The backoff never runs, because 429 is final.',
          citation_url: 'https://github.com/acme/client/issues/1234',
        },
      ],
    });
    const readme = byId.get('readme:acme/client')!;
    assert.match(readme.passages[0]!.text, /exponential backoff with jitter/);
    assert.deepEqual(readme.license, { state: 'licensed', spdx_id: 'MIT' });
    assert.deepEqual(byId.get('readme:other/tool')!.license, { state: 'known_absent', spdx_id: null });
    // The question goes out as words, each kind by itself.
    const sent = catalogues.asked
      .filter(({ path }) => path === '/search/issues')
      .map(({ parameters }) => parameters.get('q')!);
    assert.ok(sent.some((text) => /backoff.*is:issue/.test(text)) && sent.some((text) => /is:pr is:merged/.test(text)));
  });

  test('is the same by GET, by POST and under the other path', async () => {
    const query = '?query=backoff&types=issue,readme&types=pull_request&k=3&passages=2&archived=false';
    const [first, second] = await Promise.all([
      get(`/v2/search/developer${query}`),
      get(`/v2/developer/search${query}`),
    ]);
    const body = { query: 'backoff', types: ['issue', 'readme', 'pull_request'], k: 3, passages: 2, archived: false };
    const [third, fourth] = await Promise.all([
      service.post<Body>('/v2/search/developer', body),
      service.post<Body>('/v2/developer/search', { ...body, origin: 'js-sdk@4.42.0' }),
    ]);
    assert.equal(first.status, 200);
    assert.equal(first.body.results.length, 3);
    assert.equal(first.body.coverage.doc, 'skipped');
    for (const { body: other } of [second, third, fourth]) assert.deepEqual(other.results, first.body.results);
  });

  test('keeps to repositories and sites that are named, and says whether they are known', async () => {
    const found = (await client.developerSearch('backoff', {
      repos: ['other/tool', 'no/where'],
      sources: ['docs.acme.test', 'unknown.test', 'acme'],
    })) as Body;
    assert.deepEqual(idsOf(found), ['doc:docs.acme.test/retries', 'issue:other/tool#7', 'readme:other/tool']);
    assert.deepEqual(found.repos, [
      { repo: 'other/tool', indexed: true, types: { issue: true, pullRequest: true, readme: true } },
      { repo: 'no/where', indexed: false, types: { issue: false, pullRequest: false, readme: false } },
    ]);
    assert.deepEqual(found.sources, [
      { source: 'docs.acme.test', indexed: true },
      { source: 'unknown.test', indexed: false },
      { source: 'acme', indexed: false },
    ]);
  });

  test('looks for issues in repositories that fit, because GitHub knows stars and licences only of these', async () => {
    const found = (await client.developerSearch('backoff', { license: 'MIT', minStars: 100 })) as Body;
    assert.deepEqual(idsOf(found), ['issue:acme/client#1234', 'pull_request:acme/client#1240', 'readme:acme/client']);
    assert.deepEqual(found.coverage, { doc: 'unavailable', issue: 'degraded', pull_request: 'degraded', readme: 'ok' });
    const [repositories] = catalogues.asked.filter(({ path }) => path === '/search/repositories');
    assert.match(repositories!.parameters.get('q')!, /license:"mit" stars:100\.\.\*/);
  });

  test('returns several passages of a page that was fetched', async () => {
    const { body } = await get('/v2/search/developer?query=retries+maxRetries&types=doc&passages=5');
    const [first] = body.results;
    assert.equal(first!.title, 'Retries');
    assert.match(first!.passages.map(({ text }) => text).join(' '), /maxRetries/);
    assert.deepEqual(idsOf(body), ['doc:docs.acme.test/retries']);
  });

  test('refuses what cannot match, and bad values', async () => {
    const cases: [body: object, message: RegExp][] = [
      [{}, /`query`/],
      [{ query: '' }, /empty/],
      [{ query: 'x', types: ['doc'], repos: ['a/b'] }, /`repos` cannot match any requested type/],
      [{ query: 'x', types: ['issue'], sources: ['a.test'] }, /`sources` cannot match any requested type/],
      [{ query: 'x', types: ['gist'] }, /doc, issue, pull_request, readme/],
      [{ query: 'x', repos: ['nodejs'] }, /owner\/name/],
      [{ query: 'x', repos: ['../..'] }, /owner\/name/],
      [{ query: 'x', k: 101 }, /k/],
      [{ query: 'x', skills: 'all' }, /skills/],
    ];
    for (const [body, message] of cases) {
      const answer = await service.post<Body>('/v2/search/developer', body);
      assert.equal(answer.status, 400, JSON.stringify(body));
      assert.match(answer.body.error!, message);
    }
    for (const query of ['', '?query=x&k=0', '?query=x&archived=maybe', '?query=x&repos=a', '?query=x&types=gist']) {
      assert.equal((await get(`/v2/search/developer${query}`)).status, 400, query);
    }
  });
});

describe('without GitHub', () => {
  test('documentation is still found, and a warning says why the rest is missing', async (t) => {
    const closed = await startServiceHereWith(web);
    t.after(() => closed.stop());
    await fetchPages(closed, web, DOCS);
    const { body } = await get('/v2/search/developer?query=backoff', closed);
    assert.deepEqual(idsOf(body), ['doc:docs.acme.test/retries']);
    assert.equal(body.coverage.issue, 'unavailable');
    assert.match(body.warning!, /TRAWL_KEYLESS_PROVIDERS|TRAWL_GITHUB_API_KEY/);
    const only = await get('/v2/search/developer?query=backoff&types=issue', closed);
    assert.deepEqual([only.status, only.body.code], [503, 'SOURCES_UNAVAILABLE']);
    assert.match(only.body.error!, /TRAWL_GITHUB_API_KEY/);
    const github = await get('/v2/search/research/github?query=backoff', closed);
    assert.deepEqual([github.status, github.body.code], [503, 'SOURCES_UNAVAILABLE']);
  });

  test('skill files need a key', async () => {
    const { status, body } = await get('/v2/search/developer?query=backoff&skills=only');
    assert.equal(status, 503);
    assert.match(body.error!, /TRAWL_GITHUB_API_KEY/);
    // GitHub itself is not paused by that.
    assert.equal((await get('/v2/search/developer?query=backoff+again&types=issue')).status, 200);
  });

  test('a rate limit is named, and what was found elsewhere is returned', async () => {
    catalogues.behave('github', (response) =>
      response
        .writeHead(403, { 'content-type': 'application/json', 'x-ratelimit-remaining': '0' })
        .end('{"message":"API rate limit exceeded"}'),
    );
    const { status, body } = await get('/v2/search/developer?query=backoff+limits');
    assert.equal(status, 200);
    assert.match(body.warning!, /GitHub: it allows no more requests/);
    assert.deepEqual([body.coverage.issue, body.coverage.doc], ['unavailable', 'ok']);
  });
});

test('the older call of the SDK finds issues, pull requests and READMEs', async (t) => {
  const fresh = await startServiceHereWith(web, { TRAWL_GITHUB_URL: catalogues.settings.TRAWL_GITHUB_URL! });
  t.after(() => fresh.stop());
  const sdk = new Firecrawl({ apiKey: fresh.key, apiUrl: fresh.url });
  const { success, results } = await sdk.research.searchGithub('backoff', { k: 4 });
  assert.deepEqual([success, results.length], [true, 4]);
  const issue = results.find(({ number }) => number === 1234)!;
  assert.deepEqual(
    [issue.resultType, issue.repo, issue.pageType, issue.url],
    ['github_history', 'acme/client', 'issue', 'https://github.com/acme/client/issues/1234'],
  );
  assert.match(issue.snippet, /backoff never runs/);
  assert.ok(issue.scores.rrf! > 0);
  const readme = results.find(({ resultType }) => resultType === 'repo_readme')!;
  assert.deepEqual([readme.repo, readme.readmeUrl], ['acme/client', 'https://github.com/acme/client#readme']);
  for (const path of ['/v2/search/research/github', '/v2/research/github']) {
    const found = (await (await fresh.fetch(`${path}?query=backoff&k=4`)).json()) as { results: { url?: string }[] };
    assert.deepEqual(
      found.results.map(({ url }) => url),
      results.map(({ url }) => url),
      path,
    );
    assert.equal((await fresh.fetch(`${path}?query=x&k=101`)).status, 400);
  }
});

// Exa at /exa: the bodies that its clients send, what they read in the answers, and bad input.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type RawRequest, sendRaw } from '../support/raw-request.ts';
import { APART, useSearch } from '../support/search/search.ts';

const PUBLISHED = new Date('2026-08-01T10:00:00Z');
const PAGES = [
  {
    at: 'kiln.test/',
    title: 'The kiln',
    text: 'A kiln fires clay until it is stoneware.\nThe chimney of the kiln is made of firebrick.',
    head: '<link rel="icon" href="/kiln.png"><meta name="author" content="Ida Potter">',
    html: '<p>The <a href="/glaze">glaze of the kiln</a> comes last, after the clay has been fired for the first time.</p>',
    published: PUBLISHED,
  },
  { at: 'clay.test/kiln', title: 'The clay pit', text: 'A kiln stands beside the clay pit.' },
  {
    at: 'post.test/kiln',
    title: 'Kiln opened',
    text: 'A kiln was opened today.',
    published: new Date(),
    isNews: true as const,
  },
];
const scene = useSearch(APART, PAGES);

type Body = Record<string, unknown>;
interface Result extends Body {
  id: string;
  url: string;
  title: string;
  score: number;
  publishedDate: string | null;
  author: string | null;
  text?: string;
  highlights?: string[];
  summary?: string;
}
interface Found extends Body {
  requestId: string;
  results: Result[];
  statuses: { id: string; status: string; source: string; error?: { tag: string; httpStatusCode: number } }[];
  error?: string;
  tag?: string;
}

async function send<T = Found>(path: string, body: unknown, { headers, ...more }: RawRequest = {}) {
  const answer = await sendRaw(scene.service.url, `/exa${path}`, {
    method: 'POST',
    headers: { 'x-api-key': scene.service.key, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...more,
  });
  return { ...answer, body: answer.json<T>() };
}

async function fine<T = Found>(path: string, body: unknown): Promise<T> {
  const answer = await send<T>(path, body);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

const page = () => scene.web.url('kiln.test', '/');
const hosts = ({ results }: Found) => results.map((result) => new URL(result.url).hostname);

describe('search', () => {
  test('has what the SDKs read, and reads pages only if they ask for contents', async () => {
    const found = await fine('/search', {
      query: 'kiln',
      numResults: 2,
      type: 'neural',
      useAutoprompt: true,
      contents: null,
    });
    assert.ok(found.requestId);
    assert.deepEqual([found.resolvedSearchType, found.costDollars], ['auto', { total: 0 }]);
    assert.deepEqual(Object.keys(found.results[0]!), ['id', 'url', 'title', 'score', 'publishedDate', 'author']);
    assert.equal(found.results[0]!.id, found.results[0]!.url);
    assert.ok(found.results[0]!.score > found.results[1]!.score);
    assert.deepEqual((await fine('/search', { query: 'nothingatall' })).results, []);
  });

  test('reads texts, passages and summaries, in `contents` or beside it', async () => {
    const only = { query: 'kiln chimney firebrick', includeDomains: ['kiln.test'] };
    const contents = {
      text: { maxCharacters: 20 },
      highlights: { maxCharacters: 500, highlightsPerUrl: 1 },
      summary: { query: 'What is the chimney of the kiln made of?' },
      extras: { links: 1, imageLinks: 1 },
      livecrawl: 'always',
      context: true,
    };
    const { results, context } = await fine('/search', { ...only, contents });
    const [first] = results;
    assert.equal(first!.text!.length, 20);
    assert.match(first!.highlights![0]!, /made of firebrick/);
    assert.deepEqual([first!.highlights!.length, first!.highlightScores], [1, [1]]);
    assert.match(first!.summary!, /firebrick/);
    assert.deepEqual(first!.extras, { links: [scene.web.url('kiln.test', '/glaze')], imageLinks: [] });
    assert.deepEqual(
      [first!.publishedDate, first!.author, first!.favicon],
      ['2026-08-01T10:00:00.000Z', 'Ida Potter', scene.web.url('kiln.test', '/kiln.png')],
    );
    assert.match(String(context), /# The kiln/);
    // As Khoj and older SDKs send it.
    const beside = await fine('/search', { ...only, text: true, highlights: { maxCharacters: 10 } });
    assert.match(beside.results[0]!.text!, /fires clay/);
    assert.ok(beside.results[0]!.highlights![0]!.length <= 10);
  });

  test('heeds domains, dates, words and categories, and names what it cannot heed', async () => {
    assert.deepEqual(
      hosts(await fine('/search', { query: 'kiln', excludeDomains: ['kiln.test', 'https://post.test/'] })),
      ['clay.test'],
    );
    assert.deepEqual(
      hosts(
        await fine('/search', {
          query: 'kiln',
          startPublishedDate: '2026-07-01T00:00:00.000Z',
          endPublishedDate: '2026-08-31',
        }),
      ),
      ['kiln.test'],
    );
    assert.deepEqual(hosts(await fine('/search', { query: 'kiln', includeText: ['clay pit'] })), ['clay.test']);
    const long = await fine('/search', { query: 'kiln '.repeat(200), includeText: ['clay pit'] });
    assert.deepEqual(hosts(long), ['clay.test']);
    assert.ok(!hosts(await fine('/search', { query: 'kiln', excludeText: ['clay pit'] })).includes('clay.test'));
    const news = await fine('/search', { query: 'kiln', category: 'news', userLocation: 'GB', moderation: true });
    assert.deepEqual(hosts(news), ['post.test']);
    assert.match(news.results[0]!.publishedDate!, /^\d{4}-/);
    const ignored = await send('/search', { query: 'kiln', category: 'constructor', contents: { subpages: 2 } });
    assert.match(ignored.headers['x-trawl-warning']!, /'constructor'.*`subpages`/);
    const similar = await fine('/findSimilar', { url: page(), excludeSourceDomain: true, numResults: 5 });
    assert.ok(!hosts(similar).includes('kiln.test'));
  });
});

test('contents say of each page whether it was read', async () => {
  const missing = 'http://no-such-host.invalid/';
  const local = 'http://10.0.0.1/';
  const { results, statuses } = await fine('/contents', {
    urls: [page(), missing, local],
    text: { maxCharacters: 10_000 },
  });
  assert.deepEqual(
    results.map(({ id, title }) => [id, title]),
    [[page(), 'The kiln']],
  );
  assert.match(results[0]!.text!, /fires clay/);
  assert.deepEqual(
    statuses.map(({ id, status, error }) => [id, status, error?.tag]),
    [
      [page(), 'success', undefined],
      [missing, 'error', 'SOURCE_NOT_AVAILABLE'],
      [local, 'error', 'UNSUPPORTED_URL'],
    ],
  );
  assert.equal(statuses[2]!.error!.httpStatusCode, 403);
  const cached = await send('/contents', { ids: [page()], maxAgeHours: -1, highlights: true });
  assert.deepEqual([cached.body.statuses[0]!.source, cached.body.results[0]!.text], ['cached', undefined]);
  assert.match(cached.headers['x-trawl-warning']!, /`query`/);
  assert.match((await fine('/contents', { urls: [page()] })).results[0]!.text!, /fires clay/);
});

test('an answer is what a page says, with citations', async () => {
  const body = { query: 'What is the chimney of the kiln made of?', text: true };
  const { answer, citations, costDollars } = await fine<Body & { citations: Result[] }>('/answer', body);
  assert.match(String(answer), /firebrick/);
  assert.deepEqual([citations[0]!.url, costDollars], [page(), { total: 0 }]);
  assert.match(citations[0]!.text!, /firebrick/);
});

test('bad input, wrong keys and keys that may not are refused in the shape of Exa', async () => {
  const bad: [path: string, body: unknown, status: number, error: RegExp][] = [
    ['/search', {}, 400, /query/],
    ['/search', '{', 400, /JSON/],
    ['/search', { query: '' }, 400, /query/],
    ['/search', { query: 'a', numResults: 101 }, 400, /numResults/],
    ['/search', { query: 'a', startPublishedDate: 'yesterday' }, 400, /YYYY-MM-DD/],
    ['/search', { query: 'a', contents: { text: 'yes' } }, 400, /text/],
    ['/search', { query: 'a', includeDomains: ['a b'] }, 400, /hostname/],
    ['/search', { query: 'a', userLocation: 'atlantis' }, 400, /country/],
    ['/search', { query: 'a', includeText: ['b'.repeat(200), 'c'.repeat(200), 'd'] }, 400, /too long/],
    ['/search', { query: 'a', stream: true }, 501, /stream/],
    ['/contents', {}, 400, /urls/],
    ['/contents', { urls: 'http://a.test/' }, 400, /urls/],
    ['/contents', { urls: Array(101).fill('http://a.test/') }, 400, /100/],
    ['/findSimilar', { url: 'nowhere' }, 400, /URL/],
    ['/answer', { query: 'a', stream: true }, 501, /stream/],
    ['/research/v1', {}, 404, /nothing at this path/i],
  ];
  for (const [path, body, status, error] of bad) {
    const answer = await send(path, body);
    assert.equal(answer.status, status, `${path} ${JSON.stringify(body).slice(0, 80)}: ${answer.text}`);
    assert.match(answer.body.error!, error, path);
  }
  const wrong = await send('/search', { query: 'a' }, { headers: { 'x-api-key': 'wrong' } });
  assert.deepEqual([wrong.status, wrong.body.tag], [401, 'INVALID_API_KEY']);
  const { body } = await scene.service.post<{ data: { key: string } }>('/v2/team/keys', {
    limits: { operations: ['search'] },
  });
  const key = { headers: { 'x-api-key': body.data.key } };
  assert.equal((await send('/search', { query: 'kiln' }, key)).status, 200);
  assert.equal((await send('/contents', { urls: [page()] }, key)).status, 403);
});

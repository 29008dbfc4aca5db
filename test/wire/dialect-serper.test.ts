// Serper's wire at /serper: searches alone and in lists, pages as text, and its errors.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type RawAnswer, type RawRequest, sendRaw } from '../support/raw-request.ts';
import { APART, useSearch } from '../support/search/search.ts';

const PAGES = [
  {
    at: 'own.test/sextant',
    title: 'The sextant',
    text: 'A sextant measures angles at sea.',
    html: '<p>See <a href="/quadrant">the quadrant</a> and <b>more</b>.</p>',
  },
  { at: 'own.test/quadrant', title: 'The quadrant', text: 'A quadrant is older than a sextant.' },
];
const scene = useSearch(APART, PAGES);

const send = (path: string, { headers, ...more }: RawRequest = {}): Promise<RawAnswer> =>
  sendRaw(scene.service.url, `/serper${path}`, { headers: { 'X-API-KEY': scene.service.key, ...headers }, ...more });
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  send(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

interface Answer {
  searchParameters: Record<string, unknown>;
  organic: { title: string; link: string; snippet: string; position: number }[];
  news: unknown[];
  images: unknown[];
  videos: unknown[];
  peopleAlsoAsk: unknown[];
  relatedSearches: unknown[];
  credits: number;
}

describe('searches', () => {
  test('answer what clients read, by POST and by GET', async () => {
    const answers = [
      await post('/search', { q: 'sextant', gl: 'us', hl: 'en', num: 10, autocorrect: true, page: 1 }),
      await send('/search?q=sextant&num=10'),
    ];
    for (const answer of answers) {
      assert.equal(answer.status, 200, answer.text);
      const { organic, searchParameters, peopleAlsoAsk, relatedSearches, credits } = answer.json<Answer>();
      assert.deepEqual(
        [searchParameters.q, searchParameters.type, searchParameters.engine],
        ['sextant', 'search', 'google'],
      );
      assert.deepEqual([peopleAlsoAsk, relatedSearches, typeof credits], [[], [], 'number']);
      assert.deepEqual(
        organic.map(({ position }) => position),
        organic.map((_, at) => at + 1),
      );
      assert.ok(
        organic.some(({ link, snippet }) => link === scene.web.url('own.test', '/sextant') && /angles/.test(snippet)),
      );
    }
    const second = (await post('/search', { q: 'sextant', num: 1, page: 2 })).json<Answer>();
    assert.equal(second.organic.length, 1);
    assert.deepEqual((await post('/search', { q: 'sextant', num: 100, page: 3 })).json<Answer>().organic, []);
  });

  test('in a list are answered by a list', async () => {
    const answer = await post('/search', [{ q: 'sextant' }, { q: 'nothingatall' }]);
    assert.equal(answer.status, 200, answer.text);
    const [first, second] = answer.json<Answer[]>();
    assert.ok(first!.organic.length > 0);
    assert.deepEqual([second!.organic, second!.searchParameters.q], [[], 'nothingatall']);
    for (const list of [[], Array(21).fill({ q: 'a' }), [{ q: 'sextant' }, {}], [7]])
      assert.equal((await post('/search', list)).status, 400, JSON.stringify(list).slice(0, 40));
  });

  test('of other kinds have lists of their own', async () => {
    assert.ok(Array.isArray((await post('/news', { q: 'sextant' })).json<Answer>().news));
    assert.ok(Array.isArray((await post('/images', { q: 'sextant' })).json<Answer>().images));
    const videos = await post('/videos', { q: 'sextant' });
    assert.deepEqual([videos.json<Answer>().videos, videos.json<Answer>().credits], [[], 0]);
    assert.match(videos.headers['x-trawl-warning']!, /videos are not searched here/);
  });
});

test('a page is text, with Markdown and meta tags', async () => {
  const url = scene.web.url('own.test', '/sextant');
  for (const path of ['/scrape', '/', '']) {
    const answer = await post(path, { url, includeMarkdown: true });
    assert.equal(answer.status, 200, answer.text);
    const { text, markdown, metadata, credits } = answer.json<
      Record<string, string> & { metadata: { title: string } }
    >();
    assert.match(text!, /^The sextant\n\nA sextant measures angles at sea\.\n\nSee the quadrant and more\./);
    assert.match(markdown!, /\[the quadrant\]\(/);
    assert.deepEqual([metadata.title, typeof credits], ['The sextant', 'number']);
  }
  assert.equal('markdown' in (await post('/scrape', { url })).json(), false);
});

test('errors have a message and a status; wrong keys are forbidden', async () => {
  const bad: [Promise<RawAnswer>, number][] = [
    [post('/search', {}), 400],
    [post('/search', { q: '' }), 400],
    [post('/search', { q: { a: 1 } }), 400],
    [post('/search', { q: 'a', num: 101 }), 400],
    [post('/search', { q: 'a', tbs: 7, num: 'x' }), 400],
    [post('/search', '{"q":'), 400],
    [post('/search', { q: 'a' }, { 'X-API-KEY': 'wrong' }), 403],
    [sendRaw(scene.service.url, '/serper/search?q=a'), 403],
    [post('/scrape', {}), 400],
    [post('/scrape', { url: 'http://no-such-host.invalid/' }), 400],
    [post('/scrape', { url: 'http://10.0.0.1/' }), 403],
    [send('/scrape'), 405],
    [post('/nothing', {}), 404],
  ];
  for (const [at, [sending, status]] of bad.entries()) {
    const answer = await sending;
    const { message, statusCode } = answer.json();
    assert.deepEqual([answer.status, statusCode, typeof message], [status, status, 'string'], `${at}: ${answer.text}`);
  }
  const made = await scene.service.post<{ data: { key: string } }>('/v2/team/keys', {
    limits: { operations: ['search'] },
  });
  const limited = { 'X-API-KEY': made.body.data.key };
  assert.equal((await post('/search', { q: 'sextant' }, limited)).status, 200);
  assert.equal((await post('/scrape', { url: scene.web.url('own.test', '/sextant') }, limited)).status, 403);
});

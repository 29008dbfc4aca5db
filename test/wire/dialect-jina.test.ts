// Jina's wire at /jina: pages behind the address of the reader, results with their pages, and what clients read of both.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type RawAnswer, type RawRequest, sendRaw } from '../support/raw-request.ts';
import { APART, useSearch } from '../support/search/search.ts';

const LINKED =
  '<p><a href="/quadrant?a=b">The quadrant</a> is older. <img src="/moon.png" alt="A moon"> <code>[x](y)</code></p>';
const PAGES = [
  {
    at: 'own.test/sextant',
    title: 'The sextant',
    text: 'A sextant measures angles at sea.',
    description: 'About the sextant.',
    head: '<meta property="og:type" content="article">',
    html: LINKED,
    published: new Date('2026-08-01T00:00:00Z'),
  },
  { at: 'own.test/quadrant', title: 'The quadrant', text: 'A quadrant is older than a sextant.' },
  { at: 'own.test/a%2Fb', title: 'Encoded', text: 'A slash that is part of a name stays one.' },
];
const scene = useSearch(APART, PAGES);

const JSON_ONLY = { accept: 'application/json' };
const page = (path: string) => scene.web.url('own.test', path);
const send = (path: string, { headers, ...more }: RawRequest = {}): Promise<RawAnswer> =>
  sendRaw(scene.service.url, path, { headers: { authorization: `Bearer ${scene.service.key}`, ...headers }, ...more });
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  send(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

interface Page {
  title: string;
  description: string;
  url: string;
  content: string;
  publishedTime?: string;
  html?: string;
  text?: string;
  links?: Record<string, string> | [string, string][];
  images?: Record<string, string>;
  warning?: string;
  metadata: Record<string, string>;
  usage: { tokens: number };
}
interface Envelope<Data> {
  code: number;
  status: number;
  data: Data;
  meta: { usage: { tokens: number } };
}

async function read(headers: Record<string, string> = {}, path = '/sextant'): Promise<Page> {
  const answer = await send(`/jina/r/${page(path)}`, { headers: { ...JSON_ONLY, ...headers } });
  assert.equal(answer.status, 200, answer.text);
  const { code, status, data, meta } = answer.json<Envelope<Page>>();
  assert.deepEqual([code, status, meta.usage.tokens], [200, 20000, data.usage.tokens]);
  return data;
}

describe('the reader', () => {
  test('answers text unless JSON is all that the client takes', async () => {
    const shapes: [string | undefined, RegExp][] = [
      [undefined, /^text\/plain; charset=utf-8$/],
      ['*/*', /^text\/plain/],
      ['application/json, text/plain, */*', /^text\/plain/],
      ['text/html', /^text\/plain/],
      ['application/json', /^application\/json/],
      ['text/json;q=0.9', /^application\/json/],
      ['text/event-stream', /^text\/event-stream/],
    ];
    for (const [accept, type] of shapes) {
      const answer = await send(`/jina/r/${page('/sextant')}`, { ...(accept && { headers: { accept } }) });
      assert.equal(answer.status, 200, answer.text);
      assert.match(answer.headers['content-type']!, type, accept);
      assert.ok(Number(answer.headers['x-usage-tokens']) > 10);
    }
    const { text } = await send(`/jina/r/${page('/sextant')}`);
    const start = `Title: The sextant\n\nURL Source: ${page('/sextant')}\n\nPublished Time: 2026-08-01T00:00:00.000Z\n\nMarkdown Content:\n`;
    assert.equal(text.slice(0, start.length), start);
    assert.match(text, /A sextant measures angles at sea\./);
    const stream = await send(`/jina/r/${page('/sextant')}`, { headers: { accept: 'text/event-stream' } });
    assert.match(stream.text, /^event: data\ndata: \{"code":200,.*\}\n\n$/s);
  });

  test('takes an address as it stands, and mends what proxies and clients make of it', async () => {
    const { port } = new URL(page('/'));
    const titles: [string, string][] = [
      [`/jina/r/${page('/quadrant?a=b')}`, 'The quadrant'],
      [`/jina/r/http:/own.test:${port}/quadrant?a=b#d`, 'The quadrant'],
      [`/jina/r/own.test:${port}/sextant`, 'The sextant'],
      [`/jina/r/${encodeURIComponent(page('/quadrant?a=b'))}`, 'The quadrant'],
      [`//jina//r/${page('/sextant')}`, 'The sextant'],
      [`/jina/key/${scene.service.key}/r/${page('/quadrant?a=b')}`, 'The quadrant'],
      [`/jina/r/${page('/a%2Fb')}`, 'Encoded'],
    ];
    for (const [path, title] of titles) {
      const headers = { ...JSON_ONLY, ...(path.includes('/key/') && { authorization: 'Bearer None' }) };
      const answer = await send(path, { headers });
      assert.equal(answer.status, 200, `${path}: ${answer.text}`);
      assert.equal(answer.json<Envelope<Page>>().data.title, title, path);
    }
    const url = page('/sextant');
    for (const sent of [
      await post('/jina/r/', { url }, JSON_ONLY),
      await post('/jina/r', `url=${encodeURIComponent(url)}`, {
        ...JSON_ONLY,
        'content-type': 'application/x-www-form-urlencoded',
      }),
    ])
      assert.equal(sent.json<Envelope<Page>>().data.url, url, sent.text);
  });

  test('gives the page with what it is about', async () => {
    const data = await read();
    assert.deepEqual([data.title, data.description, data.url], ['The sextant', 'About the sextant.', page('/sextant')]);
    assert.equal(data.publishedTime, '2026-08-01T00:00:00.000Z');
    assert.equal(data.metadata['og:type'], 'article');
    assert.deepEqual(
      Object.keys(data.metadata).filter((name) => ['scrapeId', 'sourceURL'].includes(name)),
      [],
    );
    const missing = await send(`/jina/r/${page('/none')}`);
    if (missing.status === 200) assert.match(missing.text, /Warning: Target URL returned error 404: Not Found/);
    else assert.deepEqual([missing.status, missing.json().status], [422, 42206]);
  });

  test('keeps, shortens or leaves out what headers say', async () => {
    assert.match((await read()).content, /\[The quadrant\]\(.*!\[A moon\]\(.*`\[x\]\(y\)`/s);
    const bare = await read({ 'x-retain-images': 'none', 'x-retain-links': 'text' });
    assert.match(bare.content, /The quadrant is older\./);
    assert.doesNotMatch(bare.content, /moon/);
    const alt = await read({ 'x-retain-images': 'alt', 'x-md-link-style': 'discarded' });
    assert.match(alt.content, /\(Image: A moon\)/);
    assert.doesNotMatch((await read({ 'x-retain-links': 'none' })).content, /The quadrant/);
    const listed = await read({ 'x-with-links-summary': 'true', 'x-with-images-summary': 'true' });
    assert.deepEqual(listed.links, { 'The quadrant': page('/quadrant?a=b') });
    assert.deepEqual(listed.images, { 'Image 1: A moon': page('/moon.png') });
    const all = await read({ 'x-with-links-summary': 'all' });
    assert.deepEqual(all.links, [['The quadrant', page('/quadrant?a=b')]]);
    const { text } = await send(`/jina/r/${page('/sextant')}`, {
      headers: { 'x-with-links-summary': 'true', 'x-with-images-summary': 'true' },
    });
    assert.match(text, /Images:\n- !\[Image 1: A moon\]\(.*\n\nLinks\/Buttons:\n- \[The quadrant\]\(/);
    const cut = await read({ 'x-max-tokens': '500', 'x-no-cache': 'true' });
    assert.ok(cut.usage.tokens <= 500);
    const title = await read({ 'x-target-selector': 'h1, .none', 'x-remove-selector': 'img' });
    assert.equal(title.content.trim(), '# The sextant');
  });

  test('gives HTML and text alone, and several formats only as JSON', async () => {
    const html = await send(`/jina/r/${page('/sextant')}`, { headers: { 'x-respond-with': 'html' } });
    assert.match(html.text, /^<!doctype html>/);
    assert.match(html.headers['content-type']!, /^text\/plain/);
    const text = await send(`/jina/r/${page('/sextant')}`, { headers: { 'x-return-format': 'text' } });
    assert.match(text.text, /^The sextant/);
    assert.doesNotMatch(text.text, /\]\(http/);
    const both = await read({ 'x-respond-with': 'markdown, html,text' });
    assert.ok(both.content && both.html && both.text);
    const refused = await send(`/jina/r/${page('/sextant')}`, { headers: { 'x-respond-with': 'html,text' } });
    assert.deepEqual([refused.status, refused.json().status], [400, 40001]);
  });

  test('names what it ignores', async () => {
    const headers = {
      'x-proxy-url': 'http://p.test',
      'x-respond-with': 'readerlm-v2',
      'x-with-iframe': 'true',
      dnt: '1',
    };
    const answer = await send(`/jina/r/${page('/sextant')}`, { headers });
    assert.equal(answer.status, 200, answer.text);
    assert.match(
      answer.headers['x-trawl-warning']!,
      /ignored: x-proxy-url, x-with-iframe, x-respond-with: readerlm-v2/,
    );
  });
});

describe('the search', () => {
  type Rows = Envelope<(Page & { date?: string })[]>;

  test('answers results with the text of their pages, however it is asked', async () => {
    const asked: [string, Promise<RawAnswer>][] = [
      ['path', send('/jina/s/sextant%20angles', { headers: JSON_ONLY })],
      ['query', send('/jina/s/?q=sextant', { headers: JSON_ONLY })],
      ['search', send('/jina/s/search?q=sextant&num=5', { headers: JSON_ONLY })],
      [
        'open web ui',
        post(
          '/jina/s/',
          { q: 'sextant', count: 5 },
          {
            ...JSON_ONLY,
            authorization: scene.service.key,
            'x-retain-images': 'none',
          },
        ),
      ],
    ];
    for (const [name, sending] of asked) {
      const answer = await sending;
      assert.equal(answer.status, 200, `${name}: ${answer.text}`);
      const { code, status, data, meta } = answer.json<Rows>();
      assert.deepEqual([code, status], [200, 20000]);
      const found = data.find(({ url }) => url === page('/sextant'))!;
      assert.equal(found.title, 'The sextant', name);
      assert.match(found.content, /measures angles at sea/);
      assert.ok(found.description.length > 0 && found.usage.tokens > 0 && meta.usage.tokens >= found.usage.tokens);
      if (name === 'open web ui') assert.doesNotMatch(found.content, /moon/);
    }
  });

  test('as text it numbers them, and without content it reads no page', async () => {
    const { text } = await send('/jina/s/?q=sextant', { headers: { 'x-site': 'https://own.test/' } });
    assert.match(text, /^\[1\] Title: .+\n\[1\] URL Source: http.+\n\[1\] Description: .+\n\n/);
    assert.match(text, /\n\n\[2\] Title: /);
    const bare = await send('/jina/s/?q=sextant&site=own.test&site=other.test', {
      headers: { ...JSON_ONLY, 'x-respond-with': 'no-content' },
    });
    assert.ok(
      bare.json<Rows>().data.every(({ content }) => content === ''),
      bare.text,
    );
    const second = await send('/jina/s/?q=sextant&num=1&page=2', { headers: JSON_ONLY });
    assert.equal(second.json<Rows>().data.length, 1);
    for (const path of [
      '/jina/s/nothingatallhere',
      '/jina/s/?q=sextant&site=other.test',
      '/jina/s/?q=sextant&num=20&page=9',
    ]) {
      const none = await send(path);
      assert.deepEqual([none.status, none.json().status, none.json().data], [422, 42206, null], path);
    }
    assert.equal(
      (await send(`/jina/s/${'sextant+'.repeat(200)}`)).headers['x-trawl-warning']?.includes('cut after 500'),
      true,
    );
  });
});

test('errors have the numbers and names of Jina', async () => {
  const { url } = scene.service;
  const bad: [Promise<RawAnswer>, number, number][] = [
    [send('/jina/r/'), 400, 40001],
    [send('/jina/r/http://'), 400, 40001],
    [send('/jina/r/%zz%'), 400, 40001],
    [send(`/jina/r/${url}/v2/me`), 400, 40001],
    [post('/jina/r/', { url: 7 }), 400, 40001],
    [post('/jina/r/', '{"url":'), 400, 40001],
    [send(`/jina/r/${page('/sextant')}`, { headers: { 'x-timeout': '900' } }), 400, 40001],
    [send(`/jina/r/${page('/sextant')}`, { headers: { 'x-max-tokens': '5' } }), 400, 40001],
    [send(`/jina/r/${page('/sextant')}`, { headers: { 'x-token-budget': '1' } }), 409, 40904],
    [send(`/jina/r/${page('/sextant')}`, { headers: { authorization: 'Bearer wrong' } }), 401, 40103],
    [sendRaw(url, `/jina/r/${page('/sextant')}`), 401, 40103],
    [send('/jina/r/http://10.0.0.1/'), 451, 45102],
    [send('/jina/r/http://169.254.169.254/latest/meta-data'), 451, 45102],
    [send('/jina/r/http://no-such-host.invalid/'), 422, 42206],
    [send('/jina/r/ftp://own.test/'), 400, 40001],
    [send('/jina/s/'), 400, 40001],
    [send('/jina/s/?q=a&num=21'), 400, 40001],
    [send('/jina/s/?q=a&type=videos'), 400, 40001],
    [send('/jina/nothing'), 404, 40400],
    [send('/jina/s/?q=a', { method: 'DELETE' }), 405, 40500],
  ];
  for (const [at, [sending, status, number]] of bad.entries()) {
    const answer = await sending;
    const body = answer.json<Record<string, string>>();
    assert.deepEqual([answer.status, body.code, body.status], [status, status, number], `${at}: ${answer.text}`);
    assert.deepEqual([body.data, body.readableMessage], [null, `${body.name}: ${body.message}`]);
  }
});

test('a key that may only search gets the pages of results, and no other page; one that may only scrape finds nothing', async () => {
  const made = await scene.service.post<{ data: { key: string } }>('/v2/team/keys', {
    limits: { operations: ['search'] },
  });
  const headers = { ...JSON_ONLY, authorization: `Bearer ${made.body.data.key}` };
  assert.equal((await send(`/jina/r/${page('/sextant')}`, { headers })).status, 403);
  const found = await send('/jina/s/sextant', { headers });
  assert.equal(found.status, 200, found.text);
  const other = await scene.service.post<{ data: { key: string } }>('/v2/team/keys', {
    limits: { operations: ['scrape'] },
  });
  const refused = await send('/jina/s/sextant', { headers: { authorization: `Bearer ${other.body.data.key}` } });
  assert.deepEqual([refused.status, refused.json().code], [403, 403]);
});

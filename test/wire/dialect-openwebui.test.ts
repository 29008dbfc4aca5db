// Open WebUI's own slots at /openwebui: the bodies that it sends, and what it reads in the answers.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type RawRequest, sendRaw } from '../support/raw-request.ts';
import { APART, useSearch } from '../support/search/search.ts';

const PAGES = [
  { at: 'own.test/sextant', title: 'The sextant', text: 'A sextant measures angles at sea.' },
  { at: 'own.test/quadrant', title: 'The quadrant', text: 'A quadrant is older than a sextant.' },
];
const scene = useSearch(APART, PAGES);

const send = (path: string, body: unknown, { headers, ...more }: RawRequest = {}) =>
  sendRaw(scene.service.url, `/openwebui${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${scene.service.key}`,
      'content-type': 'application/json',
      // Open WebUI adds who asks.
      'x-openwebui-user-name': 'somebody',
      ...headers,
    },
    body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
    ...more,
  });

describe('search', () => {
  test('answers a bare list of links, titles and snippets', async () => {
    const answer = await send('/search', { query: 'sextant', count: 1 });
    assert.equal(answer.status, 200, answer.text);
    const list = answer.json<{ link: string; title: string; snippet: string }[]>();
    assert.equal(list.length, 1);
    assert.deepEqual(Object.keys(list[0]!), ['link', 'title', 'snippet']);
    assert.match(list[0]!.snippet, /sextant/);
    assert.deepEqual((await send('/search', { query: 'nothingatall', count: 3 })).json(), []);
  });

  test('cuts long queries, and says what is wrong with others', async () => {
    const long = await send('/search', { query: `sextant ${'angles '.repeat(100)}`, count: 300 });
    assert.equal(long.status, 200, long.text);
    assert.match(long.headers['x-trawl-warning']!, /cut after 500/);
    for (const body of [{}, { query: 7 }, { query: ' ' }, { query: 'a', count: 0 }, '{', '[]']) {
      const answer = await send('/search', body);
      assert.equal(answer.status, 400, JSON.stringify(body));
      assert.equal(typeof answer.json().error, 'string');
    }
    assert.equal((await send('/search', '', { method: 'GET' })).status, 405);
    assert.equal((await send('', {})).status, 404);
    assert.equal((await send('/search', { query: 'a' }, { headers: { authorization: 'Bearer wrong' } })).status, 401);
  });
});

describe('load', () => {
  interface Page {
    page_content: string;
    metadata: { source: string; title?: string };
  }

  test('reads several pages in their order, and leaves out those that fail', async () => {
    const { web } = scene;
    const missing = 'http://no-such-host.invalid/';
    const urls = [web.url('own.test', '/quadrant'), missing, web.url('own.test', '/sextant')];
    const answer = await send('/load', { urls });
    assert.equal(answer.status, 200, answer.text);
    const pages = answer.json<Page[]>();
    assert.deepEqual(
      pages.map(({ metadata }) => [metadata.source, metadata.title]),
      [
        [urls[0], 'The quadrant'],
        [urls[2], 'The sextant'],
      ],
    );
    assert.match(pages[0]!.page_content, /older than a sextant/);
    assert.match(answer.headers['x-trawl-warning']!, /no-such-host\.invalid.*resolved/);
    assert.deepEqual((await send('/load', { urls: [missing, 'http://127.0.0.1:1/'] })).json(), []);
    assert.deepEqual((await send('/load', { urls: [] })).json(), []);
  });

  test('refuses more than twenty, and what is no list', async () => {
    for (const body of [{ urls: Array(21).fill('http://a.test/') }, { urls: 'http://a.test/' }, { urls: [1] }, {}])
      assert.equal((await send('/load', body)).status, 400, JSON.stringify(body).slice(0, 60));
  });

  test('every page is a call of its own: a key that may not scrape reads none', async () => {
    const { body } = await scene.service.post<{ data: { key: string } }>('/v2/team/keys', {
      limits: { operations: ['search'] },
    });
    const key = { headers: { authorization: `Bearer ${body.data.key}` } };
    const answer = await send('/load', { urls: [scene.web.url('own.test', '/sextant')] }, key);
    assert.equal(answer.status, 403, answer.text);
    assert.equal((await send('/search', { query: 'sextant' }, key)).status, 200);
  });
});

describe('process', () => {
  const put = (body: Uint8Array | string, headers: Record<string, string>) =>
    send('/process', body, { method: 'PUT', headers });

  test('reads a document, whose name is percent-encoded', async () => {
    const html = '<title>Über</title><h1>Lamps</h1><p>They give light.</p>';
    const answer = await put(html, { 'content-type': 'text/html', 'x-filename': '%C3%BCber.html' });
    assert.equal(answer.status, 200, answer.text);
    const { page_content: content, metadata } = answer.json<{ page_content: string; metadata: { title?: string } }>();
    assert.match(content, /# Lamps\s+They give light\./);
    assert.equal(metadata.title, 'Über');
    assert.equal((await put('a,b\n1,2\n', { 'content-type': 'text/csv', 'x-filename': '%zz.csv' })).status, 200);
  });

  test('refuses what is empty, damaged or too large', async () => {
    const pdf = { 'content-type': 'application/pdf', 'x-filename': 'a.pdf' };
    assert.equal((await put('', pdf)).status, 400);
    const damaged = await put('%PDF-1.7 nothing more', pdf);
    assert.ok(damaged.status >= 400 && damaged.status < 500, damaged.text);
    assert.equal(typeof damaged.json().detail, 'string');
    const large = await put('', { ...pdf, 'content-length': String(900_000_000) }).catch((error: Error) => error);
    assert.ok(large instanceof Error || large.status === 400 || large.status === 413);
  });
});

// Crawl4AI's wire at /crawl4ai: pages as Markdown by each filter, as HTML, and its errors.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type RawRequest, sendRaw } from '../support/raw-request.ts';
import { APART, useSearch } from '../support/search/search.ts';

const PAGES = [
  {
    at: 'own.test/sextant',
    title: 'The sextant',
    text: 'A sextant measures angles at sea.\nIt was invented in 1730 by John Hadley.',
    html: '</article></main><footer><p>Imprint of the museum</p></footer><main><article>',
  },
];
const scene = useSearch(APART, PAGES);
const url = () => scene.web.url('own.test', '/sextant');

const send = (path: string, body: unknown, { headers, ...more }: RawRequest = {}) =>
  sendRaw(scene.service.url, `/crawl4ai${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${scene.service.key}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...more,
  });

interface Markdown {
  url: string;
  filter: string;
  query: string | null;
  cache: string;
  markdown: string;
  success: boolean;
}

async function read(body: object): Promise<Markdown> {
  const answer = await send('/md', { url: url(), ...body });
  assert.equal(answer.status, 200, answer.text);
  return answer.json<Markdown>();
}

describe('Markdown', () => {
  test('is the main content, or the whole page', async () => {
    const fit = await read({ f: 'fit' });
    const { markdown: _fitted, ...facts } = fit;
    assert.deepEqual(facts, { url: url(), filter: 'fit', query: null, cache: '0', success: true });
    assert.match(fit.markdown, /measures angles/);
    assert.doesNotMatch(fit.markdown, /Imprint/);
    assert.match((await read({ f: 'raw', c: '1' })).markdown, /Imprint/);
    assert.equal((await read({ c: 1, q: null, provider: 'x' })).filter, 'fit');
  });

  test('is what a question is about, where there is one', async () => {
    const passages = await read({ f: 'bm25', q: 'Who invented it?' });
    assert.match(passages.markdown, /Hadley/);
    assert.equal(passages.query, 'Who invented it?');
    assert.match((await read({ f: 'llm', q: 'When was the sextant invented?' })).markdown, /\S/);
    const unasked = await send('/md', { url: url(), f: 'bm25' });
    assert.match(unasked.json<Markdown>().markdown, /measures angles/);
    assert.match(unasked.headers['x-trawl-warning']!, /Without `q`, bm25 is the same as fit/);
  });
});

test('HTML, and the state of the service without a key', async () => {
  const answer = await send('/html', { url: url() });
  const { html, url: read, success } = answer.json<{ html: string; url: string; success: boolean }>();
  assert.match(html, /<h1>The sextant<\/h1>/);
  assert.deepEqual([read, success], [url(), true]);
  const health = await sendRaw(scene.service.url, '/crawl4ai/health');
  assert.deepEqual([health.status, health.json().status], [200, 'ok']);
});

test('errors are in `detail`', async () => {
  const wrong = { headers: { authorization: 'Bearer wrong' } };
  const bad: [ReturnType<typeof send>, number][] = [
    [send('/md', {}), 400],
    [send('/md', { url: 7 }), 400],
    [send('/md', { url: '' }), 400],
    [send('/md', { url: url(), f: 'nosuch' }), 400],
    [send('/md', '{'), 400],
    [send('/html', []), 400],
    [send('/md', { url: url() }, wrong), 401],
    [send('/md', { url: 'http://10.0.0.1/' }), 403],
    [send('/html', { url: 'http://no-such-host.invalid/' }), 500],
    [send('/crawl', { urls: [url()] }), 404],
    [send('/md', '', { method: 'GET' }), 405],
  ];
  for (const [at, [sending, status]] of bad.entries()) {
    const answer = await sending;
    assert.equal(answer.status, status, `${at}: ${answer.text}`);
    assert.deepEqual(Object.keys(answer.json()), ['detail']);
  }
  const made = await scene.service.post<{ data: { key: string } }>('/v2/team/keys', {
    limits: { operations: ['search'] },
  });
  const headers = { authorization: `Bearer ${made.body.data.key}` };
  assert.equal((await send('/md', { url: url() }, { headers })).status, 403);
});

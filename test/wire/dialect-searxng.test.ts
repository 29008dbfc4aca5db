// SearXNG's wire at /searxng: what its clients send and read, the keys of clients that can send no header, and bad input.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type RawAnswer, type RawRequest, sendRaw } from '../support/raw-request.ts';
import { type ProviderStandIn, startProviderStandIn } from '../support/search/provider-stand-ins.ts';
import { fetchPages, startSearchWeb } from '../support/search/search.ts';
import type { RunningService } from '../support/service.ts';
import { startServiceHereWith } from '../support/service-here.ts';
import type { Web } from '../support/web.ts';

const PAGES = [{ at: 'own.test/sextant', title: 'Sextant', text: 'A sextant measures angles at sea.' }];

let web: Web;
let searxng: ProviderStandIn;
let brave: ProviderStandIn;
let service: RunningService;
let other: RunningService;

before(async () => {
  [web, searxng, brave] = await Promise.all([
    startSearchWeb(PAGES),
    startProviderStandIn('searxng'),
    startProviderStandIn('brave'),
  ]);
  const providers = { TRAWL_SEARXNG_URL: searxng.url, TRAWL_BRAVE_URL: brave.url, TRAWL_BRAVE_API_KEY: 'k' };
  service = await startServiceHereWith(web, providers);
  other = await startServiceHereWith(web, { TRAWL_DIALECTS: 'searxng', TRAWL_PATH_KEYS: 'off' });
  await fetchPages(service, web, PAGES);
});
after(async () => {
  await Promise.all([service?.stop(), other?.stop(), searxng?.stop(), brave?.stop()]);
  await web?.stop();
});
beforeEach(() => {
  for (const provider of [searxng, brave]) {
    provider.give();
    provider.asked.length = 0;
  }
});

interface Result {
  url: string;
  title: string;
  content: string;
  engines: string[];
  positions: number[];
  score: number;
  category: string;
  template: string;
  img_src: string;
  publishedDate: string | null;
  [field: string]: unknown;
}
interface Answer {
  query: string;
  number_of_results: number;
  results: Result[];
  answers: unknown[];
  corrections: unknown[];
  infoboxes: unknown[];
  suggestions: unknown[];
  unresponsive_engines: [string, string][];
}

// Answers are cached, so each test uses queries of its own.
let questions = 0;
const fresh = (words = 'query') => `${words} q${questions++}`;
const page = (path: string, more: object = {}) => ({ url: `https://far.test/${path}`, ...more });
const send = (path: string, { headers, ...more }: RawRequest = {}): Promise<RawAnswer> =>
  sendRaw(service.url, path, { headers: { authorization: `Bearer ${service.key}`, ...headers }, ...more });
const query = (parameters: Record<string, string>) => new URLSearchParams({ format: 'json', ...parameters }).toString();

async function ask(parameters: Record<string, string>): Promise<Answer> {
  const answer = await send(`/searxng/search?${query({ q: fresh(), ...parameters })}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json<Answer>();
}

describe('a search', () => {
  test('has everything that clients read without a default, and scores that fall with the rank', async () => {
    searxng.give(page('a'), page('both', { title: '<b>Both</b>', description: 'Both & all' }));
    brave.give(page('b'), page('both'));
    const q = fresh('sextant');
    const found = await ask({ q });
    assert.equal(found.query, q);
    assert.equal(found.number_of_results, found.results.length);
    for (const name of ['answers', 'corrections', 'infoboxes', 'suggestions', 'unresponsive_engines'] as const)
      assert.deepEqual(found[name], []);
    const [first] = found.results;
    assert.equal(first!.url, 'https://far.test/both');
    assert.deepEqual(first!.parsed_url, ['https', 'far.test', '/both', '', '', '']);
    assert.deepEqual(first!.engines.toSorted(), ['brave', 'searxng', 'trawl']);
    assert.deepEqual(first!.positions, [1, 2, 2]);
    assert.ok(found.results.some(({ url }) => url.endsWith('/sextant')));
    for (const result of found.results) {
      assert.equal(typeof result.content, 'string');
      assert.deepEqual([result.category, result.template, result.img_src], ['general', 'default.html', '']);
      assert.equal(result.publishedDate, null);
    }
    const scores = found.results.map(({ score }) => score);
    assert.ok(
      scores.every((score, at) => score > 0 && (at === 0 || score < scores[at - 1]!)),
      String(scores),
    );
  });

  test('is asked by GET, by a form, by JSON and by a query string without a body, at the base as well', async () => {
    searxng.give(page('a'));
    const json = { 'content-type': 'application/json' };
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const asked: [string, string, RawRequest][] = [
      [
        'open web ui',
        '?q=Q&format=json&pageno=1&safesearch=1&language=all&time_range=&categories=&theme=simple&image_proxy=0',
        { headers: { accept: 'text/html' } },
      ],
      ['langchain', '?language=en&format=json&engines=&categories=&q=Q', {}],
      ['none as text', '/search?q=Q&format=json&time_range=None&language=auto', {}],
      ['n8n', '/search?q=Q&format=json', { method: 'POST', headers: json }],
      ['flowise', '/search/?q=Q&format=json', { method: 'POST' }],
      ['onyx', '/search?q=other', { method: 'POST', headers: form, body: 'q=Q&format=json' }],
      ['json', '', { method: 'POST', headers: json, body: '{"q":"Q","format":"json","pageno":1,"country":null}' }],
      ['trailing and double slashes', '//search/?q=Q&format=json', {}],
    ];
    for (const [name, path, request] of asked) {
      const q = fresh();
      const filled = (text: string) => text.replaceAll('Q', q.replace(' ', '%20'));
      const body = typeof request.body === 'string' ? request.body.replace('Q', q) : undefined;
      const answer = await send(`/searxng${filled(path)}`, { ...request, ...(body && { body }) });
      assert.equal(answer.status, 200, `${name}: ${answer.text}`);
      assert.match(answer.headers['content-type']!, /^application\/json/, name);
      assert.deepEqual([answer.json<Answer>().query, answer.json<Answer>().results.length], [q, 1], name);
    }
  });

  test('translates language, time, safety and marks in the query', async () => {
    await ask({ q: `!images :de <5 ${fresh('laterne')}`, time_range: 'week', safesearch: '2', timeout_limit: '9.5' });
    const { parameters } = searxng.asked[0]!;
    assert.match(parameters.get('q')!, /^laterne q\d+$/);
    assert.equal(parameters.get('language')!.slice(0, 2), 'de');
    assert.deepEqual([parameters.get('time_range'), parameters.get('safesearch')], ['week', '2']);
  });

  test('has five pages of twenty, and as many results as a client asks for beside the standard', async () => {
    const q = fresh();
    searxng.give(...Array.from({ length: 45 }, (_, at) => page(`p${at}`)));
    const [first, second, sixth] = [await ask({ q }), await ask({ q, pageno: '2' }), await ask({ q, pageno: '6' })];
    assert.deepEqual([first.results.length, second.results.length, sixth.results.length], [20, 20, 0]);
    const urls = [...first.results, ...second.results].map(({ url }) => url);
    assert.equal(new Set(urls).size, 40);
    assert.equal((await ask({ q, num: '3' })).results.length, 3);
    assert.equal((await ask({ q, limit: '30' })).results.length, 30);
  });

  test('cuts a long query at a word and says so in a header', async () => {
    const words = `${'lantern '.repeat(80)}end`;
    const answer = await send(`/searxng/search?${query({ q: words })}`);
    assert.equal(answer.status, 200, answer.text);
    assert.match(answer.headers['x-trawl-warning']!, /cut after 500 characters/);
    assert.equal(answer.json<Answer>().query, words);
    assert.match(searxng.asked[0]!.query, /lantern$/);
    assert.equal((await send(`/searxng/search?${query({ q: 'x'.repeat(9_000) })}`)).status, 200);
  });

  test('names the providers that did not answer', async () => {
    brave.behave((_, response) => void response.writeHead(500).end());
    searxng.give(page('a'));
    const { unresponsive_engines: silent, results } = await ask({});
    assert.equal(results.length, 1);
    assert.equal(silent[0]![0], 'brave');
    assert.ok(silent[0]![1].length > 0);
  });
});

describe('kinds of results', () => {
  test('images, news and videos have the fields by which clients tell them apart', async () => {
    searxng.give(page('i', { imageUrl: 'https://far.test/i.png' }));
    const [image] = (await ask({ categories: 'images' })).results;
    assert.deepEqual(
      [image!.template, image!.category, image!.img_src, image!.source, image!.url],
      ['images.html', 'images', 'https://far.test/i.png', 'far.test', 'https://far.test/i'],
    );
    searxng.give(page('n', { date: '2026-08-01T10:00:00Z' }));
    const [news] = (await ask({ engines: 'bing news', q: fresh() })).results;
    assert.deepEqual([news!.category, news!.publishedDate], ['news', '2026-08-01T10:00:00']);
    searxng.give({ url: 'https://www.youtube.com/watch?v=abcdefghijk' }, page('elsewhere'));
    const { results } = await ask({ engines: 'youtube' });
    assert.deepEqual(
      results.map(({ template }) => template),
      ['videos.html'],
    );
    assert.match(String(results[0]!.iframe_src), /embed\/abcdefghijk$/);
    assert.match(String(results[0]!.thumbnail), /abcdefghijk/);
  });

  test('several are joined; engines that mean nothing here leave it to the categories', async () => {
    searxng.give(page('x', { imageUrl: 'https://far.test/i.png' }));
    const joined = await ask({ categories: 'general,images', engines: 'google,bing' });
    assert.deepEqual(joined.results.map(({ category }) => category).toSorted(), ['general', 'images']);
    const general = await ask({ engines: 'google,nosuch,duckduckgo' });
    assert.deepEqual(
      general.results.map(({ category }) => category),
      ['general'],
    );
    const switched = await send(`/searxng?${query({ q: fresh(), category_images: 'on' })}`);
    assert.deepEqual(
      switched.json<Answer>().results.map(({ category }) => category),
      ['images'],
    );
  });

  test('what is not served is an empty list that says so', async () => {
    searxng.give(page('x'), { url: 'https://www.reddit.com/r/x' });
    const none = await ask({ categories: 'music' });
    assert.deepEqual([none.results, none.unresponsive_engines], [[], [['music', 'not served here']]]);
    const social = await ask({ categories: 'social_media' });
    assert.deepEqual(
      social.results.map(({ url }) => new URL(url).host),
      ['www.reddit.com'],
    );
  });
});

describe('other answers', () => {
  test('a page, CSV and a feed, in which nothing of a result can act', async () => {
    searxng.give(page('a"b', { title: 'a < b <script>alert(1)</script>', description: '=1+1 & "more"' }));
    const q = fresh('<i>');
    const html = await send(`/searxng/search?${query({ q, format: 'html' })}`);
    assert.match(html.headers['content-type']!, /^text\/html/);
    assert.match(html.text, /<article class="result"><h3><a href="https:\/\/far\.test\/a%22b" rel="noreferrer">/);
    assert.doesNotMatch(html.text, /<script|<i>/);
    assert.equal(html.headers['referrer-policy'], 'no-referrer');
    const csv = await send(`/searxng/search?${query({ q, format: 'csv' })}`);
    assert.match(csv.headers['content-type']!, /^text\/csv/);
    assert.match(csv.text, /"'=1\+1 & ""more"""/);
    const rss = await send(`/searxng/search?${query({ q, format: 'rss' })}`);
    assert.match(rss.text, /<item><title>a &lt; b/);
    assert.match((await send('/searxng/')).text, /<form/);
    assert.match((await send(`/searxng/search?${query({ q, format: 'nosuch' })}`)).text, /^<!doctype html>/);
  });

  test('the configuration by which Onyx, Cherry Studio and mcp-searxng recognise an instance, without a key', async () => {
    const answer = await sendRaw(service.url, '/searxng/config');
    assert.equal(answer.status, 200);
    const config = answer.json<{ brand: { GIT_URL: string }; engines: { enabled: boolean; categories: string[] }[] }>();
    assert.equal(config.brand.GIT_URL, 'https://github.com/searxng/searxng');
    assert.ok(
      config.engines.some((each) => each.enabled && ['general', 'web'].every((name) => each.categories.includes(name))),
    );
    assert.equal((await sendRaw(service.url, '/searxng/healthz')).text, 'OK');
  });

  test('completions come from the words of the index', async () => {
    const path = '/searxng/autocompleter?q=angles+sext&lang=en';
    const full = (await send(path)).json<[string, string[]]>();
    assert.equal(full[0], 'angles sext');
    assert.ok(full[1].includes('angles sextant'), JSON.stringify(full));
    const list = (await send(path, { headers: { 'x-requested-with': 'XMLHttpRequest' } })).json();
    assert.deepEqual(list, full[1]);
    assert.deepEqual((await send('/searxng/autocompleter')).json(), ['', [], [], []]);
  });
});

test('bad input is answered in the shape of SearXNG', async () => {
  const bad: [string, number, RegExp][] = [
    ['/searxng/search?format=json', 400, /No query/],
    ['/searxng/search?format=json&q=%20', 400, /No query/],
    ['/searxng?format=json&q=a&pageno=0', 400, /pageno/],
    ['/searxng?format=json&q=a&pageno=x', 400, /pageno/],
    ['/searxng?format=json&q=a&time_range=decade', 400, /time_range/],
    ['/searxng?format=json&q=a&language=xx-yy-zz', 400, /language/],
    ['/searxng?format=json&q=a&safesearch=9', 400, /safesearch/],
    ['/searxng?format=json&q=a&timeout_limit=-1', 400, /timeout_limit/],
    ['/searxng/nothing', 404, /nothing at this path/i],
  ];
  for (const [path, status, text] of bad) {
    const answer = await send(path);
    assert.equal(answer.status, status, path);
    const body = answer.json();
    assert.deepEqual(Object.keys(body), ['error'], path);
    assert.match(String(body.error), text, path);
  }
  const deleted = await send('/searxng/search?q=a', { method: 'DELETE' });
  assert.deepEqual([deleted.status, deleted.headers.allow], [405, 'GET, POST']);
  const type = (content: string) => ({ 'content-type': content });
  const bodies: [string, string, number][] = [
    ['application/json', '{"q":', 400],
    ['application/json', '{"q":{"a":1},"format":"json"}', 400],
    ['application/json', `{"q":"${'x'.repeat(30_000)}","format":"json"}`, 400],
    ['application/json', '[1]', 200],
    ['text/plain', 'q=a', 415],
    ['application/x-www-form-urlencoded', 'a=1&'.repeat(300), 400],
    ['application/x-www-form-urlencoded', 'a'.repeat(300_000), 413],
  ];
  for (const [content, body, status] of bodies) {
    const answer = await send('/searxng/search', { method: 'POST', headers: type(content), body });
    assert.equal(answer.status, status, `${content} ${body.slice(0, 40)}: ${answer.text}`);
  }
});

describe('keys', () => {
  const search = () => `/search?${query({ q: fresh() })}`;
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });

  test('are found wherever a client can put one', async () => {
    const { key, url } = service;
    const forms: [string, Record<string, string>][] = [
      [`/searxng/key/${key}${search()}`, {}],
      [`//searxng//key/${key}/${search()}`, {}],
      [`/searxng/key/${key}?${query({ q: fresh() })}`, { authorization: 'Bearer None' }],
      [`/searxng${search()}`, { authorization: key }],
      [`/searxng${search()}`, { 'X-API-Key': key }],
      [`/searxng${search()}`, { 'x-subscription-token': key }],
      [`/searxng${search()}`, basic(`user:${key}`)],
      [`/searxng${search()}`, basic(`${key}:`)],
      [`/searxng/key/wrong${search()}`, { authorization: `bearer ${key}` }],
    ];
    for (const [path, headers] of forms) {
      const answer = await sendRaw(url, path, { headers });
      assert.equal(answer.status, 200, `${path} ${JSON.stringify(headers)}: ${answer.text}`);
    }
    for (const [path, headers] of [
      [`/searxng${search()}`, {}],
      [`/searxng/key/wrong${search()}`, {}],
      [`/searxng/key/%ff${search()}`, {}],
      [`/searxng${search()}`, basic('user:wrong')],
      [`/v2/search/key/${key}`, {}],
      [`/key/${key}/searxng${search()}`, {}],
    ] as [string, Record<string, string>][]) {
      const { status } = await sendRaw(url, path, { headers });
      assert.ok(status === 401 || status === 404, `${path} ${status}`);
    }
  });

  test('in the path leave no trace in the list of requests and the audit log', async () => {
    const { body } = await service.post<{ data: { key: string } }>('/v2/team/keys', {
      limits: { operations: ['search'] },
    });
    const answer = await sendRaw(service.url, `/searxng/key/${body.data.key}${search()}`);
    assert.equal(answer.status, 200, answer.text);
    for (const path of ['/v2/team/activity', '/v2/team/audit', '/metrics']) {
      const text = await (await service.fetch(path)).text();
      assert.ok(!text.includes(body.data.key), path);
    }
    const { status } = await sendRaw(service.url, `/searxng/key/${body.data.key}/autocompleter?q=a`);
    assert.equal(status, 200);
  });

  test('in the path can be turned off, as can dialects', async () => {
    const { status, json } = await sendRaw(other.url, `/searxng/key/${other.key}${search()}`);
    assert.equal(status, 404);
    assert.deepEqual(Object.keys(json()), ['error']);
    const { status: off } = await sendRaw(other.url, '/openwebui/search', { method: 'POST' });
    assert.equal(off, 404);
    assert.match((await sendRaw(other.url, '/v1/scrape', { method: 'POST' })).text, /TRAWL_DIALECTS/);
  });

  test('limits, prices and metrics are those of the call that is made', async () => {
    const { body } = await service.post<{ data: { key: string } }>('/v2/team/keys', {
      limits: { operations: ['scrape'] },
    });
    const refused = await sendRaw(service.url, `/searxng/key/${body.data.key}${search()}`);
    assert.equal(refused.status, 403);
    assert.match(String(refused.json().error), /search/);
    const text = await (await service.fetch('/metrics')).text();
    assert.match(text, /trawl_requests_total\{operation="searxng",status="2xx"\} \d/);
    assert.match(text, /trawl_requests_total\{operation="search",status="2xx"\} \d/);
  });
});

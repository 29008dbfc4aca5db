// Asking a provider over HTTP: what is sent, what comes back, and how each failure is classified.
import assert from 'node:assert/strict';
import type { RequestListener, ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { parseAllowList } from '../../../../src/net/addresses/allow-list.ts';
import { type Ask, type AskSettings, createAsk } from '../../../../src/search/federation/provider-http.ts';
import { type ProblemKind, ProviderProblem } from '../../../../src/search/providers/provider-problem.ts';
import { startDns } from '../../../support/dns.ts';
import { openEgress, serve, soon } from '../../net/local.ts';

const NOW = Date.UTC(2026, 10, 15, 12);

async function open(t: TestContext, listener: RequestListener, settings: AskSettings = {}): Promise<[Ask, string]> {
  const url = `http://127.0.0.1:${await serve(t, listener)}`;
  const egress = openEgress(t, { maxPageBytes: 50_000_000 });
  return [createAsk(egress, { clock: { now: () => NOW }, ...settings }), url];
}

const answerWith = (status: number, headers: Record<string, string>, body = '') => {
  return (_request: unknown, response: ServerResponse) => response.writeHead(status, headers).end(body);
};

async function problemOf(asked: Promise<unknown>): Promise<ProviderProblem> {
  const error = await asked.then(
    () => assert.fail('the request must fail'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ProviderProblem, String(error));
  assert.doesNotMatch(error.message, /127|http|s3cret|private words|\.$/);
  return error;
}

const echo: RequestListener = async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method, url, headers } = request;
  response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(chunks).toString() }));
};

interface Echo {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}

test('parameters are added to the URL, undefined ones are not, and the service identifies itself', async (t) => {
  const [ask, url] = await open(t, echo, { contact: 'ops@example.org' });
  const parameters = { q: 'a b&c', n: 5, safe: false, gone: undefined };
  const seen = (await ask.json({ url: `${url}/search?x=1`, parameters, headers: { 'X-Key': 'k' } }, soon())) as Echo;
  assert.deepEqual([seen.method, seen.url], ['GET', '/search?x=1&q=a+b%26c&n=5&safe=false']);
  assert.match(seen.headers['user-agent']!, /^Trawl\/\d+\.\d+\.\d+\S* \(\+ops@example\.org\)$/);
  assert.deepEqual([seen.headers['x-key'], seen.headers.accept], ['k', 'application/json']);
  assert.match(seen.headers['accept-encoding']!, /gzip/);
});

test('a body is posted as JSON, a form as a form, and given headers replace the defaults', async (t) => {
  const [ask, url] = await open(t, echo);
  const json = (await ask.json({ url, body: { query: 'ä' } }, soon())) as Echo;
  assert.deepEqual(
    [json.method, json.headers['content-type'], json.body],
    ['POST', 'application/json', '{"query":"ä"}'],
  );
  const form = (await ask.json({ url, form: { q: 'a b' }, headers: { 'User-Agent': 'Own/1' } }, soon())) as Echo;
  assert.deepEqual(
    [form.headers['content-type'], form.body, form.headers['user-agent']],
    ['application/x-www-form-urlencoded', 'q=a+b', 'Own/1'],
  );
});

test('credentials in the URL are sent as a header, whatever their characters', async (t) => {
  const [ask, url] = await open(t, echo);
  const address = url.replace('//', '//me:p%40ss%zz@');
  const seen = (await ask.json({ url: `${address}/search` }, soon())) as Echo;
  assert.equal(seen.headers.authorization, `Basic ${btoa('me:p@ss%zz')}`);
  const own = (await ask.json({ url: address, headers: { Authorization: 'Bearer t' } }, soon())) as Echo;
  assert.equal(own.headers.authorization, 'Bearer t');
});

test('text is decoded with its declared charset and returned with the headers', async (t) => {
  const [ask, url] = await open(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=iso-8859-1', 'x-left': '3' });
    response.end(Buffer.from('<p>é', 'latin1'));
  });
  const { text, headers } = await ask.text({ url }, soon());
  assert.deepEqual([text, headers['x-left']], ['<p>é', '3']);
});

test('each status is classified', async (t) => {
  const statuses: [number, Record<string, string>, ProblemKind, number?][] = [
    [301, { location: '/' }, 'malformed'],
    [400, {}, 'refused'],
    [401, {}, 'key'],
    [402, {}, 'quota'],
    [403, {}, 'key'],
    [403, { 'retry-after': '7' }, 'quota', 7_000],
    [403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1000 + 30) }, 'quota', 30_000],
    [404, {}, 'refused'],
    [408, {}, 'down'],
    [422, { 'x-ratelimit-remaining': '9', 'x-ratelimit-reset': String(NOW / 1000 + 30) }, 'refused'],
    [429, {}, 'quota'],
    [429, { 'retry-after': ' 120 ' }, 'quota', 120_000],
    [429, { 'retry-after': new Date(NOW + 90_000).toUTCString() }, 'quota', 90_000],
    [429, { 'retry-after': new Date(NOW - 90_000).toUTCString() }, 'quota', 0],
    [429, { 'retry-after': '99999999999' }, 'quota', 24 * 3_600_000],
    [429, { 'retry-after': 'soon' }, 'quota'],
    [432, {}, 'quota'],
    [433, {}, 'quota'],
    [500, {}, 'down'],
    [503, { 'retry-after': '3' }, 'down', 3_000],
  ];
  let next = 0;
  const [ask, url] = await open(t, (_request, response) => {
    const [status, headers] = statuses[next]!;
    response.writeHead(status, headers).end('{"error":"private words s3cret"}');
  });
  for (const [status, headers, kind, wait] of statuses) {
    const { kind: found, retryAfterMs } = await problemOf(ask.json({ url, parameters: { key: 's3cret' } }, soon()));
    assert.deepEqual([found, retryAfterMs], [kind, wait], `${status} ${JSON.stringify(headers)}`);
    next += 1;
  }
});

test("a provider's own error message outweighs the status, and an endless one is not read to its end", async (t) => {
  const [ask, url] = await open(t, (request, response) => {
    response.writeHead(403);
    if (request.url !== '/endless') response.end('{"error":{"reason":"dailyLimitExceeded"}}');
    else writeEndlessly(response, 'dailyLimitExceeded ');
  });
  const words: unknown[] = [];
  const readWords = (status: number, answer: unknown): ProblemKind | undefined => {
    words.push(typeof answer === 'string' ? answer.length > 10_000 && answer.length <= 65_536 : [status, answer]);
    return 'quota';
  };
  assert.equal((await problemOf(ask.json({ url, problemOf: readWords }, soon()))).kind, 'quota');
  assert.equal((await problemOf(ask.json({ url: `${url}/endless`, problemOf: readWords }, soon()))).kind, 'quota');
  assert.deepEqual(words, [[403, { error: { reason: 'dailyLimitExceeded' } }], true]);
  assert.equal((await problemOf(ask.json({ url, problemOf: () => undefined }, soon()))).kind, 'key');
});

/** Writes without end. */
function writeEndlessly(response: ServerResponse, text: string): void {
  const piece = text.repeat(Math.ceil(65_536 / text.length));
  const more = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', more);
  more();
}

test('an answer that is not JSON is malformed, and the message says why', async (t) => {
  const bodies: [string, RegExp][] = [
    ['', /empty/],
    ['  \n', /empty/],
    ['<!doctype html><title>Sign in</title>', /web page/],
    ['{"results":[{"url":"https://exa', /cut off/],
  ];
  for (const [body, words] of bodies) {
    const [ask, url] = await open(t, answerWith(200, { 'content-type': 'application/json' }, body));
    const problem = await problemOf(ask.json({ url }, soon()));
    assert.equal(problem.kind, 'malformed');
    assert.match(problem.message, words);
  }
});

test('an endless answer is cut off and malformed, with or without a content length', async (t) => {
  const [ask, url] = await open(t, (request, response) => {
    if (request.url === '/announced') response.writeHead(200, { 'content-length': '60000000' });
    writeEndlessly(response, '[1,');
  });
  for (const path of ['/', '/announced']) {
    const { kind, message } = await problemOf(ask.json({ url: url + path }, soon()));
    assert.deepEqual([kind, message], ['malformed', 'its answer is too large'], path);
  }
});

test('a provider that does not answer, breaks off or does not resolve is down', async (t) => {
  const dns = await startDns();
  t.after(() => dns.stop());
  const ask = createAsk(openEgress(t, { dnsServers: [dns.address] }));
  const [, url] = await open(t, (request, response) => {
    if (request.url === '/half') response.writeHead(200, { 'content-length': '100' }).write('{"a":');
    setTimeout(() => request.socket.destroy(), 20);
  });
  for (const address of [`${url}/none`, `${url}/half`, 'http://127.0.0.1:9/', 'http://unknown.test/']) {
    assert.equal((await problemOf(ask.json({ url: address }, soon()))).kind, 'down', address);
  }
});

test('a key that does not fit into a header is a key problem', async (t) => {
  const [ask, url] = await open(t, echo);
  assert.equal((await problemOf(ask.json({ url, headers: { 'x-key': 'Ω' } }, soon()))).kind, 'key');
});

test("an abort ends the wait with the caller's own reason", async (t) => {
  const [ask, url] = await open(t, (_request, response) => void response.write('['));
  const aborting = new AbortController();
  const reason = new Error('the caller left');
  const asked = ask.json({ url }, aborting.signal);
  setTimeout(() => aborting.abort(reason), 50);
  await assert.rejects(asked, (error) => error === reason);
});

test("the operator's URL may be private, a provider's own URL may not", async (t) => {
  const url = `http://127.0.0.1:${await serve(t, echo)}`;
  const egress = openEgress(t, { allow: parseAllowList(''), operatorOrigins: [url] });
  assert.equal(((await createAsk(egress, { route: 'operator' }).json({ url }, soon())) as Echo).method, 'GET');
  assert.equal((await problemOf(createAsk(egress).json({ url }, soon()))).kind, 'down');
});

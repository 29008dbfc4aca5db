import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { type TestContext, test } from 'node:test';
import { type FollowRequest, followRedirects, type RedirectHooks, readLocation } from '../../../src/net/redirects.ts';
import { callerHeaders } from '../../support/caller-headers.ts';
import { get, openEgress, serve, soon, textOf } from './local.ts';

type Replies = Record<string, [status: number, location?: string, cookie?: string]>;

/** A site of redirects; every other path echoes the request. */
async function site(t: TestContext, replies: Replies = {}): Promise<{ port: number; seen: IncomingMessage[] }> {
  const seen: IncomingMessage[] = [];
  const port = await serve(t, (request, response) => {
    seen.push(request);
    const [status, location, cookie] = replies[request.url ?? ''] ?? [200];
    if (location !== undefined) response.setHeader('location', location);
    if (cookie !== undefined) response.setHeader('set-cookie', cookie);
    response.writeHead(status).end(`${request.method} ${request.url}`);
  });
  return { port, seen };
}

const follow = (t: TestContext, request: FollowRequest, hooks: RedirectHooks = {}) =>
  followRedirects(openEgress(t), request, hooks, soon());

test('redirects are followed to the last response, and each hop is reported', async (t) => {
  const { port } = await site(t, { '/a': [301, '/b?x=1'], '/b?x=1': [302, 'c'] });
  const { response, hops } = await follow(t, get(`http://127.0.0.1:${port}/a#part`));
  assert.equal(await textOf(response), 'GET /c');
  assert.deepEqual(
    hops.map(({ from, status, to }) => [from.pathname, status, to.pathname]),
    [
      ['/a', 301, '/b'],
      ['/b', 302, '/c'],
    ],
  );
  assert.equal(response.url.hash, '#part', 'the fragment was not inherited');
});

test('a redirect status without a Location is an ordinary response', async (t) => {
  const { port } = await site(t, { '/a': [302], '/b': [304, '/c'] });
  assert.equal((await follow(t, get(`http://127.0.0.1:${port}/a`))).response.status, 302);
  assert.equal((await follow(t, get(`http://127.0.0.1:${port}/b`))).response.status, 304);
});

test('methods change as in a browser', async (t) => {
  const replies = Object.fromEntries(
    [301, 302, 303, 307, 308].map((status) => [`/${status}`, [status, '/end'] as [number, string]]),
  );
  const { port, seen } = await site(t, replies);
  const after = async (method: 'POST' | 'HEAD', status: number) => {
    const body = method === 'POST' ? 'data' : undefined;
    const headers = { 'content-type': 'text/plain' };
    const { response } = await follow(t, get(`http://127.0.0.1:${port}/${status}`, { method, body, headers }));
    response.body.destroy();
    return [seen.at(-1)?.method, seen.at(-1)?.headers['content-type']];
  };
  for (const status of [301, 302, 303]) assert.deepEqual(await after('POST', status), ['GET', undefined], `${status}`);
  for (const status of [307, 308]) assert.deepEqual(await after('POST', status), ['POST', 'text/plain'], `${status}`);
  for (const status of [301, 303, 308]) assert.equal((await after('HEAD', status))[0], 'HEAD');
});

test("the caller's headers go to the origin they are for, and credentials stay with the first origin", async (t) => {
  const there: Replies = {};
  const other = await site(t, there);
  const { port, seen } = await site(t, { '/a': [302, '/b'], '/b': [302, `http://127.0.0.1:${other.port}/c`] });
  there['/c'] = [302, `http://127.0.0.1:${port}/back`];
  const headers = { authorization: 'Bearer 1', cookie: 'a=1', 'user-agent': 'browser' };
  const own = callerHeaders(`http://127.0.0.1:${port}/`, { 'X-Api-Key': 'secret' });
  const request = { ...get(`http://127.0.0.1:${port}/a`, { headers }), callerHeaders: own };
  assert.equal(await textOf((await follow(t, request)).response), 'GET /back');
  for (const name of ['authorization', 'cookie', 'x-api-key']) {
    assert.deepEqual(
      seen.map((one) => one.headers[name] !== undefined),
      [true, true, name === 'x-api-key'],
      name,
    );
    assert.equal(other.seen[0]?.headers[name], undefined, name);
  }
  assert.equal(other.seen[0]?.headers['user-agent'], 'browser');
});

test('a cookie jar is used at every hop, so a site may redirect to itself once after setting a cookie', async (t) => {
  const jar: string[] = [];
  const port = await serve(t, (request, response) => {
    if (request.headers.cookie) response.end(request.headers.cookie);
    else response.writeHead(302, { location: '/', 'set-cookie': 'seen=1' }).end();
  });
  const { response } = await follow(t, get(`http://127.0.0.1:${port}/`), {
    headersFor: (): Record<string, string> => (jar.length > 0 ? { cookie: jar.join('; ') } : {}),
    onResponse: ({ setCookies }) => void jar.push(...setCookies),
  });
  assert.equal(await textOf(response), 'seen=1');
});

test('a redirect loop is detected when it closes', async (t) => {
  const { port, seen } = await site(t, { '/a': [302, '/b'], '/b': [302, '/a'] });
  await assert.rejects(follow(t, get(`http://127.0.0.1:${port}/a`)), {
    code: 'SCRAPE_SITE_ERROR',
    message: /^The site redirects in a circle\./,
  });
  assert.equal(seen.length, 2);
});

test('at most twenty redirects are followed', async (t) => {
  const port = await serve(t, (request, response) => {
    const left = Number(request.url?.slice(1));
    if (left === 0) response.end('there');
    else response.writeHead(302, { location: `/${left - 1}` }).end();
  });
  const { response, hops } = await follow(t, get(`http://127.0.0.1:${port}/20`));
  assert.equal(await textOf(response), 'there');
  assert.equal(hops.length, 20);
  await assert.rejects(follow(t, get(`http://127.0.0.1:${port}/21`)), { message: /more than 20 times/ });
});

test('a Location that parsers read differently, or that is not http(s), is refused', () => {
  const base = new URL('http://site.test/path');
  for (const location of [
    'http:\\\\x.test',
    '/\\x.test',
    'http://x.test\u0001',
    'http://me@x.test/',
    'ftp://x.test/',
    'data:,x',
    'file:///etc/passwd',
  ]) {
    assert.throws(() => readLocation(location, base), { code: 'UNSUPPORTED_SITE' }, location);
  }
  assert.throws(() => readLocation('http://[x', base), { code: 'SCRAPE_SITE_ERROR' });
});

test('a Location in raw UTF-8 is understood', () => {
  const sent = Buffer.from('/käse und brot').toString('latin1');
  assert.equal(readLocation(sent, new URL('http://site.test/')).pathname, '/k%C3%A4se%20und%20brot');
});

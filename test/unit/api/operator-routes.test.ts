// Who may read /metrics: the operator's key, or a program of the user that the service runs as.
import assert from 'node:assert/strict';
import { type RequestOptions, request } from 'node:http';
import { test } from 'node:test';
import { KEY, OTHER_KEY, startEdge } from './edge.ts';

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

const CASES: [who: string, headers: Record<string, string>, status: number][] = [
  ['a program of our user', {}, 200],
  ['a program that asks for localhost', { host: 'localhost:9090' }, 200],
  ['the operator, through a proxy', { 'x-forwarded-for': '203.0.113.9', ...bearer(KEY) }, 200],
  ['a stranger, through a proxy', { 'x-forwarded-for': '203.0.113.9' }, 401],
  ['a stranger who forwards loopback', { 'x-forwarded-for': '127.0.0.1' }, 401],
  ['a stranger, through a proxy of RFC 7239', { forwarded: 'for=203.0.113.9' }, 401],
  ['a stranger, through nginx with its own header', { 'x-real-ip': '203.0.113.9' }, 401],
  ['a stranger, through a proxy that only says so', { via: '1.1 proxy' }, 401],
  ['a web page in a browser on this machine', { origin: 'https://evil.test' }, 401],
  ['a web page without an origin', { 'sec-fetch-site': 'cross-site' }, 401],
  ['a web page that rebinds its name', { host: 'evil.test' }, 401],
  ['another team, through a proxy', { 'x-forwarded-for': '203.0.113.9', ...bearer(OTHER_KEY) }, 401],
  ['a wrong key, through a proxy', { 'x-forwarded-for': '203.0.113.9', ...bearer('fc-wrong') }, 401],
];

test('the metrics are for the operator and for programs of our user', async (t) => {
  const { port } = await startEdge(t, { auth: 'required' });
  for (const [who, headers, status] of CASES) assert.equal((await ask(port, { headers })).status, status, who);
});

test('a program of another user needs the key, and is told what to write', {
  skip: process.platform !== 'linux' && 'elsewhere the user of a connection cannot be found out',
}, async (t) => {
  const { port } = await startEdge(t, { auth: 'required' });
  // Connections from other addresses of loopback are taken for those of another user.
  const from = { localAddress: '127.0.0.2' };
  const refused = await ask(port, from);
  assert.equal(refused.status, 401);
  assert.match(refused.text, /scrape_configs: authorization: \{ credentials: \\"<key>\\" \}/);
  assert.equal((await ask(port, { ...from, path: '/v0/health/details' })).status, 401);
  assert.equal((await ask(port, { ...from, headers: bearer(KEY) })).status, 200);
});

/** Not `fetch`, which would not send these headers. */
function ask(port: number, options: RequestOptions): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path: '/metrics', ...options, agent: false }, async (response) => {
      resolve({ status: response.statusCode, text: (await response.toArray()).join('') });
    })
      .on('error', reject)
      .end();
  });
}

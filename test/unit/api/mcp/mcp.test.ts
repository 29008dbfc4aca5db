// `/mcp` at the HTTP edge: who is let in, what is refused before it reaches the protocol, and what ends a running call.
import assert from 'node:assert/strict';
import { request as send } from 'node:http';
import { type TestContext, test } from 'node:test';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ServiceError } from '../../../../src/contracts/errors/errors.ts';
import { MODERN, newLegacyClient, newModernClient } from '../../../support/mcp.ts';
import { JOB, KEY, OTHER_KEY, startEdge } from '../edge.ts';

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const CREDITS = { name: 'firecrawl_credit_usage', arguments: {} };
const JSON_TYPE = { 'content-type': 'application/json' };

interface Edge {
  url: string;
  port: number;
}

/** Connections that a client has opened ahead would keep the server from closing for seconds. */
async function start(t: TestContext, options: Parameters<typeof startEdge>[1] = {}) {
  t.after(() => edge.server.server.closeAllConnections());
  const edge = await startEdge(t, options);
  return edge;
}

const post = (edge: Edge, body: unknown, headers: Record<string, string> = {}, path = '/mcp') =>
  fetch(new URL(path, edge.url), {
    method: 'POST',
    headers: { ...JSON_TYPE, authorization: `Bearer ${KEY}`, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

/** With headers that fetch does not let anybody set. */
const postTo = ({ port }: Edge, headers: Record<string, string>): Promise<number> =>
  new Promise((resolve, reject) => {
    const options = { port, path: '/mcp', method: 'POST', agent: false };
    send({ ...options, headers: { ...JSON_TYPE, authorization: `Bearer ${KEY}`, ...headers } }, (response) => {
      response.resume();
      resolve(response.statusCode!);
    })
      .on('error', reject)
      .end(JSON.stringify(LIST));
  });

/** A call that runs until its caller gives up. */
function stalled() {
  const began = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<unknown>();
  const answer = (operation: string, { caller }: { caller: { signal: AbortSignal } }) => {
    if (operation !== 'creditUsage') return { success: true };
    began.resolve();
    return new Promise((_, reject) => {
      caller.signal.addEventListener('abort', () => {
        ended.resolve(caller.signal.reason);
        reject(caller.signal.reason);
      });
    });
  };
  return { answer, began: began.promise, ended: ended.promise };
}

async function modernClient(t: TestContext, { url }: Edge) {
  const client = newModernClient();
  const requestInit = { headers: { authorization: `Bearer ${KEY}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }));
  t.after(() => client.close());
  return client;
}

async function legacyClient(t: TestContext, { url }: Edge) {
  const client = newLegacyClient();
  const requestInit = { headers: { authorization: `Bearer ${KEY}` } };
  await client.connect(new LegacyTransport(new URL('/mcp', url), { requestInit }));
  t.after(() => client.close());
  return client;
}

test('a caller without a valid key is told where to find out how to get one', async (t) => {
  const edge = await start(t);
  const metadata = `${edge.url}/.well-known/oauth-protected-resource`;
  const cases = [
    ['/mcp', {}, `${metadata}/mcp`],
    ['/mcp', { authorization: 'Bearer wrong' }, `${metadata}/mcp`],
    ['/v2/mcp', { 'x-api-key': 'wrong' }, `${metadata}/v2/mcp`],
    ['/v2/mcp', { 'x-firecrawl-api-key': 'wrong' }, `${metadata}/v2/mcp`],
    ['/secret-wrong/v2/mcp', {}, `${metadata}/v2/mcp`],
  ] as const;
  for (const [path, headers, document] of cases) {
    const response = await fetch(new URL(path, edge.url), {
      method: 'POST',
      headers: { ...JSON_TYPE, ...headers },
      body: JSON.stringify(LIST),
    });
    assert.equal(response.status, 401, path);
    assert.equal(response.headers.get('www-authenticate'), `Bearer resource_metadata="${document}"`);
    const text = await response.text();
    assert.equal(JSON.parse(text).error.data.code, 'UNAUTHORIZED');
    assert.ok(!text.includes('wrong'));
  }
});

test('a key is accepted wherever clients of the public server put it', async (t) => {
  const edge = await start(t);
  for (const [path, headers] of [
    ['/v2/mcp', { 'x-api-key': KEY }],
    ['/mcp', { 'x-firecrawl-api-key': KEY }],
    [`/${KEY}/v2/mcp`, {}],
    [`/${KEY}/v2/mcp`, { authorization: 'Bearer undefined' }],
  ] as const) {
    const init = { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(LIST) };
    const response = await fetch(new URL(path, edge.url), init);
    assert.equal(response.status, 200, path);
    assert.match(await response.text(), /firecrawl_credit_usage/);
  }
});

test('the caller of a tool is the caller of the endpoint', async (t) => {
  const called: unknown[] = [];
  const edge = await start(t, {
    answer: (operation, { caller: { team, address } }) => {
      called.push({ operation, team: team.name, address });
      return { success: true };
    },
    trustedProxies: '127.0.0.1',
  });
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: CREDITS };
  await (await post(edge, body, { 'x-forwarded-for': '198.51.100.7' })).text();
  await (await post(edge, body, { authorization: `Bearer ${OTHER_KEY}` })).text();
  assert.deepEqual(called, [
    { operation: 'creditUsage', team: 'default', address: '198.51.100.7' },
    { operation: 'creditUsage', team: 'other', address: '127.0.0.1' },
  ]);
});

test('a tool makes no further call once the key of its caller has ended', async (t) => {
  const called: string[] = [];
  let endKey = () => {};
  const edge = await start(t, {
    keyWatch: {
      follow(_hash, onEnd) {
        endKey = onEnd;
      },
    },
    answer: (operation) => {
      called.push(operation);
      if (operation === 'crawl') return { success: true, id: JOB, url: `http://trawl.test/v2/crawl/${JOB}` };
      endKey();
      return { success: true, status: 'scraping', completed: 0, total: 1, creditsUsed: 0, data: [] };
    },
  });
  const params = { name: 'firecrawl_crawl', arguments: { url: 'https://example.com/', limit: 1 } };
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const response = await post(edge, body, { authorization: `Bearer ${OTHER_KEY}` });
  assert.match(await response.text(), /"code":"UNAUTHORIZED","status":401/);
  assert.deepEqual(called, ['crawl', 'crawlStatus']);
});

test('other web pages, and other names of this machine, are refused', async (t) => {
  const publicUrl = 'https://trawl.example.com';
  const edge = await start(t, { publicUrl });
  for (const [headers, status] of [
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'https://localhost.evil.example' }, 403],
    [{ origin: publicUrl }, 200],
    [{ origin: 'http://localhost:6274' }, 200],
    [{ host: 'rebound.example' }, 403],
    [{ host: 'rebound.example', origin: 'http://rebound.example' }, 403],
    [{ host: 'trawl.example.com' }, 200],
    [{ host: 'localhost:1' }, 200],
  ] as const) {
    assert.equal(await postTo(edge, headers), status, JSON.stringify(headers));
  }
  const behindProxy = await start(t, { trustedProxies: '127.0.0.1' });
  assert.equal(await postTo(behindProxy, { host: 'trawl.example.org', 'x-forwarded-proto': 'https' }), 200);
  const open = await start(t, { auth: 'off' });
  assert.equal(await postTo(open, { origin: 'http://localhost:6274' }), 403);
  assert.equal(await postTo(open, { host: 'rebound.example' }), 403);
  assert.equal(await postTo(open, {}), 200);
});

test('what is not a message of the protocol is answered with its errors', async (t) => {
  const edge = await start(t);
  const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } };
  for (const [body, status, code] of [
    ['{"jsonrpc":', 400, -32_700],
    ['', 400, -32_600],
    ['null', 400, -32_600],
    ['[null]', 400, -32_600],
    ['[]', 400, -32_600],
    [{ jsonrpc: '1.0', id: 1, method: 'tools/list' }, 400, -32_600],
    ['['.repeat(50_000), 400, -32_600],
    [Array(101).fill(LIST), 400, -32_600],
    [{ ...LIST, text: 'x'.repeat(200_000) }, 413, -32_600],
    [{ ...LIST, params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } } }, 400, -32_602],
  ] as const) {
    const response = await post(edge, body);
    const { jsonrpc, error } = (await response.json()) as { jsonrpc: string; error: { code: number; message: string } };
    const shown = `${JSON.stringify(body).slice(0, 80)}: ${JSON.stringify(error)}`;
    assert.equal(response.status, status, shown);
    assert.equal(jsonrpc, '2.0');
    assert.equal(error.code, code, shown);
  }
  const text = await post(edge, 'hello', { 'content-type': 'text/plain' });
  assert.equal(text.status, 415);
  assert.equal(((await text.json()) as { error: { code: number } }).error.code, -32_000);
  const begun = await post(edge, { jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize });
  assert.equal(begun.status, 200);
  assert.match(begun.headers.get('mcp-session-id')!, /^[\da-f-]{36}$/);
});

test('a list of messages is answered, as in the protocol of March 2025', async (t) => {
  const edge = await start(t, { answer: () => ({ success: true }) });
  const call = { jsonrpc: '2.0', id: 'b', method: 'tools/call', params: CREDITS };
  const text = await (await post(edge, [LIST, call])).text();
  assert.match(text, /"id":1/);
  assert.match(text, /"id":"b"/);
});

test('there are no streams of the server itself, and no sessions to delete', async (t) => {
  const edge = await start(t);
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const response = await fetch(`${edge.url}/mcp`, { method, headers: { authorization: `Bearer ${KEY}` } });
    assert.equal(response.status, 405, method);
    assert.equal(response.headers.get('allow'), 'POST');
  }
});

for (const [generation, connect] of [
  ['modern', modernClient],
  ['legacy', legacyClient],
] as const) {
  test(`a ${generation} client that cancels a call ends its work`, async (t) => {
    const { answer, began, ended } = stalled();
    const client = await connect(t, await start(t, { answer }));
    const stop = new AbortController();
    const options = { signal: stop.signal };
    const call =
      client instanceof LegacyClient ? client.callTool(CREDITS, undefined, options) : client.callTool(CREDITS, options);
    await began;
    stop.abort(new Error('enough'));
    await assert.rejects(call, /enough/);
    await ended;
    assert.ok((await client.listTools()).tools.length > 0);
  });

  test(`a ${generation} client that leaves ends its work`, async (t) => {
    const { answer, began, ended } = stalled();
    const client = await connect(t, await start(t, { answer }));
    const call = client.callTool(CREDITS);
    call.catch(() => {});
    await began;
    await client.close();
    await ended;
  });
}

test('a client cannot cancel the call of another one', async (t) => {
  const { answer, began, ended } = stalled();
  const edge = await start(t, { answer });
  const stop = new AbortController();
  const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: CREDITS };
  const headers = { ...JSON_TYPE, accept: 'application/json, text/event-stream', authorization: `Bearer ${KEY}` };
  const init = { method: 'POST', headers: { ...headers, 'mcp-session-id': 'mine' }, body: JSON.stringify(call) };
  const running = fetch(`${edge.url}/mcp`, { ...init, signal: stop.signal });
  await began;
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
  let isOver = false;
  ended.then(() => {
    isOver = true;
  });
  for (const session of ['other', undefined]) {
    const response = await post(edge, cancel, session ? { 'mcp-session-id': session } : {});
    assert.equal(response.status, 202);
  }
  // By then the two would have had their effect.
  assert.equal((await post(edge, LIST)).status, 200);
  assert.equal(isOver, false);
  assert.equal((await post(edge, cancel, { 'mcp-session-id': 'mine' })).status, 202);
  await ended;
  assert.equal(await (await running).text(), ': open\n\n');
});

test('the service stops although calls and subscriptions are open', async (t) => {
  const { answer, began, ended } = stalled();
  const edge = await start(t, { answer });
  const client = await modernClient(t, edge);
  const call = client.callTool(CREDITS);
  await began;
  const meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientInfo': { name: 'a', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const listen = { jsonrpc: '2.0', id: 2, method: 'subscriptions/listen', params: { _meta: meta, notifications: {} } };
  const modern = { 'mcp-protocol-version': MODERN, 'mcp-method': 'subscriptions/listen' };
  const subscription = await post(edge, listen, { ...modern, accept: 'application/json, text/event-stream' });
  assert.equal(subscription.status, 200);
  const closed = edge.server.close();
  // Ends by itself, while the call may still finish.
  await subscription.text();
  edge.stopping.abort(new ServiceError('SERVICE_UNAVAILABLE'));
  await ended;
  const { isError, content } = await call;
  assert.equal(isError, true);
  assert.match(JSON.stringify(content), /SERVICE_UNAVAILABLE/);
  await closed;
});

test('one caller has a limited number of requests open', async (t) => {
  const { answer, began } = stalled();
  const edge = await start(t, { answer });
  const leave = new AbortController();
  const call = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: CREDITS });
  const open = () =>
    fetch(`${edge.url}/mcp`, {
      method: 'POST',
      headers: { ...JSON_TYPE, authorization: `Bearer ${KEY}` },
      body: call,
      signal: leave.signal,
    });
  const answers = await Promise.all(Array.from({ length: 101 }, open));
  await began;
  const statuses = answers.map(({ status }) => status);
  assert.deepEqual([...new Set(statuses)].toSorted(), [200, 429]);
  assert.equal(statuses.filter((status) => status === 429).length, 1);
  assert.equal(answers.find(({ status }) => status === 429)!.headers.get('retry-after'), '5');
  leave.abort();
});

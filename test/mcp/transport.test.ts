// The MCP server as assistants reach it: over HTTP at the addresses of the public server, and as the program `trawl mcp`, with
// the official clients of both protocol generations.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, describe, type TestContext, test } from 'node:test';
import { type CallToolResult, type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as LegacyHttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { read, until } from '../support/jobs.ts';
import { newLegacyClient, newModernClient } from '../support/mcp.ts';
import { PROGRAM_ENV, ROOT } from '../support/program.ts';
import { useService } from '../support/use-service.ts';

const scene = useService();
const TOOLS = 29;

type Request = { name: string; arguments: Record<string, unknown> };
interface Options {
  signal?: AbortSignal;
  onprogress?(progress: { progress: number; total?: number }): void;
}

/** The two clients differ in the order of their arguments. */
const callTool = async (client: Client | LegacyClient, request: Request, options: Options = {}) =>
  (client instanceof LegacyClient
    ? await client.callTool(request, undefined, options)
    : await client.callTool(request, options)) as CallToolResult;

const scrapeOf = (host: string, path: string): Request => ({
  name: 'firecrawl_scrape',
  arguments: { url: scene.web.url(host, path), formats: ['markdown'], maxAge: 0, timeout: 300_000 },
});

const program = () => ({
  command: process.execPath,
  args: [join(ROOT, 'bin/trawl.mjs'), 'mcp'],
  env: { ...definedOnly(PROGRAM_ENV), TRAWL_URL: scene.service.url, TRAWL_API_KEY: scene.service.key },
});

const definedOnly = (env: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

const byKey = () => ({ requestInit: { headers: { authorization: `Bearer ${scene.service.key}` } } });
const atMcp = () => new URL('/mcp', scene.service.url);

const CONNECTIONS: [name: string, connect: () => Promise<Client | LegacyClient>][] = [
  [
    'a modern client over HTTP',
    () => connected(newModernClient(), new StreamableHTTPClientTransport(atMcp(), byKey())),
  ],
  ['a legacy client over HTTP', () => connected(newLegacyClient(), new LegacyHttpTransport(atMcp(), byKey()))],
  ['a modern client of the program', () => connected(newModernClient(), new StdioClientTransport(program()))],
  ['a legacy client of the program', () => connected(newLegacyClient(), new LegacyStdioTransport(program()))],
];

async function connected<C extends Client | LegacyClient>(
  client: C,
  transport: Parameters<C['connect']>[0],
): Promise<C> {
  await client.connect(transport as never);
  return client;
}

const activeScrapes = async () => (await read<{ concurrency: number }>(scene.service, '/v2/concurrency-check')).body;
const reaches = (count: number) => until(activeScrapes, ({ concurrency }) => concurrency === count);

for (const [name, connect] of CONNECTIONS) {
  describe(name, () => {
    let opened: Promise<Client | LegacyClient> | undefined;
    const client = () => {
      opened ??= connect();
      return opened;
    };
    after(async () => (await opened)?.close());

    test('lists the tools, resources and prompts, and is told what they are for', async () => {
      const { tools } = await (await client()).listTools();
      assert.equal(tools.length, TOOLS);
      assert.ok(tools.every(({ outputSchema, annotations }) => outputSchema && annotations?.title));
      assert.ok((await (await client()).listResourceTemplates()).resourceTemplates.length > 0);
      assert.ok((await (await client()).listPrompts()).prompts.length > 0);
      assert.match((await client()).getInstructions() ?? '', /firecrawl_scrape/);
    });

    test('reads a page', async () => {
      const { structuredContent, content } = await callTool(await client(), scrapeOf('docs.test', '/docs'));
      const { markdown } = structuredContent as { markdown: string };
      assert.match(markdown, /settings/);
      assert.deepEqual(JSON.parse((content[0] as { text: string }).text), structuredContent);
    });

    test('sees how far a crawl is, while another call is answered', async () => {
      const seen: number[] = [];
      const crawl = { name: 'firecrawl_crawl', arguments: { url: scene.web.url('docs.test', '/docs'), limit: 8 } };
      const crawling = callTool(await client(), crawl, { onprogress: ({ progress }) => void seen.push(progress) });
      const credits = await callTool(await client(), { name: 'firecrawl_credit_usage', arguments: {} });
      assert.ok(!credits.isError);
      const { structuredContent } = await crawling;
      assert.equal((structuredContent as { status: string }).status, 'completed');
      assert.ok(seen.length > 0);
      assert.deepEqual(
        seen,
        [...new Set(seen)].toSorted((a, b) => a - b),
      );
    });

    test('cancels a call, and the service stops working on it', async () => {
      const stop = new AbortController();
      const request = scrapeOf('fault.test', `/stalled-headers?${encodeURIComponent(name)}`);
      const call = callTool(await client(), request, { signal: stop.signal });
      const refused = assert.rejects(call);
      await reaches(1);
      stop.abort();
      await refused;
      await reaches(0);
    });

    test('cancels a crawl by cancelling the call that started it', async () => {
      const stop = new AbortController();
      const url = scene.web.url('fault.test', `/stalled-headers?crawl=${encodeURIComponent(name)}`);
      const options = { signal: stop.signal, onprogress: () => stop.abort() };
      const request = { name: 'firecrawl_crawl', arguments: { url, limit: 5, sitemap: 'skip' } };
      await assert.rejects(callTool(await client(), request, options));
      await until(
        () => read<{ crawls: unknown[] }>(scene.service, '/v2/crawl/active'),
        ({ body }) => body.crawls.length === 0,
      );
    });

    test('gets what the service refuses as an answer of the tool', async () => {
      const request = { name: 'firecrawl_scrape', arguments: { url: 'http://127.0.0.1:1/' } };
      const { isError, content } = await callTool(await client(), request);
      assert.equal(isError, true);
      assert.match((content[0] as { text: string }).text, /Code: UNSUPPORTED_SITE\./);
    });
  });
}

describe('over HTTP', () => {
  const connectAt = async (t: TestContext, path: string, headers: Record<string, string> = {}) => {
    const clients = [newModernClient(), newLegacyClient()] as const;
    t.after(() => Promise.all(clients.map((client) => client.close())));
    const url = new URL(path, scene.service.url);
    await clients[0].connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    await clients[1].connect(new LegacyHttpTransport(url, { requestInit: { headers } }));
    return clients;
  };

  test('an assistant set up for the public server works by changing its address', async (t) => {
    const { key } = scene.service;
    for (const [path, headers] of [
      [`/${key}/v2/mcp`, {}],
      ['/v2/mcp', { authorization: `Bearer ${key}` }],
      ['/v2/mcp', { 'x-firecrawl-api-key': key }],
      ['/v2/mcp', { 'x-api-key': key }],
    ] as const) {
      for (const client of await connectAt(t, path, headers)) {
        const { isError } = await callTool(client, { name: 'firecrawl_credit_usage', arguments: {} });
        assert.ok(!isError);
      }
    }
    const metrics = await (await scene.service.fetch('/metrics')).text();
    assert.match(metrics, /trawl_requests_total\{operation="mcp",status="2xx"\} [1-9]/);
    assert.match(metrics, /trawl_requests_total\{operation="creditUsage",status="2xx"\} [1-9]/);
    assert.ok(!metrics.includes(key));
    assert.ok(!scene.service.output().stderr.includes(key));
  });

  test('a wrong key is refused, and so is a key that was revoked a moment ago', async (t) => {
    await assert.rejects(connectAt(t, '/fc-wrong/v2/mcp'));
    await assert.rejects(connectAt(t, '/mcp', { authorization: 'Bearer fc-wrong' }));
    const refused = await fetch(atMcp(), { method: 'POST' });
    const document = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate')!)![1]!;
    const { resource } = (await (await fetch(document)).json()) as { resource: string };
    assert.equal(resource, atMcp().href);
    const { body } = await scene.service.post<{ data: { key: string; id: string } }>('/v2/team/keys', {
      label: 'assistant',
      limits: { operations: ['map'] },
    });
    const { key, id } = body.data;
    const clients = await connectAt(t, '/mcp', { authorization: `Bearer ${key}` });
    for (const client of clients) {
      const { isError, content } = await callTool(client, scrapeOf('docs.test', '/docs'));
      assert.equal(isError, true);
      assert.match((content[0] as { text: string }).text, /restricted to the following operations: map/);
    }
    await scene.service.fetch(`/v2/team/keys/${id}`, { method: 'DELETE' });
    for (const client of clients) await assert.rejects(client.listTools());
  });
});

describe('the program', () => {
  const start = (t: TestContext, settings: Record<string, string> = {}) => {
    const { command, args, env } = program();
    const child = spawn(command, args, { env: { ...env, ...settings }, stdio: ['pipe', 'pipe', 'pipe'] });
    t.after(() => child.kill('SIGKILL'));
    const answers: { id: unknown; error?: { code: number } }[] = [];
    createInterface(child.stdout).on('line', (line) => answers.push(JSON.parse(line)));
    const ended = once(child, 'close') as Promise<[number | null]>;
    const send = (message: unknown) =>
      child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
    const answered = (count: number) =>
      until(
        async () => answers.length,
        (length) => length >= count,
      );
    return { child, answers, ended, send, answered };
  };
  const HELLO = {
    ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
  };

  test('answers lines that are no messages, however long, and goes on', async (t) => {
    const { answers, send, answered } = start(t);
    send(HELLO);
    await answered(1);
    send('no JSON');
    send({ id: 'x', method: 'ping' });
    send('x'.repeat(17 * 1024 * 1024));
    send('');
    send({ jsonrpc: '2.0', id: 2, method: 'ping' });
    await answered(5);
    const told = answers.map(({ id, error }) => [id, error?.code]);
    assert.deepEqual(told, [
      [1, undefined],
      [null, -32_700],
      ['x', -32_600],
      [null, -32_600],
      [2, undefined],
    ]);
  });

  test('greets without a service, and says that no service is running when it is called', async (t) => {
    const { answers, send, answered } = start(t, { TRAWL_URL: 'http://127.0.0.1:9' });
    send(HELLO);
    await answered(1);
    const params = { name: 'firecrawl_credit_usage', arguments: {} };
    send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params });
    await answered(2);
    assert.match(JSON.stringify(answers[1]), /cannot be reached/);
  });

  test('ends with its input, also while it works, and its work ends with it', async (t) => {
    const { child, ended, send, answered } = start(t);
    send(HELLO);
    await answered(1);
    const params = scrapeOf('fault.test', '/stalled-headers?end');
    send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params });
    await reaches(1);
    child.stdin.end();
    assert.deepEqual((await ended)[0], 0);
    await reaches(0);
  });
});

// The MCP server as the official clients of both protocol generations reach it, over HTTP and as the program `trawl mcp`, and
// the tests that hold for each of them.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe } from 'node:test';
import { type CallToolResult, type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as LegacyHttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { fullTest, test } from './full-run.ts';
import { read, until } from './jobs.ts';
import { newLegacyClient, newModernClient } from './mcp.ts';
import { PROGRAM_ENV, ROOT } from './program.ts';
import type { RunningProgram } from './service.ts';
import { type Scene, useOwnService } from './use-service.ts';

const TOOLS = 31;

export type AnyClient = Client | LegacyClient;
type Request = { name: string; arguments: Record<string, unknown> };
interface Options {
  signal?: AbortSignal;
  onprogress?(progress: { progress: number; total?: number }): void;
}

/** The two clients differ in the order of their arguments. */
export const callTool = async (client: AnyClient, request: Request, options: Options = {}) =>
  (client instanceof LegacyClient
    ? await client.callTool(request, undefined, options)
    : await client.callTool(request, options)) as CallToolResult;

export interface McpScene extends Scene<RunningProgram> {
  scrapeOf(host: string, path: string): Request;
  /** How to start the program `trawl mcp` for the service. */
  program(): { command: string; args: string[]; env: Record<string, string> };
  atMcp(): URL;
  /** Waits until the service works on this many scrapes. */
  reaches(count: number): Promise<unknown>;
}

export function useMcpScene(): McpScene {
  const scene = useOwnService() as McpScene;
  scene.scrapeOf = (host, path) => ({
    name: 'firecrawl_scrape',
    arguments: { url: scene.web.url(host, path), formats: ['markdown'], maxAge: 0, timeout: 300_000 },
  });
  scene.program = () => ({
    command: process.execPath,
    args: [join(ROOT, 'bin/trawl.mjs'), 'mcp'],
    env: { ...definedOnly(PROGRAM_ENV), TRAWL_URL: scene.service.url, TRAWL_API_KEY: scene.service.key },
  });
  scene.atMcp = () => new URL('/mcp', scene.service.url);
  const activeScrapes = async () => (await read<{ concurrency: number }>(scene.service, '/v2/concurrency-check')).body;
  scene.reaches = (count) => until(activeScrapes, ({ concurrency }) => concurrency === count);
  return scene;
}

const definedOnly = (env: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

const byKey = ({ service }: Scene) => ({ requestInit: { headers: { authorization: `Bearer ${service.key}` } } });

const CONNECTIONS = {
  'a modern client over HTTP': (scene: McpScene) =>
    connected(newModernClient(), new StreamableHTTPClientTransport(scene.atMcp(), byKey(scene))),
  'a legacy client over HTTP': (scene: McpScene) =>
    connected(newLegacyClient(), new LegacyHttpTransport(scene.atMcp(), byKey(scene))),
  'a modern client of the program': (scene: McpScene) =>
    connected(newModernClient(), new StdioClientTransport(scene.program())),
  'a legacy client of the program': (scene: McpScene) =>
    connected(newLegacyClient(), new LegacyStdioTransport(scene.program())),
};

async function connected<C extends AnyClient>(client: C, transport: Parameters<C['connect']>[0]): Promise<C> {
  await client.connect(transport as never);
  return client;
}

/** The tests of one kind of client. */
export function describeClient(scene: McpScene, name: keyof typeof CONNECTIONS): void {
  describe(name, () => {
    let opened: Promise<AnyClient> | undefined;
    const client = () => {
      opened ??= CONNECTIONS[name](scene);
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
      const { structuredContent, content } = await callTool(await client(), scene.scrapeOf('docs.test', '/docs'));
      const { markdown } = structuredContent as { markdown: string };
      assert.match(markdown, /settings/);
      assert.deepEqual(JSON.parse((content[0] as { text: string }).text), structuredContent);
    });

    fullTest('sees how far a crawl is, while another call is answered', async () => {
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
      const request = scene.scrapeOf('fault.test', `/stalled-headers?${encodeURIComponent(name)}`);
      const call = callTool(await client(), request, { signal: stop.signal });
      const refused = assert.rejects(call);
      await scene.reaches(1);
      stop.abort();
      await refused;
      await scene.reaches(0);
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

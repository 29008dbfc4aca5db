// The live browser as an assistant calls it, with the official clients of both generations.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { BROWSER_SETTINGS, NEEDS_BROWSER } from '../support/browser/browser.ts';
import { apiOf, connectMcpClients, type McpClients } from '../support/mcp.ts';
import { NEEDS_SANDBOX } from '../support/sandbox.ts';
import { useService } from '../support/use-service.ts';

const needed = { skip: NEEDS_BROWSER.skip || NEEDS_SANDBOX.skip };
const scene = useService(needed.skip ? {} : BROWSER_SETTINGS);
let api: ReturnType<typeof apiOf>;
let clients: McpClients;
before(async () => {
  api = apiOf(scene.service);
  clients = await connectMcpClients({ api });
});
after(async () => {
  await clients?.close();
  await api?.close();
});

type Fields = Record<string, unknown>;
const modern = (name: string, args: Fields) => clients.modern.callTool({ name: `firecrawl_${name}`, arguments: args });
const legacy = async (name: string, args: Fields) =>
  (await clients.legacy.callTool({ name: `firecrawl_${name}`, arguments: args })) as CallToolResult;
const contentOf = ({ isError, structuredContent, content }: CallToolResult) => {
  assert.ok(!isError, JSON.stringify(content));
  return structuredContent as Fields;
};

test('a URL is opened, code runs there, a second call goes on, and the session is closed', needed, async () => {
  const url = scene.web.url('any.test');
  const scrapeOptions = { formats: ['markdown'] };
  const first = contentOf(await modern('interact', { url, code: 'await page.title()', scrapeOptions }));
  assert.deepEqual([first.success, first.result], [true, 'Welcome to any.test']);
  const { scrapeId } = first;
  const more = { scrapeId, code: 'page.url()', language: 'node', timeout: 20 };
  assert.equal(contentOf(await legacy('interact', more)).result, url);
  assert.equal(contentOf(await modern('interact_stop', { scrapeId })).success, true);
});

test('a prompt needs a model, and the answer says so', needed, async () => {
  const { isError, content } = await modern('interact', { url: scene.web.url('any.test'), prompt: 'Click Oak' });
  assert.equal(isError, true);
  assert.match(JSON.stringify(content), /model/);
});

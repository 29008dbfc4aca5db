// The MCP server as assistants reach it: over HTTP at the addresses of the public server, and as the program `trawl mcp`, with
// the official clients of both protocol generations.
import assert from 'node:assert/strict';
import { describe, type TestContext } from 'node:test';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport as LegacyHttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { test } from '../support/full-run.ts';
import { newLegacyClient, newModernClient } from '../support/mcp.ts';
import { callTool, describeClient, useMcpScene } from '../support/mcp-clients.ts';

const scene = useMcpScene();

describeClient(scene, 'a legacy client over HTTP');
describeClient(scene, 'a modern client of the program');

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

  test('an address that names tools serves only those, and one that names others is refused', async (t) => {
    const headers = { authorization: `Bearer ${scene.service.key}` };
    for (const client of await connectAt(t, '/mcp?tools=map,firecrawl_parse', headers)) {
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        ['firecrawl_map', 'firecrawl_parse'],
      );
      await assert.rejects(callTool(client, scene.scrapeOf('docs.test', '/docs')), /There is no tool/);
    }
    const refused = await fetch(new URL('?tools=teleport', scene.atMcp()), { method: 'POST', headers });
    assert.equal(refused.status, 400);
    assert.match(await refused.text(), /No tool or group of tools is named \\"teleport\\"/);
  });

  test('a wrong key is refused, and so is a key that was revoked a moment ago', async (t) => {
    await assert.rejects(connectAt(t, '/fc-wrong/v2/mcp'));
    await assert.rejects(connectAt(t, '/mcp', { authorization: 'Bearer fc-wrong' }));
    const refused = await fetch(scene.atMcp(), { method: 'POST' });
    const document = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate')!)![1]!;
    const { resource } = (await (await fetch(document)).json()) as { resource: string };
    assert.equal(resource, scene.atMcp().href);
    const { body } = await scene.service.post<{ data: { key: string; id: string } }>('/v2/team/keys', {
      label: 'assistant',
      limits: { operations: ['map'] },
    });
    const { key, id } = body.data;
    const clients = await connectAt(t, '/mcp', { authorization: `Bearer ${key}` });
    for (const client of clients) {
      const { tools } = await client.listTools();
      assert.ok(tools.some(({ name }) => name === 'firecrawl_map'));
      assert.ok(
        tools.every(({ name }) => name !== 'firecrawl_scrape'),
        'only what the key may use is shown',
      );
      const { isError, content } = await callTool(client, scene.scrapeOf('docs.test', '/docs'));
      assert.equal(isError, true);
      assert.match((content[0] as { text: string }).text, /restricted to the following operations: map/);
    }
    await scene.service.fetch(`/v2/team/keys/${id}`, { method: 'DELETE' });
    for (const client of clients) await assert.rejects(client.listTools());
  });
});

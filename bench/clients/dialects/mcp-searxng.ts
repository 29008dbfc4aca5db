// mcp-searxng, an MCP server that asks an instance of SearXNG, with the key as the password of Basic.
import { join } from 'node:path';
import { installNpm } from '../../install.ts';
import { type Case, type Client, clientFolder, expect, type Scene } from '../client.ts';
import { type McpSession, startMcp } from '../mcp/session.ts';

const VERSION = '2.4.0';

export const mcpSearxng: Client = {
  name: 'mcp-searxng',
  version: VERSION,
  async open(scene) {
    const packages = installNpm(clientFolder('mcp-searxng'), { 'mcp-searxng': VERSION });
    const session = await startMcp({
      file: join(packages, 'mcp-searxng/dist/cli.js'),
      env: environment(scene),
      folder: scene.home,
    });
    return { cases: calls(session), close: () => session.stop() };
  },
};

const environment = ({ service, home }: Scene) => ({
  PATH: process.env.PATH,
  HOME: home,
  SEARXNG_URL: `${service.url}/searxng`,
  AUTH_USERNAME: 'trawl',
  AUTH_PASSWORD: service.key,
});

function calls(session: McpSession): Case[] {
  const call = async (tool: string, parameters: object) => {
    const { isError, content } = await session.call(tool, parameters);
    expect(isError !== true, 'an answer', content);
    return JSON.stringify(content);
  };
  return [
    {
      name: 'search',
      async run() {
        const text = await call('searxng_web_search', { query: 'brass kettle' });
        expect(/north\.test/.test(text), 'a result', text);
      },
    },
    { name: 'suggestions', run: () => call('searxng_search_suggestions', { query: 'kett' }) },
    {
      name: 'instance info',
      async run() {
        const text = await call('searxng_instance_info', {});
        expect(/available[^a-z]+true/.test(text) && /science/.test(text), 'an instance with categories', text);
      },
    },
  ];
}

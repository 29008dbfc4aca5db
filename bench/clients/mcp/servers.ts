// The MCP servers that the cases run against: the public one, unchanged, and our own over both of its transports.
import { join } from 'node:path';
import { ROOT } from '../../../test/support/program.ts';
import { installNpm } from '../../install.ts';
import { type Client, clientFolder, type Scene } from '../client.ts';
import { mcpCases } from './cases.ts';
import { connectMcp, type McpSession, startMcp } from './session.ts';

const PUBLIC_VERSION = '3.26.0';

export interface McpServer {
  name: string;
  version: string;
  /** Whether it can read files of the machine that its client runs on. */
  readsLocalFiles: boolean;
  /** Throws NotInstalled if the server cannot be installed here. */
  start(scene: Pick<Scene, 'service' | 'home'>, key: string): Promise<McpSession>;
}

/** Both programs are set up in the same way: that is what moving from one to the other takes. */
const environment = ({ service, home }: Pick<Scene, 'service' | 'home'>, key: string) => ({
  PATH: process.env.PATH,
  HOME: home,
  FIRECRAWL_API_URL: service.url,
  FIRECRAWL_API_KEY: key,
});

export const publicServer: McpServer = {
  name: 'MCP server',
  version: PUBLIC_VERSION,
  readsLocalFiles: true,
  start(scene, key) {
    const packages = installNpm(clientFolder('firecrawl-mcp'), { 'firecrawl-mcp': PUBLIC_VERSION });
    const file = join(packages, 'firecrawl-mcp/dist/index.js');
    return startMcp({ file, env: environment(scene, key), folder: scene.home });
  },
};

export const ownServer: McpServer = {
  name: 'trawl mcp',
  version: 'stdio',
  readsLocalFiles: true,
  start: (scene, key) =>
    startMcp({
      file: join(ROOT, 'bin/trawl.mjs'),
      args: ['mcp'],
      env: environment(scene, key),
      folder: scene.home,
    }),
};

export const ownEndpoint: McpServer = {
  name: '/mcp',
  version: 'HTTP',
  readsLocalFiles: false,
  start: ({ service }, key) => connectMcp(`${service.url}/mcp`, key),
};

export const mcpClient = (server: McpServer): Client => ({
  name: server.name,
  version: server.version,
  async open(scene) {
    const start = (key: string) => server.start(scene, key);
    const session = await start(scene.service.key);
    return { cases: mcpCases({ session, start, scene, server }), close: () => session.stop() };
  },
});

// A session with an MCP server by the official client, which checks every answer against the schema of its tool.
import { type CallToolResult, Client, StreamableHTTPClientTransport, type Tool } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const STDERR_SHOWN = 500;

export interface McpSession {
  /** Process ID of the server, if it is a program of its own. */
  pid: number | undefined;
  tools(): Promise<Tool[]>;
  call(tool: string, parameters: object): Promise<CallToolResult>;
  stop(): Promise<void>;
}

interface Program {
  file: string;
  args?: readonly string[];
  /** Its whole environment. */
  env: NodeJS.ProcessEnv;
  folder: string;
}

/** Starts a Node program that speaks over its standard streams. */
export async function startMcp({ file, args = [], env, folder }: Program): Promise<McpSession> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [file, ...args],
    env: Object.fromEntries(
      Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
    cwd: folder,
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    stderr = `${stderr}${chunk}`.slice(-STDERR_SHOWN);
  });
  const client = newClient();
  try {
    await client.connect(transport);
  } catch (error) {
    await client.close();
    throw new Error(`The server did not start: ${(error as Error).message} ${stderr}`);
  }
  return sessionOf(client, transport.pid ?? undefined);
}

/** Connects to a server that speaks over HTTP. */
export async function connectMcp(url: string, key: string): Promise<McpSession> {
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  const client = newClient();
  try {
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  } catch (error) {
    await client.close();
    throw error;
  }
  return sessionOf(client, undefined);
}

const newClient = () => new Client({ name: 'trawl-bench', version: '1.0.0' });

const sessionOf = (client: Client, pid: number | undefined): McpSession => ({
  pid,
  tools: async () => (await client.listTools()).tools,
  call: (name, parameters) => client.callTool({ name, arguments: { ...parameters } }),
  stop: () => client.close(),
});

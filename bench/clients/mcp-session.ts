// Runs an MCP server as a child process and talks to it over its standard streams: JSON-RPC, one message per line.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const PROTOCOL = '2025-06-18';
const TIMEOUT_MS = 60_000;

export interface ToolAnswer {
  isError?: boolean;
  content: { type: string; text?: string }[];
}

export interface McpSession {
  /** Names of the server's tools. */
  tools(): Promise<string[]>;
  call(tool: string, parameters: object): Promise<ToolAnswer>;
  stop(): Promise<void>;
}

interface Message {
  id?: number;
  result?: unknown;
  error?: { code: number; message: string };
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** Starts a Node program in `folder` and initialises the session. `env` is its whole environment. */
export async function startMcp(program: string, env: NodeJS.ProcessEnv, folder: string): Promise<McpSession> {
  const child = spawn(process.execPath, [program], { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  const waiting = new Map<number, Waiting>();
  let stderr = '';
  let last = 0;

  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // Writing to a program that has ended fails here; the `close` handler rejects the calls.
  child.stdin.on('error', () => {});
  child.once('close', () => {
    for (const { reject } of waiting.values()) reject(new Error(`The program has ended. ${stderr}`));
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result, error } = readMessage(line);
    const call = waiting.get(id ?? -1);
    if (error) call?.reject(new Error(`${error.code}: ${error.message}`));
    else call?.resolve(result);
  });

  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = async <T>(method: string, params: object): Promise<T> => {
    last += 1;
    const id = last;
    const timer = setTimeout(
      () => waiting.get(id)?.reject(new Error(`No answer within ${TIMEOUT_MS / 1000} s.`)),
      TIMEOUT_MS,
    );
    try {
      return await new Promise<T>((resolve, reject) => {
        waiting.set(id, { resolve: resolve as (result: unknown) => void, reject });
        send({ id, method, params });
      });
    } finally {
      clearTimeout(timer);
      waiting.delete(id);
    }
  };
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
  };

  try {
    const clientInfo = { name: 'trawl-bench', version: '1' };
    await ask('initialize', { protocolVersion: PROTOCOL, capabilities: {}, clientInfo });
    send({ method: 'notifications/initialized' });
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    async tools() {
      const { tools } = await ask<{ tools: { name: string }[] }>('tools/list', {});
      return tools.map(({ name }) => name);
    },
    call: (name, parameters) => ask('tools/call', { name, arguments: parameters }),
    stop,
  };
}

/** Lines that are not JSON, such as log lines, are ignored. */
function readMessage(line: string): Message {
  try {
    return JSON.parse(line) as Message;
  } catch {
    return {};
  }
}

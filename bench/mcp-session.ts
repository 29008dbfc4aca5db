// A program that speaks the Model Context Protocol, as a child process: JSON-RPC, one message a line, over its standard streams.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const PROTOCOL = '2025-06-18';
const LONGEST_MS = 60_000;

export interface ToolAnswer {
  isError?: boolean;
  content: { type: string; text?: string }[];
}

export interface McpSession {
  /** The names of its tools. */
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

/** Starts a Node program and greets it. `env` is all of its environment, `folder` where it runs. */
export async function startMcp(program: string, env: NodeJS.ProcessEnv, folder: string): Promise<McpSession> {
  const child = spawn(process.execPath, [program], { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  const waiting = new Map<number, Waiting>();
  let said = '';
  let last = 0;

  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  // A message to a program that has ended is answered below.
  child.stdin.on('error', () => {});
  child.once('close', () => {
    for (const { reject } of waiting.values()) reject(new Error(`The program has ended. ${said}`));
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result, error } = readMessage(line);
    const one = waiting.get(id ?? -1);
    if (error) one?.reject(new Error(`${error.code}: ${error.message}`));
    else one?.resolve(result);
  });

  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = async <T>(method: string, params: object): Promise<T> => {
    last += 1;
    const id = last;
    const late = setTimeout(
      () => waiting.get(id)?.reject(new Error(`No answer within ${LONGEST_MS / 1000} s.`)),
      LONGEST_MS,
    );
    try {
      return await new Promise<T>((resolve, reject) => {
        waiting.set(id, { resolve: resolve as (result: unknown) => void, reject });
        send({ id, method, params });
      });
    } finally {
      clearTimeout(late);
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

/** What is no message (a line of a log) is nobody's answer. */
function readMessage(line: string): Message {
  try {
    return JSON.parse(line) as Message;
  } catch {
    return {};
  }
}

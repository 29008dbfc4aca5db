// Starts crawls on a service and reads their status over open connections.
import { Pool } from 'undici';
import type { RunningProgram } from '../../test/support/service.ts';

export interface CrawlState {
  status: string;
  completed: number;
}

export interface CrawlClient {
  /** Returns the path of the crawl's status. */
  start(request: Record<string, unknown>): Promise<string>;
  state(path: string): Promise<CrawlState>;
  /** Reads a whole status page and returns the milliseconds that took. */
  time(path: string): Promise<number>;
  close(): Promise<void>;
}

const CONNECTIONS = 32;

export function createCrawlClient(service: RunningProgram): CrawlClient {
  const pool = new Pool(service.url, { connections: CONNECTIONS });
  const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };

  const ask = async (method: 'GET' | 'POST', path: string, body?: unknown): Promise<Uint8Array> => {
    const answer = await pool.request({ method, path, headers, body: body ? JSON.stringify(body) : null });
    const bytes = await answer.body.bytes();
    if (answer.statusCode === 200) return bytes;
    throw new Error(`The service answered ${answer.statusCode}: ${Buffer.from(bytes)}\n${service.output().stderr}`);
  };
  const read = (bytes: Uint8Array) => JSON.parse(Buffer.from(bytes).toString());

  return {
    async start(request) {
      const { id } = read(await ask('POST', '/v2/crawl', request)) as { id: string };
      return `/v2/crawl/${id}`;
    },
    async state(path) {
      const { status, completed } = read(await ask('GET', `${path}?limit=1`)) as CrawlState;
      return { status, completed };
    },
    async time(path) {
      const began = performance.now();
      await ask('GET', path);
      return performance.now() - began;
    },
    close: () => pool.close(),
  };
}

// HTTP to an engine that the operator has set (OpenSearch, S3): its address is trusted, so nothing of egress applies. Connections
// are kept open.
import { type Dispatcher, Pool } from 'undici';

export interface EngineRequest {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** With its query. */
  path: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array | NodeJS.ReadableStream;
  /** Until the first byte of the answer, and between any two of its body. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

export interface EngineAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** Has to be read to its end, or `dump`ed. */
  body: Dispatcher.ResponseData['body'];
}

export interface EngineClient {
  /** Rejects if there is no answer; every status is an answer. */
  request(request: EngineRequest): Promise<EngineAnswer>;
  close(): Promise<void>;
}

const CONNECT_MS = 5_000;
const TIMEOUT_MS = 30_000;
const CONNECTIONS = 32;

/** `origin` such as `https://host:9200`. */
export function createEngineClient(origin: string, connections = CONNECTIONS): EngineClient {
  const pool = new Pool(origin, { connections, connect: { timeout: CONNECT_MS } });
  return {
    async request({ method, path, headers, body, timeoutMs = TIMEOUT_MS, signal }) {
      const answer = await pool.request({
        ...{ method, path, headers, signal },
        body: (body as Dispatcher.DispatchOptions['body']) ?? null,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      });
      return { status: answer.statusCode, headers: answer.headers, body: answer.body };
    },
    close: () => pool.destroy(),
  };
}

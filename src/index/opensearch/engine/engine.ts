// Requests to OpenSearch. A node that does not answer is followed by the next one: every request may be repeated, because
// writes carry the number of their change. Whatever else goes wrong becomes one error, IndexUnavailable.
import { setTimeout as wait } from 'node:timers/promises';
import { createEngineClient, type EngineRequest } from '../../../net/engine-client.ts';
import type { IndexAddress } from './index-address.ts';
import { IndexUnavailable } from './index-unavailable.ts';

export interface EngineCall extends Pick<EngineRequest, 'method' | 'path'> {
  /** JSON, or lines of JSON for the calls that take several requests at once. */
  body?: unknown;
  lines?: readonly unknown[];
  timeoutMs?: number;
}

export interface Answer<T> {
  status: number;
  body: T;
}

export interface Engine {
  /** Resolves with statuses below 500. Rejects with IndexUnavailable. */
  call<T>(call: EngineCall): Promise<Answer<T>>;
  close(): Promise<void>;
}

const SILENCE_MS = 10_000;
/** After no node has answered, calls fail at once for this long. Otherwise every search would wait for the silence again. */
const REST_MS = 2_000;
/** Waits before a request is repeated because the cluster is too busy. */
const PATIENCE_MS = [100, 300, 1_000, 3_000];
const BUSY = 429;
const CONNECTIONS = 16;

/** `silenceMs` is how long a node may take to answer. */
export function createEngine({ nodes, authorization }: IndexAddress, silenceMs = SILENCE_MS): Engine {
  const clients = nodes.map((node) => createEngineClient(node, CONNECTIONS));
  let current = 0;
  let failed: { reason: unknown; at: number } | undefined;

  /** Tries each node once, beginning with the one that answered last. */
  async function send<T>(call: EngineCall): Promise<Answer<T>> {
    if (failed && performance.now() - failed.at < REST_MS) throw unavailable(call, failed.reason);
    let reason: unknown;
    let isSilent = true;
    for (let tries = 0; tries < clients.length; tries += 1) {
      try {
        const answer = await ask<T>(call);
        failed = undefined;
        if (answer.status < 500) return answer;
        reason = answer.body;
        isSilent = false;
      } catch (error) {
        reason = error;
      }
      current = (current + 1) % clients.length;
    }
    if (isSilent) failed = { reason, at: performance.now() };
    throw unavailable(call, reason);
  }

  async function ask<T>({ method, path, body, lines, timeoutMs = silenceMs }: EngineCall): Promise<Answer<T>> {
    const text = lines ? `${lines.map((line) => JSON.stringify(line)).join('\n')}\n` : JSON.stringify(body);
    const { status, body: answer } = await clients[current]!.request({
      ...{ method, path, timeoutMs },
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        ...(text !== undefined && { 'content-type': lines ? 'application/x-ndjson' : 'application/json' }),
        ...(authorization && { authorization }),
      },
      ...(text !== undefined && { body: text }),
    });
    const given = await answer.text();
    return { status, body: (given === '' ? {} : JSON.parse(given)) as T };
  }

  return {
    async call(call) {
      for (const ms of PATIENCE_MS) {
        const answer = await send<never>(call);
        if (answer.status !== BUSY) return answer;
        await wait(ms);
      }
      const answer = await send<never>(call);
      if (answer.status === BUSY) throw unavailable(call, answer.body);
      return answer;
    },
    async close() {
      await Promise.all(clients.map((client) => client.close()));
    },
  };
}

const unavailable = ({ method, path }: EngineCall, reason: unknown): IndexUnavailable =>
  new IndexUnavailable(`${method} ${path.replace(/\?.*/, '')} failed: ${reasonOf(reason)}`);

export function reasonOf(reason: unknown): string {
  if (reason instanceof Error) return reason.message;
  const { error } = (reason ?? {}) as { error?: { type?: string; reason?: string } | string };
  if (typeof error === 'string') return error;
  return [error?.type, error?.reason].filter(Boolean).join(': ') || JSON.stringify(reason).slice(0, 300);
}

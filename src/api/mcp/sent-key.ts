// Where clients of the public MCP server put their key: in a header of its own, or in the path.
import type { FastifyRequest } from 'fastify';
import { sendsNoKey } from '../callers/auth.ts';

const KEY_HEADERS = ['x-firecrawl-api-key', 'x-api-key'];

/** From here on, the key is in the header Authorization, as everywhere else. One that was sent there wins. */
export function adoptSentKey({ raw: { headers }, params }: FastifyRequest): void {
  if (!sendsNoKey(headers.authorization)) return;
  const { key: inPath } = params as { key?: string };
  const key = KEY_HEADERS.map((name) => headers[name]?.toString()).find((value) => value) ?? inPath;
  if (key !== undefined) headers.authorization = `Bearer ${key}`;
}

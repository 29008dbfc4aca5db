// The key of a request, wherever the program that sends it can put one.
import type { IncomingHttpHeaders } from 'node:http';
import { sendsNoKey } from '../callers/auth.ts';

const KEY_HEADERS = ['x-api-key', 'x-subscription-token'];

/** In the header Authorization, in one of its own, as a password, in the path: the first one counts. */
export function findSentKey(headers: IncomingHttpHeaders, inPath: string | undefined): string | undefined {
  const authorization = sendsNoKey(headers.authorization) ? '' : headers.authorization!.trim();
  const [, bearer] = /^Bearer\s+(.+)$/i.exec(authorization) ?? [];
  const [, basic] = /^Basic\s+(.+)$/i.exec(authorization) ?? [];
  const bare = /\s/.test(authorization) ? undefined : authorization;
  const named = KEY_HEADERS.map((name) => headers[name]?.toString().trim());
  return [bearer, bare, ...named, basic && passwordOf(basic), inPath].find((key) => key);
}

/** In a field of JSON, as clients send it that put it nowhere else. */
export function keyInBody(body: unknown, field: string): string | undefined {
  const sent = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[field] : undefined;
  return (typeof sent === 'string' && sent.trim()) || undefined;
}

/** Written as `name:password`. Without a password, the name is the key. */
function passwordOf(encoded: string): string {
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return colon < 0 ? text : text.slice(colon + 1) || text.slice(0, colon);
}

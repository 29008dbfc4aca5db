// Request and response headers: which ones a caller may set, and how repeated lines are joined.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { ACCEPT_ENCODING } from './decode-body.ts';

// They control the connection, which is ours, or could name another host than the one that was checked.
const CONNECTION_HEADERS = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

export interface ResponseHeaders {
  headers: Record<string, string>;
  setCookies: string[];
}

/** The headers to send, without those of the connection. Throws BAD_REQUEST for ones that HTTP cannot carry. */
export function requestHeaders(given: Record<string, string>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (!NAME.test(name) || !VALUE.test(value)) {
      throw new ServiceError('BAD_REQUEST', {
        message: `The header ${JSON.stringify(name)} cannot be sent over HTTP.`,
      });
    }
    if (!CONNECTION_HEADERS.has(name.toLowerCase())) headers[name] = value;
  }
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  if (!names.includes('accept-encoding')) headers['accept-encoding'] = ACCEPT_ENCODING;
  return headers;
}

/** By their names in lower case; a list where a name is repeated. */
export function joinLines(lines: readonly (readonly [string, string])[]): Record<string, string | string[]> {
  const joined: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of lines) {
    const before = joined[name.toLowerCase()];
    joined[name.toLowerCase()] = before === undefined ? value : [before, value].flat();
  }
  return joined;
}

export function responseHeaders(raw: Record<string, string | string[] | undefined>): ResponseHeaders {
  const headers: Record<string, string> = {};
  let setCookies: string[] = [];
  for (const [name, value] of Object.entries(raw)) {
    const values = [value ?? []].flat();
    if (name === 'set-cookie') {
      setCookies = values;
      continue;
    }
    // Two redirect targets cannot be joined; the first one counts.
    headers[name] = name === 'location' ? (values[0] ?? '') : values.join(', ');
  }
  return { headers, setCookies };
}

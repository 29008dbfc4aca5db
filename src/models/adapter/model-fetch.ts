// `fetch` for the model packages: every request goes through the one egress, to the origins that the operator has set.
import { unescape as unescaped } from 'node:querystring';
import { ReadableStream } from 'node:stream/web';
import type { Egress } from '../../net/egress.ts';

/** Models may think for long, but not forever. */
const PATIENCE_MS = 10 * 60_000;
const MAX_ANSWER_BYTES = 20 * 1024 * 1024;
/** The body is already decoded. */
const DROPPED_HEADERS = new Set(['content-encoding', 'content-length', 'transfer-encoding']);

/** The stream of Node, whatever other streams the types of a program know. */
type ResponseBody = ConstructorParameters<typeof Response>[0];

/** Redirects are not followed: the key must not go anywhere else. */
export function createModelFetch(egress: Pick<Egress, 'request'>): typeof fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const headers = { ...credentialsOf(url), ...Object.fromEntries(new Headers(init.headers)) };
    url.username = '';
    url.password = '';
    const response = await egress.request(
      {
        url,
        method: init.method === 'POST' ? 'POST' : 'GET',
        headers,
        body: typeof init.body === 'string' ? init.body : undefined,
        route: 'model',
        verifyTls: true,
        patienceMs: PATIENCE_MS,
        maxBytes: MAX_ANSWER_BYTES,
      },
      init.signal ?? new AbortController().signal,
    );
    const kept = Object.entries(response.headers).filter(([name]) => !DROPPED_HEADERS.has(name));
    const body = ReadableStream.from(response.body) as ResponseBody;
    return new Response(body, { status: response.status, headers: kept });
  };
}

/** Servers behind a password, which operators put into the URL. */
function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const plain = `${unescaped(username)}:${unescaped(password)}`;
  return { authorization: `Basic ${Buffer.from(plain).toString('base64')}` };
}

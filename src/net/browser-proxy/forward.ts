// Forwards one request in absolute form, which browsers send to a proxy for plain http.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Dispatcher } from 'undici';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { Exchanges, Outgoing, Received } from '../connections/exchange.ts';
import { pairsOf, type Recorder, type Recording } from '../recorder.ts';
import { isBrokenOff, wireFailure } from '../wire-failure.ts';
import type { Pass } from './passes.ts';

// They apply to one connection only and are never forwarded (RFC 9110, 7.6.1), as are those for the proxy itself.
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
// Set by us: the host must be the one that was checked, and the body is framed anew for the connection to the target.
const REWRITTEN = new Set(['content-length', 'expect', 'host']);

/** Resolves when the response has been passed on or the browser has gone. Throws if the target sent no response. */
export async function forward(
  incoming: IncomingMessage,
  response: ServerResponse,
  url: URL,
  pass: Pass,
  exchanges: Exchanges,
): Promise<void> {
  if (response.destroyed) return;
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    const outgoing = { ...readRequest(incoming, url), isRecorded: pass.recorder !== undefined };
    const received = await send(outgoing, pass, exchanges, gone.signal);
    // Without a listener, an abort while nobody reads the body would crash the process.
    received.body.on('error', (error) => {
      if (response.headersSent && !gone.signal.aborted) pass.fail(url, wireFailure(error));
    });
    await passOn(received, response, pass, pass.recorder && record(pass.recorder, outgoing, received));
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  }
}

/** A kept-alive connection may close just as it is reused; requests without side effects are then sent again. */
async function send(outgoing: Outgoing, pass: Pass, exchanges: Exchanges, signal: AbortSignal) {
  const attempt = () => exchanges.send(outgoing, pass.proxy ?? 'direct', signal);
  const isRepeatable = /^(GET|HEAD)$/.test(outgoing.method) && !outgoing.body;
  return attempt().catch((error) => {
    if (isRepeatable && isBrokenOff(error) && !signal.aborted) return attempt();
    throw error;
  });
}

/** The whole request and the head of its response. */
function record(recorder: Recorder, { url, method, headers }: Outgoing, received: Received): Recording {
  const { statusCode: status, statusText, rawHeaders = [] } = received;
  return recorder.begin(
    { url, method, headers: Object.entries(headers) },
    { status, statusText, headers: pairsOf(rawHeaders) },
  );
}

async function passOn(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  response: ServerResponse,
  pass: Pass,
  recording: Recording | undefined,
) {
  try {
    // The browser would take a 407 for ours and respond with the credentials of its pass.
    if (statusCode === 407) throw new ServiceError('SCRAPE_SITE_ERROR', { message: 'The site answered 407.' });
    response.sendDate = false;
    response.writeHead(statusCode, endToEnd(Object.entries(headers)));
  } catch (error) {
    body.destroy();
    throw error;
  }
  body.on('data', (chunk: Uint8Array) => {
    pass.receive(chunk.length);
    recording?.add(chunk);
  });
  body.once('end', () => recording?.end());
  // If the body breaks off, the pipeline also closes the connection to the browser.
  await pipeline(body, response).catch(() => {});
  recording?.cut();
}

function readRequest(incoming: IncomingMessage, url: URL): Outgoing {
  const lines: [string, string][] = [];
  for (let at = 0; at < incoming.rawHeaders.length; at += 2) {
    lines.push([incoming.rawHeaders[at] ?? '', incoming.rawHeaders[at + 1] ?? '']);
  }
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(endToEnd(lines))) {
    if (!REWRITTEN.has(name.toLowerCase())) headers[name] = [value].flat().join(', ');
  }
  const { 'content-length': length = '0', 'transfer-encoding': chunked } = incoming.headers;
  const hasBody = chunked !== undefined || length !== '0';
  if (hasBody && chunked === undefined) headers['Content-Length'] = length;
  return {
    url,
    method: (incoming.method ?? 'GET') as Dispatcher.HttpMethod,
    headers,
    body: hasBody ? incoming : undefined,
    verifyTls: true,
    resolveMs: undefined,
  };
}

type Value = string | string[] | undefined;

/** The end-to-end headers, in their order and spelling. */
function endToEnd(lines: readonly (readonly [name: string, value: Value])[]): Record<string, string | string[]> {
  const connection = lines.filter(([name]) => name.toLowerCase() === 'connection').flatMap(([, value]) => value ?? []);
  const named = new Set(connection.flatMap((value) => value.split(',')).map((name) => name.trim().toLowerCase()));
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of lines) {
    const key = name.toLowerCase();
    if (value === undefined || HOP_BY_HOP.has(key) || named.has(key)) continue;
    const before = kept[name];
    kept[name] = before === undefined ? value : [before, value].flat();
  }
  return kept;
}

// One request in absolute form, carried to its target: a browser asks so for http, where no tunnel is needed.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Dispatcher } from 'undici';
import { ServiceError } from '../../contracts/errors.ts';
import type { Exchanges, Outgoing } from '../connections/exchange.ts';
import { isBrokenOff, wireFailure } from '../wire-failure.ts';
import type { Pass } from './passes.ts';

// Of one connection, and so never passed on (RFC 9110, 7.6.1); with those that concern the proxy itself.
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
// Ours to say: the host is the one that was checked, and the body's end is marked on the connection that it goes over.
const REWRITTEN = new Set(['content-length', 'expect', 'host']);

/** Resolves when the answer was passed on or the browser wants it no more. Throws what went wrong before there was an answer. */
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
    const answer = await send(readRequest(incoming, url), pass, exchanges, gone.signal);
    // Without a listener, an abort while nobody reads would end the process.
    answer.body.on('error', (error) => {
      if (response.headersSent && !gone.signal.aborted) pass.fail(url, wireFailure(error));
    });
    await passOn(answer, response, pass);
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  }
}

/** A kept connection may end just as it is used again; what changes nothing over there can be asked twice. */
async function send(outgoing: Outgoing, pass: Pass, exchanges: Exchanges, signal: AbortSignal) {
  const ask = () => exchanges.send(outgoing, pass.proxy ?? 'direct', signal);
  const isHarmless = /^(GET|HEAD)$/.test(outgoing.method) && !outgoing.body;
  return ask().catch((error) => {
    if (isHarmless && isBrokenOff(error) && !signal.aborted) return ask();
    throw error;
  });
}

async function passOn({ statusCode, headers, body }: Dispatcher.ResponseData, response: ServerResponse, pass: Pass) {
  try {
    // The browser would take it for our own and send the credentials of its pass.
    if (statusCode === 407) throw new ServiceError('SCRAPE_SITE_ERROR', { message: 'The site answered 407.' });
    response.sendDate = false;
    response.writeHead(statusCode, endToEnd(Object.entries(headers)));
  } catch (error) {
    body.destroy();
    throw error;
  }
  body.on('data', (chunk: Uint8Array) => pass.receive(chunk.length));
  // When it breaks off, so does the connection to the browser.
  await pipeline(body, response).catch(() => {});
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

/** The headers that are for the other end, in their order and spelling. */
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

// fault.test: answers that are slow, stuck, flaky, cut off or far too long. echo.test returns the request.
import { once } from 'node:events';
import { setInterval, setTimeout } from 'node:timers/promises';
import { type Exchange, type Handler, HTML, page, reply, reset, type Site, send, sendRaw } from './reply.ts';

const number = ({ query }: Exchange, name: string, otherwise: number) => Number(query.get(name) ?? otherwise);

/** Sends nothing until the client leaves. */
const stall: Handler = async ({ signal }) => {
  if (!signal.aborted) await once(signal, 'abort');
};

const slowHeaders: Handler = async (exchange) => {
  await setTimeout(number(exchange, 'ms', 1000), undefined, { signal: exchange.signal });
  send(exchange, page('Slow headers'));
};

/** Sends a part every `ms`, `parts` times or for ever. */
const trickle: Handler = async (exchange) => {
  const { response, signal } = exchange;
  let left = number(exchange, 'parts', Number.POSITIVE_INFINITY);
  response.writeHead(200, { 'content-type': HTML });
  response.write('<title>Trickle</title>');
  for await (const _ of setInterval(number(exchange, 'ms', 100), undefined, { signal })) {
    response.write('<p>drop</p>');
    left -= 1;
    if (left <= 0) break;
  }
  response.end();
};

const stalledBody: Handler = async (exchange) => {
  exchange.response.writeHead(200, { 'content-type': HTML });
  exchange.response.write('<title>Stalled</title><p>The rest never comes.');
  await stall(exchange);
};

/** `/flaky/STATUS/TIMES` fails that often, then works. Each query counts on its own. */
const flaky: Handler = (exchange) => {
  const [status, times] = exchange.path.split('?')[0]!.split('/').slice(-2).map(Number) as [number, number];
  if (exchange.visit > times) send(exchange, page('Works at last', `<p>Visit ${exchange.visit}.</p>`));
  else if (status === 0) reset(exchange);
  else send(exchange, page('Not yet'), { status });
};

/** `/retry-after/STATUS?value=...&times=1`: asks the client to retry later (`date`: an HTTP date one to two seconds ahead). */
const retryAfter: Handler = (exchange) => {
  if (exchange.visit > number(exchange, 'times', 1)) return send(exchange, page('Welcome back'));
  const value = exchange.query.get('value') ?? '1';
  const later = value === 'date' ? new Date(Date.now() + 2000).toUTCString() : value;
  return send(exchange, page('Too many'), { status: Number(exchange.tail), headers: { 'retry-after': later } });
};

const huge: Handler = async (exchange) => {
  const { response, signal } = exchange;
  const line = Buffer.from(`<p>${'All work and no play. '.repeat(2978)}</p>\n`);
  response.writeHead(200, { 'content-type': HTML });
  for (let left = number(exchange, 'mb', 100) * 1024 * 1024; left > 0 && !signal.aborted; left -= line.length) {
    if (!response.write(line)) await once(response, 'drain', { signal });
  }
  response.end();
};

const cutOff =
  (headers: Record<string, string>): Handler =>
  async (exchange) => {
    exchange.response.writeHead(200, { 'content-type': HTML, ...headers });
    exchange.response.write('<title>Cut off</title><p>The first half.');
    await setTimeout(20);
    reset(exchange);
  };

const raw =
  (text: string): Handler =>
  (exchange) =>
    sendRaw(exchange, text);

const faultSite: Site = {
  '/slow-headers': slowHeaders,
  '/stalled-headers': stall,
  '/trickle': trickle,
  '/stalled-body': stalledBody,
  '/flaky/*': flaky,
  '/retry-after/*': retryAfter,
  '/reset': reset,
  '/cut/length': cutOff({ 'content-length': '5000' }),
  '/cut/chunked': cutOff({}),
  '/empty': reply(''),
  '/no-content': reply('', { status: 204, type: '' }),
  '/huge': huge,
  '/huge-declared': async (exchange) => {
    exchange.response.writeHead(200, { 'content-type': HTML, 'content-length': String(200 * 1024 * 1024) });
    exchange.response.write('<title>Huge</title>');
    await stall(exchange);
  },
  '/garbage': raw('220 mail.fault.test ESMTP ready\r\n'),
  '/half-headers': raw('HTTP/1.1 200 OK\r\nContent-Ty'),
  '/wrong-length': raw('HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 40\r\n\r\n<p>Two lengths.</p>'),
  '/until-close': raw(
    'HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<title>Old</title><p>Ends with the connection.</p>',
  ),
  '/huge-header': raw(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(1024 * 1024)}\r\nContent-Length: 2\r\n\r\nok`),
  '/many-headers': raw(`HTTP/1.1 200 OK\r\n${'X-Many: yes\r\n'.repeat(5000)}Content-Length: 2\r\n\r\nok`),
  '/early-hints': ({ response }) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload' });
    response.writeHead(200, { 'content-type': HTML }).end(page('After the hints'));
  },
};

const echo: Handler = async (exchange) => {
  const { method, path, host, headers, protocol } = exchange;
  const body = (await exchange.body()).toString();
  send(exchange, JSON.stringify({ method, host, path, protocol, headers, body }), { type: 'application/json' });
};
/** For pages of other origins. */
const mirror: Handler = async (exchange) => {
  exchange.response.setHeader('access-control-allow-origin', '*');
  await echo(exchange);
};

export const faults: Record<string, Site> = {
  'fault.test': faultSite,
  'echo.test': { '/*': echo },
  'mirror.test': { '/*': mirror },
};

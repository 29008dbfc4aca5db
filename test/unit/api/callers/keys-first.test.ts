// Whatever a caller without a valid key sends, to whichever route: the answer comes before the body, and the connection ends.
import assert from 'node:assert/strict';
import { connect as dial, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { RouteOptions } from 'fastify';
import { WebSocket } from 'ws';
import { ServiceError } from '../../../../src/contracts/errors/errors.ts';
import { PLANNED_ROUTES } from '../../../../src/contracts/planned-routes.ts';
import { ROUTES, type Route } from '../../../../src/contracts/routes.ts';
import type { Sessions } from '../../../../src/sessions/session.ts';
import { JOB, KEY, startEdge } from '../edge.ts';

/** Node reads ahead by this much before anybody asks for the body. */
const MAX_TAKEN = 512 * 1024;
const sessions = { findByToken: () => undefined } as unknown as Sessions;

/** The server, and what it has read from its last connection. */
async function start(t: TestContext, onRoute?: (route: RouteOptions) => void) {
  // As the operation answers a link that it does not know.
  const upload = async () => {
    throw new ServiceError('NOT_FOUND');
  };
  const { port, server } = await startEdge(t, { sessions, onRoute, upload });
  let last: Socket | undefined;
  server.server.on('connection', (socket) => {
    last = socket;
  });
  return { port, taken: () => last!.bytesRead };
}

/** Sends pieces without end, until the server closes the connection. */
async function sendEndlessly(t: TestContext, port: number, head: string, piece: Buffer) {
  const socket = dial(port, '127.0.0.1');
  t.after(() => socket.destroy());
  let answer = '';
  socket.on('data', (data) => {
    answer += data.toString('latin1');
  });
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.write(head);
  // Awaited first: the reset of the connection could overtake the answer.
  await Promise.race([closed, new Promise((resolve) => socket.once('data', resolve))]);
  const pump = () => {
    while (socket.writable && socket.write(piece));
  };
  socket.on('drain', pump);
  pump();
  await closed;
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]), answer };
}

const plain = Buffer.alloc(64 * 1024, 'x');
const chunk = Buffer.from(`${plain.length.toString(16)}\r\n${plain}\r\n`);
const request = Buffer.from(
  `POST /v2/scrape HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer fc-w\r\nContent-Length: 2\r\n\r\n{}`,
);
const LONG = 'Content-Length: 900000000';
const CHUNKED = 'Transfer-Encoding: chunked';

/** How a body can be announced and sent. */
const BODIES: [name: string, headers: string[], piece: Buffer][] = [
  ['JSON', ['Content-Type: application/json', LONG], plain],
  ['JSON in chunks', ['Content-Type: application/json', CHUNKED], chunk],
  ['a form', ['Content-Type: multipart/form-data; boundary=x', LONG], plain],
  ['a form in chunks', ['Content-Type: multipart/form-data; boundary=x', CHUNKED], chunk],
  ['another type', ['Content-Type: text/x-other', LONG], plain],
  ['no type, in chunks', [CHUNKED], chunk],
  ['100-continue', ['Content-Type: application/json', LONG, 'Expect: 100-continue'], plain],
  ['an unknown expectation', [LONG, 'Expect: the-unexpected'], plain],
];

const addressOf = (path: string) => path.replaceAll(/:\w+/g, JOB).replace('*', 'some/path');

test('every route answers a wrong key before the body, and takes in nothing of it', async (t) => {
  const routes = new Set<string>();
  const { port, taken } = await start(t, ({ method, url }) => {
    for (const name of [method].flat()) routes.add(`${name} ${addressOf(url)}`);
  });
  const keyed = new Set([
    ...Object.values<Route>(ROUTES).flatMap(({ open, method, path }) => (open ? [] : [`${method} ${addressOf(path)}`])),
    ...PLANNED_ROUTES.map(({ route }) => addressOf(route)),
  ]);
  for (const name of keyed) assert.ok(routes.has(name), `${name} is not served`);
  const unknown = ['/', '/v2/nothing', '/v1/scrape', '/v2/%', '/v2/scrape/%ff%fe', `/v2/crawl/${'x'.repeat(2_000)}`];
  for (const path of unknown) for (const method of ['POST', 'GET', 'OPTIONS']) routes.add(`${method} ${path}`);

  const check = async (name: string, [body, headers, piece]: (typeof BODIES)[number]) => {
    const head = [`${name} HTTP/1.1`, `Host: 127.0.0.1:${port}`, 'Authorization: Bearer fc-wrong', ...headers];
    const { status, answer } = await sendEndlessly(t, port, `${head.join('\r\n')}\r\n\r\n`, piece);
    const what = `${name} with ${body}: ${status}, ${taken()} bytes`;
    if (keyed.has(name)) assert.ok(status === 401 || status === 429, what);
    assert.ok(status >= 200 && status < 600, what);
    assert.doesNotMatch(answer, / 100 Continue/, what);
    assert.ok(taken() < MAX_TAKEN, what);
  };
  // Each route meets one kind of body, and one route of each kind meets them all.
  for (const [at, name] of [...routes].entries()) await check(name, BODIES[at % BODIES.length]!);
  const kinds = ['POST /v2/scrape', 'POST /v2/parse', `PUT /v2/parse/upload/${JOB}`, 'POST /v2/nothing', 'POST /v2/%'];
  kinds.push('POST /v2/monitor/email/confirm', 'PUT /v2/scrape', 'POST /v2/monitor', 'GET /v0/health/liveness');
  kinds.push('POST /searxng/search', 'POST /v1/crawl', 'PUT /openwebui/process', 'POST /searxng/key/fc-no/search');
  for (const name of kinds) for (const body of BODIES) await check(name, body);
});

test('requests without end on one connection, and input that is not HTTP, end it as well', async (t) => {
  const { port, taken } = await start(t);
  for (const piece of [request, plain, Buffer.concat([request, plain])]) {
    const { answer } = await sendEndlessly(t, port, piece.toString('latin1'), piece);
    assert.match(answer, /^HTTP\/1\.1 40[01] /);
    assert.ok(taken() < MAX_TAKEN, String(taken()));
  }
});

test('sockets of clients that were not admitted end when these go on sending', async (t) => {
  const { port, taken } = await start(t);
  for (const path of [`/v2/crawl/${JOB}`, `/v2/batch/scrape/${JOB}`, '/cdp/unknown-token', '/live/unknown-token']) {
    for (const message of ['x'.repeat(1_000), 'x'.repeat(1_000_000)]) {
      const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, path.startsWith('/v2/') ? ['fc-wrong'] : []);
      const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      socket.on('error', () => {});
      socket.once('open', () => {
        const { _socket: raw } = socket as unknown as { _socket: Socket };
        const pump = () => {
          while (raw.writable && raw.writableLength < 1_000_000) socket.send(message);
        };
        // It does not take part in the closing handshake.
        socket.close = () => {};
        raw.on('drain', pump);
        pump();
      });
      await ended;
      assert.ok(taken() < MAX_TAKEN, `${path}: ${taken()} bytes`);
    }
  }
});

test('an admitted client that waits for it is invited to send its body', async (t) => {
  const { port } = await start(t);
  const body = '{"url":"https://a.test"}';
  const socket = dial(port, '127.0.0.1');
  t.after(() => socket.destroy());
  const next = () => new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
  socket.write(
    `POST /v2/crawl HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
  );
  assert.match(await next(), /^HTTP\/1\.1 100 Continue/);
  socket.write(body);
  assert.match(await next(), /^HTTP\/1\.1 200 /);
});

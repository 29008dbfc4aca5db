// Other processes, and clients behind them, that send nonsense or do not read: this process goes on, within its memory.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import type { TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { WebSocket, WebSocketServer } from 'ws';
import { createAwaySockets } from '../../../src/api/peers/away-sockets.ts';
import { relaySocket } from '../../../src/api/peers/relay-socket.ts';
import { ServiceError } from '../../../src/contracts/errors/errors.ts';
import type { FetchRequest } from '../../../src/fetch/engine.ts';
import { CallerHeaders } from '../../../src/net/http/caller-headers.ts';
import type { PeerClient } from '../../../src/net/peer-client.ts';
import type { CallSignatures } from '../../../src/peers/call-signature.ts';
import { toWireRequest } from '../../../src/peers/pages/page-messages.ts';
import { fetchRemotely } from '../../../src/peers/pages/remote-browser.ts';
import { servePage } from '../../../src/peers/pages/serve-page.ts';
import { createPeerCalls } from '../../../src/peers/peer-calls.ts';
import { createLog } from '../../../src/runtime/log.ts';
import type { ProcessRow } from '../../../src/store/ports/process-registry.ts';
import { fullTest, test } from '../../support/full-run.ts';

const REQUEST: FetchRequest = {
  url: new URL('https://example.com/'),
  asker: { team: 'a' },
  headers: CallerHeaders.none(),
  ...{ mobile: false, location: { country: 'US', languages: [] }, verifyTls: true, waitFor: 0, blockAds: false },
  ...{ actions: [], proxyClass: 'basic', deadline: 0 },
  admit: () => undefined,
};
const PEER = { id: 'b', name: 'b', url: '' } as ProcessRow;
const { signal: never } = new AbortController();

/** A server of sockets on loopback. `onSocket` gets each one that is opened. */
async function listen(t: TestContext, onSocket: (socket: WebSocket) => void) {
  const server = createServer();
  const sockets = new WebSocketServer({ server, autoPong: false });
  sockets.on('connection', onSocket);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `ws://127.0.0.1:${port}` };
}

for (const answer of ['not JSON', 'null', '{"type":"loaded","page":"not JSON","frames":0}', '{"type":"failed"}']) {
  test(`a browser process that answers ${answer} is lost, which ends nothing else`, async (t) => {
    const { url } = await listen(t, (socket) => socket.on('message', () => socket.send(answer)));
    const deps = { choose: (except?: string) => (except ? undefined : PEER), open: () => new WebSocket(url) };
    const page = fetchRemotely({ ...deps, log: createLog('silent') }, 'basic', REQUEST, never);
    await assert.rejects(page, ServiceError);
  });
}

test('a browser process that sends frames without end is lost after as many bytes as a page may have', async (t) => {
  let taken = 0;
  const { url } = await listen(t, (socket) => {
    const next = () => socket.readyState === socket.OPEN && socket.send(Buffer.alloc(1_000), next);
    socket.on('message', next);
  });
  const open = () => new WebSocket(url).on('message', () => (taken += 1));
  const deps = { choose: (except?: string) => (except ? undefined : PEER), open, maxBytes: 10_000 };
  const page = fetchRemotely({ ...deps, log: createLog('silent') }, 'basic', REQUEST, AbortSignal.timeout(20_000));
  await assert.rejects(page, { code: 'SCRAPE_ALL_ENGINES_FAILED' });
  // What was on its way already is heard, and dropped.
  assert.ok(taken < 1_000, `${taken} frames were taken`);
});

test('a process that answers a call without end is lost after as many bytes as an answer may have', async () => {
  const chunk = new Uint8Array(16 * 1024 * 1024);
  let read = 0;
  const endless = new Readable({
    read() {
      read += 1;
      this.push(read > 100 ? null : chunk);
    },
  });
  const client = { request: async () => ({ status: 200, headers: {}, body: endless }) } as unknown as PeerClient;
  const calls = createPeerCalls(client, { sign: () => '' } as unknown as CallSignatures);
  const onLost = () => new ServiceError('PROCESS_NOT_FOUND');
  await assert.rejects(calls.call(PEER, 'getBrowser', {}, { signal: never, onLost }), { code: 'PROCESS_NOT_FOUND' });
  assert.ok(endless.destroyed && read < 20, `${read} parts were read`);
});

test('a request or a judgement that cannot be read does not end the browser process', async (t) => {
  const served: Promise<void>[] = [];
  const judged = Promise.withResolvers<void>();
  const engine = {
    name: 'browser' as never,
    async fetch(request: FetchRequest, signal: AbortSignal) {
      await request.threatCheck!.check(request.url, signal);
      judged.resolve();
      throw new ServiceError('NOT_FOUND');
    },
  };
  const readError = (error: unknown) => (error instanceof ServiceError ? error : new ServiceError('UNKNOWN_ERROR'));
  const { url } = await listen(t, (socket) =>
    socket.once('message', (first) => {
      served.push(servePage(engine, socket, String(first), { stopping: never, readError }));
    }),
  );
  const broken = new WebSocket(url);
  await once(broken, 'open');
  broken.send('not JSON');
  const [answer] = await once(broken, 'message');
  assert.equal(JSON.parse(String(answer)).type, 'failed');

  const judging = new WebSocket(url);
  await once(judging, 'open');
  judging.on('message', (data) => {
    const { type, id } = JSON.parse(String(data)) as { type: string; id?: number };
    if (type !== 'judge') return;
    for (const text of ['not JSON', 'null', '{"type":"judged"}']) judging.send(text);
    judging.send(JSON.stringify({ type: 'judged', id }));
  });
  judging.send(JSON.stringify({ ...toWireRequest(REQUEST), isJudged: true }));
  await judged.promise;
  await Promise.all(served);
});

test('the process that knows the rules is asked about URLs and about hosts, as the browser asks', async (t) => {
  const asked: string[] = [];
  const rule = (name: string) => async (url: URL) => {
    asked.push(`${name} ${url}`);
    if (name === 'host') throw new ServiceError('KEY_RESTRICTED');
  };
  const engine = {
    name: 'browser' as never,
    async fetch({ threatCheck, url }: FetchRequest, signal: AbortSignal): Promise<never> {
      await threatCheck!.check(url, signal);
      await threatCheck!.checkHost(url, signal);
      throw new ServiceError('NOT_FOUND');
    },
  };
  const readError = (error: unknown) => error as ServiceError;
  const { url } = await listen(t, (socket) =>
    socket.once('message', (first) => servePage(engine, socket, String(first), { stopping: never, readError })),
  );
  const deps = { choose: () => PEER, open: () => new WebSocket(url), log: createLog('silent') };
  const judged = { ...REQUEST, threatCheck: { check: rule('url'), checkHost: rule('host') } };
  await assert.rejects(fetchRemotely(deps, 'basic', judged, never), { code: 'KEY_RESTRICTED' });
  assert.deepEqual(asked, ['url https://example.com/', 'host https://example.com/']);
});

test('what a client adds to the path of its session is not passed on', async (t) => {
  const asked: string[] = [];
  const { url } = await listen(t, () => {});
  const process = PEER;
  const sockets = createAwaySockets({
    away: {
      findByToken: async () => ({ process, kind: 'cdp' }),
      openSocket(_away, path) {
        asked.push(path);
        return new WebSocket(`${url}${path}`);
      },
    },
    isForwarded: () => false,
    readForwarded: () => ({ address: '' }),
  });
  const { url: clients } = await listen(t, async (socket) => {
    const request = { raw: { url: '/cdp/token?x="y"#z' } } as FastifyRequest;
    await sockets.find(request, ['cdp'], 'token');
    assert.ok(sockets.relay(socket, request, never));
    socket.close();
  });
  await once(new WebSocket(clients), 'close');
  assert.deepEqual(asked, ['/cdp/token']);
});

fullTest('a client that sends pings and never reads does not fill the memory of the process between', async (t) => {
  const most = 6 * 1024 * 1024;
  const upstreamServer = await listen(t, (socket) => socket.on('ping', (data) => socket.pong(data)));
  const relayed = Promise.withResolvers<{ client: WebSocket; upstream: WebSocket }>();
  const stopping = new AbortController();
  const { port } = await listen(t, (client) => {
    const upstream = new WebSocket(upstreamServer.url, { autoPong: false });
    relaySocket(client, upstream, stopping.signal);
    relayed.resolve({ client, upstream });
  });
  const raw = connect(port, '127.0.0.1').on('error', () => {});
  t.after(() => raw.destroy());
  raw.write(
    'GET / HTTP/1.1\r\nhost: a\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\n' +
      'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  );
  const { client, upstream } = await relayed.promise;
  // Masked with zeros, 125 bytes each. Nothing is ever read from this socket.
  const ping = Buffer.concat([Buffer.from([0x89, 0x80 | 125, 0, 0, 0, 0]), Buffer.alloc(125)]);
  const pings = Buffer.concat(Array.from({ length: 1_000 }, () => ping));
  while (!upstream.isPaused && client.bufferedAmount < most) {
    if (!raw.writableNeedDrain) raw.write(pings);
    await turn();
  }
  assert.ok(client.bufferedAmount < most, `${client.bufferedAmount} bytes wait for the client`);
});

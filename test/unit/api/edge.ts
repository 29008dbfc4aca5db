// Starts the HTTP edge on a free port with operations that return what they were called with.
import { rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { RouteOptions } from 'fastify';
import { type ClientOptions, WebSocket } from 'ws';
import { createAuthenticate } from '../../../src/api/callers/auth.ts';
import { createServer, type ServerDeps } from '../../../src/api/server.ts';
import type { Watch } from '../../../src/api/watch/watchers.ts';
import { DIALECT_NAMES } from '../../../src/contracts/dialects/dialect-names.ts';
import { METRICS } from '../../../src/contracts/operator/metrics.ts';
import { ROUTES } from '../../../src/contracts/routes.ts';
import type { Call, OpenOperations, Operations } from '../../../src/operations/call.ts';
import { createSessionCookie } from '../../../src/operations/console/session-cookie.ts';
import { hashKey } from '../../../src/operations/team/keys.ts';
import { createLog } from '../../../src/runtime/log.ts';
import { createMetrics } from '../../../src/runtime/metrics.ts';
import type { Sessions } from '../../../src/sessions/session.ts';
import { createIncoming } from '../../../src/store/data-folder/incoming-files.ts';
import { parseNetworks } from '../../../src/urls/networks.ts';
import type { Clock } from '../../../src/util/clock.ts';
import { randomToken } from '../../../src/util/ids.ts';

export const KEY = 'fc-operator';
export const OTHER_KEY = 'fc-other-team';
export const JOB = '01900000-0000-7000-8000-000000000001';

interface EdgeOptions {
  auth?: 'required' | 'off';
  publicUrl?: string;
  watch?: Watch;
  sessions?: Sessions;
  admit?: ServerDeps['policy']['admit'];
  keyWatch?: ServerDeps['keyWatch'];
  /** What every operation answers; by default its name and call. */
  answer?(operation: string, call: Call): unknown;
  clock?: Clock;
  trustedProxies?: string;
  host?: string;
  bodyTimes?: ServerDeps['bodyTimes'];
  /** Handles a file that is sent as a request body. */
  upload?: OpenOperations['upload'];
  /** Called for each route as it is added. */
  onRoute?(route: RouteOptions): void;
}

export async function startEdge(t: TestContext, options: EdgeOptions = {}) {
  const {
    auth = 'required',
    publicUrl,
    watch = () => ended(),
    clock = createManualClock(),
    host = '127.0.0.1',
  } = options;
  const answer = options.answer ?? ((operation: string, { caller, ...call }: Call) => ({ operation, ...call }));
  const stopping = new AbortController();
  // Created with the first uploaded file.
  const incoming = join(tmpdir(), `trawl-edge-${randomToken(8)}`);
  const logged: object[] = [];
  const operations = Object.fromEntries(
    Object.keys(ROUTES)
      .filter((id) => !('open' in ROUTES[id as keyof typeof ROUTES]))
      .map((id) => [id, async (call: Call) => answer(id, call)]),
  ) as Operations;
  const openIds = Object.keys(ROUTES).filter((id) => 'open' in ROUTES[id as keyof typeof ROUTES]);
  const server = createServer({
    auth,
    publicUrl,
    trustedProxies: parseNetworks(options.trustedProxies ?? ''),
    dialects: DIALECT_NAMES,
    pathKeys: true,
    maxRequestBytes: 100_000,
    maxUploadBytes: 1_000_000,
    hold: createIncoming(incoming).hold,
    bodyTimes: options.bodyTimes,
    authenticate: createAuthenticate({
      mode: auth,
      apiKey: KEY,
      operatorTeam: async () => ({ id: 'own', name: 'default' }),
      teams: { findByKey, listKeyHashes: async () => [hashKey(OTHER_KEY)] },
      clock,
    }),
    keyWatch: options.keyWatch ?? { follow: () => {} },
    sessionWatch: { follow: () => {} },
    console: {
      sessions: { find: async () => undefined, listHashes: async () => [] },
      cookie: createSessionCookie('edge'),
    },
    policy: {
      keylessUse: () => undefined,
      admit: options.admit ?? (async () => undefined),
      check: async (_call, _caller, body) => body,
    },
    teams: { find: async (id) => ({ id, name: id }) },
    operations,
    openOperations: {
      ...(Object.fromEntries(openIds.map((id) => [id, fine])) as unknown as OpenOperations),
      upload: options.upload ?? fine,
      metrics: () => ({ status: 200, body: 'fine\n' }),
    },
    watch,
    sessions: options.sessions,
    stopping: stopping.signal,
    inRequest: (_facts, work) => work(),
    metrics: createMetrics(METRICS),
    clock,
    log: { ...createLog('silent'), error: (entry: object) => logged.push(entry) } as unknown as ServerDeps['log'],
  });
  server.addHook('onRoute', (route) => options.onRoute?.(route));
  t.after(async () => {
    await server.close();
    await rm(incoming, { recursive: true, force: true });
  });
  await server.listen({ host, port: 0 });
  const { port } = server.addresses()[0] as AddressInfo;
  return { server, stopping, logged, port, incoming, url: `http://127.0.0.1:${port}` };
}

const findByKey = async (hash: string) =>
  hash === hashKey(OTHER_KEY)
    ? { team: { id: 'other', name: 'other' }, key: 'fc-other', keyId: 'id', limits: {}, expiresAt: null }
    : undefined;

const fine = () => ({ status: 200, body: { status: 'ok' } });

async function* ended() {}

/** A clock that only advances by hand. */
export function createManualClock() {
  let sleepers: (() => void)[] = [];
  return {
    now: () => 1_700_000_000_000,
    sleep: (_ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        sleepers.push(resolve);
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      }),
    /** Ends all current sleeps; waits for one if there is none yet. */
    async pass() {
      while (sleepers.length === 0) await turn();
      const woken = sleepers;
      sleepers = [];
      for (const wake of woken) wake();
    },
  };
}

/** A WebSocket client that records its messages. */
export function connect(url: string, protocols: string[] = [], options: ClientOptions = {}) {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), protocols, options);
  const messages: string[] = [];
  socket.on('message', (data, isBinary) => messages.push(isBinary ? 'binary' : String(data)));
  // The tests look at the close code or the refusal instead.
  socket.on('error', () => {});
  return {
    socket,
    messages,
    opened: new Promise<void>((resolve) => socket.once('open', resolve)),
    closed: new Promise<{ code: number; reason: string }>((resolve) =>
      socket.once('close', (code, reason) => resolve({ code, reason: String(reason) })),
    ),
    /** The status of a refused upgrade. */
    refused: new Promise<number>((resolve) =>
      socket.once('unexpected-response', (request, { statusCode }) => {
        request.destroy();
        resolve(statusCode!);
      }),
    ),
  };
}

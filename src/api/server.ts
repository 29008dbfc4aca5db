// The HTTP server: limits, rules for web origins, errors, then the routes.
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { createCalls, type InRequest } from '../calls/calls.ts';
import type { DialectName } from '../contracts/dialects/dialect-names.ts';
import { ServiceError } from '../contracts/errors/errors.ts';
import type { ServiceMetrics } from '../contracts/operator/metrics.ts';
import { ABSENT_PATHS } from '../contracts/planned-routes.ts';
import type { OpenOperations, Operations } from '../operations/call.ts';
import type { Authenticate } from '../operations/caller.ts';
import type { ConsoleSessions } from '../operations/console/console-sessions.ts';
import type { SessionCookie } from '../operations/console/session-cookie.ts';
import type { Keyless } from '../operations/onboarding/keyless.ts';
import type { KeyWatch } from '../operations/team/key-watch.ts';
import type { AwaySessions } from '../peers/away-sessions.ts';
import type { PolicyStage } from '../policy/policy-stage.ts';
import type { Log } from '../runtime/log.ts';
import type { Sessions } from '../sessions/session.ts';
import type { UploadStore } from '../store/ports/files/upload-store.ts';
import type { TeamStore } from '../store/ports/teams/team-store.ts';
import type { NetworkList } from '../urls/networks.ts';
import { fail as broken } from '../util/assert.ts';
import type { Clock } from '../util/clock.ts';
import { uuidv7 } from '../util/ids.ts';
import { bindRoutes } from './bind-routes.ts';
import { inviteNobody } from './bodies/invite-body.ts';
import { readJsonBodies } from './bodies/json-body.ts';
import { dropUnreadBodies } from './bodies/unread-body.ts';
import { STALL_MS, UPLOAD_MS } from './bodies/upload-body.ts';
import { createAdmission, parseOnlyAdmittedBodies } from './callers/admission.ts';
import { createBaseUrlOf } from './callers/base-url.ts';
import { createForwardedReader, type ReadForwarded } from './callers/forwarded.ts';
import { createPageSessions } from './callers/page-sessions.ts';
import { allowCrossOrigin, refuseOtherOrigins } from './callers/web-origins.ts';
import { serveConsole } from './console.ts';
import { createDialectAddresses } from './dialects/dialect-address.ts';
import { openDialects } from './dialects/dialects.ts';
import { answerBrokenHttp, createErrorReader, createFailureHandler } from './errors.ts';
import { openMcp } from './mcp/mcp.ts';
import { measureRequests } from './measure-requests.ts';
import { createAwaySockets } from './peers/away-sockets.ts';
import { isPageRequest, openPageSockets } from './peers/page-sockets.ts';
import { openPeerRoutes, type PeerDoor } from './peers/peer-routes.ts';
import { givenRequestId } from './request-facts.ts';
import { isCdpClient, openCdpBridge } from './sessions/cdp-bridge.ts';
import { isLiveViewer, openLiveViews } from './sessions/live-view.ts';
import { createSessionSockets } from './sessions/session-sockets.ts';
import { isWatcher, openWatchers, type Watch } from './watch/watchers.ts';

export interface ServerDeps {
  auth: 'required' | 'off';
  publicUrl?: string;
  /** Proxies whose forwarding headers count. */
  trustedProxies: NetworkList;
  /** The wires of other programs that are served. */
  dialects?: readonly DialectName[];
  /** Whether their paths may hold the key. */
  pathKeys?: boolean;
  maxRequestBytes: number;
  maxUploadBytes: number;
  /** Stores files sent with a request. */
  hold: UploadStore['hold'];
  /** Milliseconds that a JSON body may take, and that an upload may stall. */
  bodyTimes?: { json: number; stall: number };
  authenticate: Authenticate;
  /** Absent if nothing is served without a key. */
  keyless?: Keyless;
  policy: PolicyStage;
  keyWatch: Pick<KeyWatch, 'follow'>;
  sessionWatch: Pick<KeyWatch, 'follow'>;
  console: { sessions: Pick<ConsoleSessions, 'find' | 'listHashes'>; cookie: Pick<SessionCookie, 'read'> };
  teams: Pick<TeamStore, 'find'>;
  operations: Operations;
  openOperations: OpenOperations;
  watch: Watch;
  /** Absent if no other process shares the store. */
  peers?: { door: PeerDoor; away: AwaySessions };
  /** False: requests of clients are left to other processes. Health, metrics and calls of those are answered. */
  answersClients?: boolean;
  /** Absent if there are no browser sessions. */
  sessions?: Sessions;
  /** Aborts when running work must end because the service stops. */
  stopping: AbortSignal;
  inRequest: InRequest;
  metrics: Pick<ServiceMetrics, 'count' | 'observe'>;
  clock: Clock;
  log: Log;
}

const HEADERS_TIMEOUT_MS = 20_000;
/** For the answers of work that was ended because the service stops. */
const LAST_ANSWERS_MS = 1_000;
const BODY_TIMES = { json: 60_000, stall: STALL_MS };
// A profile name with every character percent-encoded.
const LONGEST_PARAMETER = 3 * 128;

// Requests are validated by zod. Without these, the framework loads its own validator and serializer, 120 modules.
const noCompiler = () => broken('Routes have no schemas of the framework.');
const NO_SCHEMAS = { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } };

export function createServer(deps: ServerDeps): FastifyInstance {
  const readError = createErrorReader(deps.log, deps.clock);
  const senderOf = (request: Pick<FastifyRequest, 'raw'>) => deps.peers?.door.senderOf(request);
  const readForwarded = forwardedByPeers(createForwardedReader(deps.trustedProxies), senderOf);
  const baseUrlOf = createBaseUrlOf(deps.publicUrl, readForwarded);
  const pages = createPageSessions({ ...deps.console, baseUrlOf, readForwarded, clock: deps.clock });
  const admission = createAdmission({ ...deps, readForwarded, ...(deps.auth === 'required' && { pages }) });
  const fail = createFailureHandler(readError, admission.isAdmitted, baseUrlOf, deps.metrics);
  const calls = createCalls(deps);
  const { dialects = [], pathKeys = false } = deps;
  const addresses = createDialectAddresses({ names: dialects, pathKeys });
  const { json, stall } = deps.bodyTimes ?? BODY_TIMES;
  const app = Fastify({
    bodyLimit: deps.maxRequestBytes,
    genReqId: ({ headers }) => givenRequestId(headers) ?? uuidv7(deps.clock.now()),
    rewriteUrl: addresses.rewrite,
    routerOptions: { maxParamLength: LONGEST_PARAMETER },
    // The limit of uploads. JSON bodies and stalled uploads have shorter ones of their own.
    requestTimeout: UPLOAD_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      shouldUpgradeCallback: (request) =>
        isWatcher(request) || isCdpClient(request) || isLiveViewer(request) || isPageRequest(request),
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    schemaController: NO_SCHEMAS,
    frameworkErrors: fail,
    clientErrorHandler: answerBrokenHttp,
  });
  inviteNobody(app);
  app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id));
  app.setErrorHandler(fail);
  const watched = openWatchers(app, {
    ...deps,
    calls,
    identify: admission.identify,
    readForwarded,
    baseUrlOf,
    readError,
  });
  // Watchers are registered first: their hooks also clean up after upgrades that the hooks below refuse.
  app.after(() => {
    refuseSeveralHosts(app);
    if (deps.auth === 'required') allowCrossOrigin(app);
    else refuseOtherOrigins(app, deps.publicUrl);
    readJsonBodies(app, json);
    parseOnlyAdmittedBodies(app, admission);
    dropUnreadBodies(app, admission.isAdmitted);
    refuseWhenClosing(app);
    cutOffAtTheEnd(app, deps.stopping);
    measureRequests(app, deps.metrics);
    if (deps.answersClients === false) refuseClients(app, senderOf);
    refuseUnknownPaths(app);
    app.addHook('onResponse', async (request, reply) => {
      const ms = Math.round(reply.elapsedTime);
      deps.log.debug(
        { request: request.id, method: request.method, route: request.routeOptions.url, status: reply.statusCode, ms },
        'answered',
      );
    });
    const forms = { ...deps, stallMs: stall };
    bindRoutes(app, { ...deps, calls, baseUrlOf, readForwarded, admission, watched, forms });
    openDialects(app, { ...deps, dialects, addresses, calls, baseUrlOf, admission, watched, forms, patienceMs: json });
    serveConsole(app);
    openMcp(app, { ...deps, calls, baseUrlOf, admission, readError });
    if (deps.sessions) {
      const sockets = createSessionSockets({ ...deps, readForwarded, readError });
      const isForwarded = (request: FastifyRequest) => senderOf(request) !== undefined;
      const away = createAwaySockets({ away: deps.peers?.away, isForwarded, readForwarded });
      openCdpBridge(app, { ...deps, baseUrlOf, sessions: deps.sessions, sockets, away, readError });
      openLiveViews(app, { ...deps, sessions: deps.sessions, sockets, away });
    }
    if (deps.peers) {
      const { door } = deps.peers;
      openPeerRoutes(app, { ...deps, door, admission, readError });
      openPageSockets(app, { ...deps, door, readError });
    }
  });
  return app;
}

/** A call that another process forwards is that of its client. */
const forwardedByPeers =
  (read: ReadForwarded, senderOf: PeerDoor['senderOf']): ReadForwarded =>
  (request) => {
    const sender = senderOf(request);
    return sender?.address === undefined ? read(request) : { address: sender.address };
  };

const FOR_OPERATORS = /^\/(?:v0\/health\/|v2\/health(?:\/|\?|$)|metrics(?:\?|$))/;

function refuseClients(app: FastifyInstance, senderOf: PeerDoor['senderOf']): void {
  app.addHook('onRequest', async (request) => {
    if (FOR_OPERATORS.test(request.url) || senderOf(request)) return;
    throw new ServiceError('NOT_FOUND', {
      message: 'This process answers no clients (TRAWL_ROLE). Ask one whose role is api or all.',
    });
  });
}

/**
 * Not valid HTTP (RFC 9112, section 3.2), but Node takes the first one. Only that would be checked, and a proxy in front may
 * have checked another one.
 */
function refuseSeveralHosts(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }, reply) => {
    const isHost = (text: string, place: number) => place % 2 === 0 && text.toLowerCase() === 'host';
    if (raw.rawHeaders.filter(isHost).length <= 1) return;
    reply.hijack();
    answerBrokenHttp(new Error('several hosts'), raw.socket);
  });
}

/** Refused by a hook, because the framework would read and parse the body before it calls the handler. */
function refuseUnknownPaths(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ is404, url }) => {
    if (!is404) return;
    const known = ABSENT_PATHS.find(({ path }) => path.test(url));
    throw new ServiceError(known?.code ?? 'NOT_FOUND', { message: known?.text });
  });
}

/** Closes connections that are still sending their request, since they would keep the service from stopping. */
function cutOffAtTheEnd({ server }: FastifyInstance, stopping: AbortSignal): void {
  const cut = () => setTimeout(() => server.closeAllConnections(), LAST_ANSWERS_MS).unref();
  stopping.addEventListener('abort', cut, { once: true });
}

/** While closing, running requests finish, new ones are refused, and connections close after their answer. */
function refuseWhenClosing(app: FastifyInstance): void {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onRequest', async (request) => {
    // Health probes report the state themselves.
    if (closing && !request.url.startsWith('/v0/health/')) throw new ServiceError('SERVICE_UNAVAILABLE');
  });
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close');
  });
}

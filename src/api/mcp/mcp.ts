// `/mcp`: the MCP server over HTTP, for the same callers as the rest of the interface. Its modules are loaded with the first
// request: a service that no assistant uses does not pay for them.
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { queueFull, ServiceError } from '../../contracts/errors/errors.ts';
import { explainUnknown, readToolChoice, toolsOfGroups } from '../../contracts/mcp/toolsets.ts';
import type { Identity } from '../../operations/caller.ts';
import type { Keyless } from '../../operations/onboarding/keyless.ts';
import type { KeyWatch } from '../../operations/team/key-watch.ts';
import type { Log } from '../../runtime/log.ts';
import { readVersion } from '../../runtime/version.ts';
import type { NetworkList } from '../../urls/networks.ts';
import type { Admission } from '../callers/admission.ts';
import { sendsNoKey } from '../callers/auth.ts';
import type { BaseUrlOf } from '../callers/base-url.ts';
import { refuseOtherMethods } from '../other-methods.ts';
import { factsOf } from '../request-facts.ts';
import type { CallerClientDeps } from './caller-client.ts';
import { createPageGuard } from './page-guard.ts';

/** Requests that may be open at a time: a stream may stay open for minutes. */
const OPEN_PER_TEAM = 100;
const OPEN_IN_ALL = 1_000;
const RETRY_AFTER_S = 5;

interface Deps extends CallerClientDeps {
  auth: 'required' | 'off';
  /** Names of the tools that this service serves; absent: all of them. */
  mcpTools?: ReadonlySet<string>;
  publicUrl?: string;
  trustedProxies: NetworkList;
  baseUrlOf: BaseUrlOf;
  admission: Admission;
  /** Absent if nothing is served without a key. */
  keyless?: Keyless;
  keyWatch: Pick<KeyWatch, 'follow'>;
  log: Log;
}

/** With the resource that each belongs to. The latter two are those of the public MCP server. */
const PATHS = { '/mcp': '/mcp', '/v2/mcp': '/v2/mcp', '/:key/v2/mcp': '/v2/mcp' };

export function openMcp(app: FastifyInstance, deps: Deps): void {
  const { auth, admission, keyless } = deps;
  // Without keys, all paths are guarded, see callers/web-origins.ts.
  const guardPages = auth === 'required' ? createPageGuard(deps) : () => {};
  const serve = createServe(app, deps);
  const admit = async (request: FastifyRequest) => {
    guardPages(request);
    adoptSentKey(request);
    if (keyless && sendsNoKey(request.headers.authorization)) await admission.admitKeyless(request, keyless.identify);
    else await admission.admitKey(request);
  };
  for (const [url, resource] of Object.entries(PATHS)) {
    const config = { errorStyle: 'jsonrpc', measuredAs: 'mcp', resource } as const;
    app.route({ method: 'POST', url, config, onRequest: admit, handler: serve });
    // Streams and sessions of the server itself, which GET and DELETE are for, do not exist here.
    refuseOtherMethods(app, url, ['POST'], config);
  }
}

function createServe(app: FastifyInstance, deps: Deps) {
  const { admission, keyWatch, log } = deps;
  const enter = createOpenExchanges();
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());
  let loading: ReturnType<typeof load> | undefined;
  const load = async () => {
    const { createMcpEndpoint } = await import('../../mcp/http/endpoint.ts');
    const { createCallerClient } = await import('./caller-client.ts');
    return { ...createMcpEndpoint({ version: readVersion(), log }), createCallerClient };
  };

  return async (request: FastifyRequest, reply: FastifyReply) => {
    const identity = admission.identityOf(request);
    const tools = toolsFor(request, identity, deps.mcpTools);
    // It closed while its body was read: no event is left that would give its slot back.
    if (reply.raw.closed) return reply.hijack();
    const leave = enter(identity.isKeyless ? identity.key! : identity.team.id);
    const over = endOf(reply);
    over.signal.addEventListener('abort', leave);
    // A subscription has no end of its own.
    const isEndless = isSubscription(request.body);
    if (isEndless) closing.signal.addEventListener('abort', over.abort, { signal: over.signal });
    let isValid = true;
    const onKeyEnd = () => {
      isValid = false;
      if (isEndless) over.abort();
    };
    keyWatch.follow(identity.keyHash, onKeyEnd, over.signal);
    loading ??= load();
    const { answer, createCallerClient } = await loading;
    if (reply.raw.closed) return reply.hijack();
    const caller = {
      identity: () => (isValid ? identity : undefined),
      baseUrl: deps.baseUrlOf(request),
      request: factsOf(request),
    };
    const response = await answer({
      headers: new Headers(oneValueEach(request.headers)),
      body: request.body,
      caller: nameOf(identity),
      api: createCallerClient(deps, caller),
      over: over.signal,
      ...tools,
    });
    reply.code(response.status).headers(headersOf(response));
    return reply.send(response.body ? streamOf(response, response.body as ReadableStream) : undefined);
  };
}

/** Those that the address names, among those that the service serves; shown are those that the key may use. */
function toolsFor({ query }: FastifyRequest, { limits }: Identity, served: ReadonlySet<string> | undefined) {
  const { tools: text } = query as { tools?: string | string[] };
  const asked = text === undefined ? undefined : readToolChoice(text.toString());
  if (asked && asked.unknown.length > 0) {
    throw new ServiceError('BAD_REQUEST', { message: explainUnknown(asked.unknown) });
  }
  const chosen = asked && served ? within(asked.tools, served) : (asked?.tools ?? served);
  const groups = limits?.operations ?? [];
  return { ...(chosen && { chosen }), ...(groups.length > 0 && { shown: toolsOfGroups(groups) }) };
}

const within = (names: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...names].filter((name) => others.has(name)));

/** Aborts when the answer was sent, or its client is gone. When the service stops, it ends what the tools wait for. */
function endOf(reply: FastifyReply) {
  const over = new AbortController();
  const abort = () => over.abort();
  reply.raw.once('close', abort);
  return { signal: over.signal, abort };
}

const isSubscription = (body: unknown): boolean =>
  (body as { method?: unknown } | null)?.method === 'subscriptions/listen';

const nameOf = ({ team, keyHash, key }: Identity): string => `${team.id} ${keyHash ?? key ?? ''}`;

const oneValueEach = (headers: FastifyRequest['headers']): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value.toString()]]));

/** A comment opens a stream of events: headers are sent with the first byte, and the client waits for them. */
const streamOf = ({ headers }: Response, body: ReadableStream): Readable =>
  headers.get('content-type') === 'text/event-stream'
    ? Readable.from(withOpening(body), { objectMode: false })
    : Readable.fromWeb(body);

async function* withOpening(body: ReadableStream): AsyncGenerator<string | Uint8Array> {
  yield ': open\n\n';
  yield* body;
}

/** Whether the connection stays open is decided by the HTTP server. */
const headersOf = ({ headers }: Response): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => name !== 'connection'));

// Clients of the public MCP server put their key in a header of its own, or in the path.
const KEY_HEADERS = ['x-firecrawl-api-key', 'x-api-key'];

/** From here on, the key is in the header Authorization, as everywhere else. One that was sent there wins. */
function adoptSentKey({ raw: { headers }, params }: FastifyRequest): void {
  if (!sendsNoKey(headers.authorization)) return;
  const { key: inPath } = params as { key?: string };
  const key = KEY_HEADERS.map((name) => headers[name]?.toString()).find((value) => value) ?? inPath;
  if (key !== undefined) headers.authorization = `Bearer ${key}`;
}

/** Throws QUEUE_FULL. Call what it returns once, when the exchange ends. */
type EnterExchange = (owner: string) => () => void;

function createOpenExchanges(): EnterExchange {
  const open = new Map<string, number>();
  let total = 0;
  return (owner) => {
    const own = open.get(owner) ?? 0;
    if (own >= OPEN_PER_TEAM || total >= OPEN_IN_ALL) throw queueFull(RETRY_AFTER_S);
    open.set(owner, own + 1);
    total += 1;
    return () => {
      total -= 1;
      const left = open.get(owner)! - 1;
      if (left === 0) open.delete(owner);
      else open.set(owner, left);
    };
  };
}

// The only way out of the process: HTTP with targets that passed the address rules, pinned to a checked address.
import type { Socket } from 'node:net';
import { ServiceError } from '../contracts/errors/errors.ts';
import type { ProxyClass } from '../page/page.ts';
import { bareHost } from '../urls/url.ts';
import { raceAbort } from '../util/abort.ts';
import {
  createAddressRules,
  createOperatorRules,
  isPrivate,
  type OnRefused,
  type OwnAddress,
} from './addresses/address-rules.ts';
import type { AllowList } from './addresses/allow-list.ts';
import { createInternalTest, type HostPort } from './addresses/installation.ts';
import { createResolver, type Resolver, withLimit } from './addresses/resolver.ts';
import { type BrowserProxy, type BrowserProxyLimits, startBrowserProxy } from './browser-proxy/browser-proxy.ts';
import type { ConnectLimits } from './connections/connectors.ts';
import type { DialLimits } from './connections/dial.ts';
import type { EgressRoute, ExchangeLimits, Exchanges } from './connections/exchange.ts';
import { connectWithin, createSockets, type Endpoint } from './connections/sockets.ts';
import { createProxyList, type UpstreamProxy } from './connections/upstream-proxies.ts';
import type { BodyLimits } from './http/decode-body.ts';
import { requestHeaders, responseHeaders } from './http/headers.ts';
import { type MinimumPace, type ResponseBody, readBody, recordedBody, undiciBody } from './http/response-body.ts';
import {
  createImpersonation,
  type ImpersonatedClient,
  type ImpersonationOptions,
} from './impersonation/impersonation.ts';
import { pairsOf, type Recorder } from './recorder.ts';
import { failureOf } from './wire-failure.ts';

export interface EgressRequest {
  url: URL;
  method?: 'GET' | 'HEAD' | 'POST';
  headers: Record<string, string>;
  body?: string | Uint8Array;
  /**
   * A proxy class uses the upstream proxy set for it, if any; 'direct' never uses one (webhooks). 'provider' uses the
   * proxy for search providers. So does 'operator', which reaches `operatorOrigins` and nothing else, and these may be in
   * private networks, to which it goes directly unless the operator said otherwise. 'model' is the same for language
   * models, with proxies of its own.
   */
  route: ProxyClass | 'direct' | 'provider' | 'operator' | 'model';
  /** Prefers an upstream proxy in this country, if the operator listed one. */
  country?: string;
  /** False accepts an invalid certificate; the response says whether it was one. */
  verifyTls: boolean;
  /** Time limit for resolving the name, on direct routes; without it, the limit for connecting applies. */
  resolveMs?: number;
  /** Replaces the size limit for pages: media files are larger. */
  maxBytes?: number;
  /** Replaces the limits for slow answers: a language model may think for minutes before it sends anything. */
  patienceMs?: number;
  /** Keeps what goes over the wire. */
  recorder?: Recorder;
}

export interface EgressResponse {
  url: URL;
  status: number;
  /** Lower-case names; repeated headers joined by ", ". Includes `content-encoding`, although the body is decoded. */
  headers: Record<string, string>;
  /** One entry a Set-Cookie line: these cannot be joined, and are not in `headers`. */
  setCookies: string[];
  /** False if the certificate of the site is invalid. */
  isVerified: boolean;
  /** Decompressed and size-limited. Must be read to the end or destroyed. */
  body: ResponseBody;
}

export interface Egress {
  /** One hop: redirects are returned, not followed (see redirects.ts). Throws ServiceError. */
  request(request: EgressRequest, signal: AbortSignal): Promise<EgressResponse>;
  /** Refuses a URL that no request may go to, without DNS: for validating input early. Throws ServiceError. */
  check(url: URL): void;
  /** A plain connection to one of `operatorEndpoints`, such as the mail server. Throws ServiceError. */
  connect(to: Endpoint, signal: AbortSignal): Promise<Socket>;
  hasProxy(proxyClass: ProxyClass): boolean;
  /** Requests that look like Chrome's on the wire, under the same rules. To be closed after use. Throws ServiceError. */
  impersonate(options: ImpersonationOptions): Promise<ImpersonatedClient>;
  /** The browsers' way out, under the same rules. One proxy, started on first use and closed with the egress. */
  openBrowserProxy(): Promise<BrowserProxy>;
  close(): Promise<void>;
}

export type EgressLimits = DialLimits &
  ConnectLimits &
  ExchangeLimits &
  MinimumPace &
  BrowserProxyLimits &
  Omit<BodyLimits, 'maxBytes'>;

export interface EgressSettings {
  allow: AllowList;
  /** Name servers as ip:port; an empty list means the system's. */
  dnsServers: readonly string[];
  proxies: Readonly<Record<ProxyClass, readonly UpstreamProxy[]>>;
  /** For search providers. `forPrivate`: also for those at private addresses. */
  providerProxies?: { list: readonly UpstreamProxy[]; forPrivate: boolean };
  /** For language models at public addresses. */
  modelProxies?: readonly UpstreamProxy[];
  maxPageBytes: number;
  /** Where the service itself listens, once it has started. */
  ownAddress: () => OwnAddress | undefined;
  /** The URL at which clients reach the service; requests to its host would loop back to us. */
  publicUrl?: string;
  /** Engines and other processes of this installation, which pages must not reach in any allowed network. */
  internal?: () => readonly HostPort[];
  /** What the routes 'operator' and 'model' may reach: exactly these origins. Filled from settings only, never from a request. */
  operatorOrigins?: readonly string[];
  /** What `connect` may reach, as host:port. Filled from settings only, never from a request. */
  operatorEndpoints?: readonly string[];
  onRefused?: OnRefused;
  limits?: Partial<EgressLimits>;
}

export const DEFAULT_LIMITS: Readonly<EgressLimits> = {
  attemptMs: 5_000,
  staggerMs: 300,
  connectMs: 15_000,
  headerBytes: 64 * 1024,
  headersMs: 60_000,
  idleMs: 20_000,
  tunnelIdleMs: 120_000,
  slowMs: 30_000,
  minBytesPerSecond: 100,
  maxRatio: 200,
  ratioFloorBytes: 4 * 1024 * 1024,
};

export function createEgress(settings: EgressSettings): Egress {
  const limits = { ...DEFAULT_LIMITS, ...settings.limits, maxBytes: settings.maxPageBytes };
  const { ownAddress, publicUrl, operatorOrigins = [], operatorEndpoints = [], onRefused } = settings;
  const systemResolver = createResolver([]);
  const isInternal = settings.internal && createInternalTest(settings.internal, systemResolver);
  const rules = createAddressRules(settings.allow, ownAddress, publicUrl, onRefused, isInternal);
  const operatorRules = createOperatorRules({ operatorOrigins, operatorEndpoints }, ownAddress, publicUrl, onRefused);
  const closing = new AbortController();
  const resolver = settings.dnsServers.length > 0 ? createResolver(settings.dnsServers) : systemResolver;
  const sockets = createSockets({ rules, operatorRules, resolver, systemResolver, limits });
  // The HTTP client takes much of an idle service's memory, so it is loaded with the first request.
  let exchanges: Promise<Exchanges> | undefined;
  const loadExchanges = async () => {
    const { createExchanges } = await import('./connections/exchange.ts');
    return createExchanges({ sockets, limits, closing: closing.signal });
  };
  const openExchanges = () => {
    exchanges ??= loadExchanges();
    return exchanges;
  };
  let browserProxy: Promise<BrowserProxy> | undefined;
  const { proxyFor, routeOf } = createRoutes(settings, systemResolver);
  const startProxy = () =>
    startBrowserProxy({ rules, sockets, exchanges: openExchanges, proxyFor, limits }).catch((error) => {
      browserProxy = undefined;
      throw error;
    });

  const openBrowserProxy = async () => {
    if (closing.signal.aborted) throw new ServiceError('SERVICE_UNAVAILABLE');
    browserProxy ??= startProxy();
    return browserProxy;
  };
  const impersonation = createImpersonation({ rules, openProxy: openBrowserProxy, limits });

  return {
    async request(request, signal) {
      signal.throwIfAborted();
      const { url, method = 'GET', body, verifyTls, resolveMs, patienceMs, recorder } = request;
      (isOperatorRoute(request.route) ? operatorRules : rules).checkUrl(url);
      const headers = requestHeaders(request.headers);
      const outgoing = {
        url,
        method,
        headers,
        body,
        verifyTls,
        resolveMs,
        patienceMs,
        isRecorded: recorder !== undefined,
      };
      // undici notices an abort only once it is connected; callers must not wait for that.
      const sent = openExchanges().then(async ({ send }) => send(outgoing, await routeOf(request, signal), signal));
      const received = await raceAbort(sent, signal).catch((error) => {
        throw failureOf(error, signal);
      });
      try {
        const { headers, setCookies } = responseHeaders(received.headers);
        const raw = undiciBody(received.body, headers);
        const recording = recorder?.begin(
          { url, method, headers: Object.entries(outgoing.headers) },
          {
            ...{ status: received.statusCode, statusText: received.statusText },
            headers: pairsOf(received.rawHeaders ?? []),
          },
        );
        const { maxBytes = limits.maxBytes } = request;
        const slowMs = patienceMs ?? limits.slowMs;
        return {
          url,
          status: received.statusCode,
          headers,
          setCookies,
          isVerified: received.isVerified,
          body: readBody(recording ? recordedBody(raw, recording) : raw, { ...limits, maxBytes, slowMs }, signal),
        };
      } catch (error) {
        received.body.on('error', () => {}).destroy();
        throw error;
      }
    },
    check: rules.checkUrl,
    async connect(to, signal) {
      operatorRules.checkEndpoint(to.host, to.port);
      const end = AbortSignal.any([signal, closing.signal]);
      return connectWithin(limits.connectMs, end, (limited) => sockets.operator(to, limited));
    },
    hasProxy: (proxyClass) => settings.proxies[proxyClass].length > 0,
    impersonate: impersonation.open,
    openBrowserProxy,
    async close() {
      closing.abort();
      await (await browserProxy)?.close();
      await (await exchanges)?.close();
    },
  };
}

/** Which way a request takes: directly, or through a proxy that the operator set for its kind. */
function createRoutes(settings: EgressSettings, systemResolver: Resolver) {
  const basic = createProxyList(settings.proxies.basic);
  const enhanced = createProxyList(settings.proxies.enhanced);

  const proxyFor = (proxyClass: ProxyClass, country: string | undefined) =>
    (proxyClass === 'enhanced' ? enhanced.pick(country) : undefined) ?? basic.pick(country);
  const { list: providerList = [], forPrivate = false } = settings.providerProxies ?? {};
  const providers = createProxyList(providerList);
  const models = createProxyList(settings.modelProxies ?? []);
  const operatorRoute = async (request: EgressRequest, signal: AbortSignal): Promise<EgressRoute> => {
    const { url, resolveMs, route } = request;
    const proxies = route === 'model' ? models : providers;
    if (proxies.size === 0) return 'operator';
    const isAlwaysProxied = forPrivate && route !== 'model';
    const isDirect = !isAlwaysProxied && (await isPrivate(bareHost(url), withLimit(systemResolver, resolveMs), signal));
    return isDirect ? 'operator' : proxies.pick(undefined)!;
  };
  const routeOf = async (request: EgressRequest, signal: AbortSignal): Promise<EgressRoute> => {
    const { route, country } = request;
    if (route === 'direct') return route;
    if (isOperatorRoute(route)) return operatorRoute(request, signal);
    return (route === 'provider' ? providers.pick(undefined) : proxyFor(route, country)) ?? 'direct';
  };
  return { proxyFor, routeOf };
}

const isOperatorRoute = (route: EgressRequest['route']): route is 'operator' | 'model' =>
  route === 'operator' || route === 'model';

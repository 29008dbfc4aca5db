// Sends one HTTP request: directly, or through an upstream proxy: in a tunnel, or, for plain http where the proxy opens
// none, in absolute form.
import { Readable } from 'node:stream';
import { Agent, type Dispatcher } from 'undici';
import { ServiceError } from '../../contracts/errors/errors.ts';
import { bareHost, portOf } from '../../urls/url.ts';
import { createBoundedMap } from '../../util/bounded-map.ts';
import { joinLines } from '../http/headers.ts';
import { pairsOf } from '../recorder.ts';
import { type ConnectorDeps, createConnectors } from './connectors.ts';
import { isProxyAnswer, isTunnelRefusal, proxyRefusal, type UpstreamProxy } from './upstream-proxies.ts';

export interface ExchangeLimits {
  headerBytes: number;
  /** From sending the request to the end of the response headers. */
  headersMs: number;
  /** Between two chunks of a body. */
  idleMs: number;
}

export interface Outgoing {
  url: URL;
  method: Dispatcher.HttpMethod;
  headers: Record<string, string>;
  body: string | Uint8Array | Readable | undefined;
  /** False accepts an invalid certificate, but only after the attempt to verify it. */
  verifyTls: boolean;
  resolveMs: number | undefined;
  /** Replaces the limits for headers and pauses. */
  patienceMs?: number;
  /** Whether the header lines are wanted as they were sent. */
  isRecorded?: boolean;
}

/** Directly to the target, under the common rules or the operator's, or through an upstream proxy. */
export type EgressRoute = 'direct' | 'operator' | UpstreamProxy;

/** `rawHeaders`: names and values in turn, if they are wanted. */
type Answered = Dispatcher.ResponseData & { rawHeaders?: string[] };

export interface Received extends Answered {
  /** Whether the certificate was valid. Plain http has none that could be invalid. */
  isVerified: boolean;
}

export interface Exchanges {
  send(outgoing: Outgoing, route: EgressRoute, signal: AbortSignal): Promise<Received>;
  close(): Promise<void>;
}

const ORIGINS_REMEMBERED = 1_000;
/** Settings of proxies change. */
const GATE_MS = 10 * 60_000;
/** After an invalid certificate, this many requests to its origin are sent without trying to verify it again. */
const UNVERIFIED_REQUESTS = 50;

export function createExchanges(deps: ConnectorDeps & { limits: ExchangeLimits }): Exchanges {
  const { limits } = deps;
  const connectors = createConnectors(deps);
  // Requests share connections only if they take the same route (and so the same rules) and verify certificates alike.
  const agents = new Map<string, Agent>();
  const agentFor = (name: string, connect: () => Agent.Options['connect']): Agent => {
    const agent =
      agents.get(name) ??
      new Agent({
        connect: connect(),
        allowH2: true,
        maxHeaderSize: limits.headerBytes,
        headersTimeout: limits.headersMs,
        bodyTimeout: limits.idleMs,
      });
    agents.set(name, agent);
    return agent;
  };

  /** Proxies, each with a port to which it opens no tunnels. */
  const closedGates = createBoundedMap<string, true>({ maxEntries: ORIGINS_REMEMBERED, clock: performance });
  const transmit = async (outgoing: Outgoing, route: EgressRoute, signal: AbortSignal): Promise<Answered> => {
    const { url, verifyTls, resolveMs, patienceMs, isRecorded = false, ...rest } = outgoing;
    const patience = patienceMs === undefined ? {} : { headersTimeout: patienceMs, bodyTimeout: patienceMs };
    const target = { ...rest, ...patience, signal, origin: url.origin, path: url.pathname + url.search };
    if (route === 'direct' || route === 'operator') {
      const name = `${route} ${verifyTls} ${resolveMs}`;
      return ask(
        agentFor(name, () => connectors[route](verifyTls, resolveMs)),
        target,
        isRecorded,
      );
    }
    const tunnels = agentFor(`tunnel ${nameOf(route)} ${verifyTls}`, () => connectors.tunnel(route, verifyTls));
    if (url.protocol === 'https:') return ask(tunnels, target, isRecorded);
    const gate = `${nameOf(route)} ${portOf(url)}`;
    if (!closedGates.get(gate)) {
      try {
        return await ask(tunnels, target, isRecorded);
      } catch (error) {
        // A body that is a stream is gone with the first attempt.
        if (!isTunnelRefusal(error) || rest.body instanceof Readable) throw error;
        closedGates.set(gate, true, GATE_MS);
      }
    }
    const forwarding = agentFor(`forward ${nameOf(route)}`, () => connectors.toProxy(route));
    return refuseOwnAnswers(await ask(forwarding, inAbsoluteForm(target, url, route), isRecorded));
  };

  /** How many more requests to an origin do without verification. */
  const unverified = createBoundedMap<string, number>({ maxEntries: ORIGINS_REMEMBERED });

  return {
    async send(outgoing, route, signal) {
      const { url, verifyTls } = outgoing;
      const left = unverified.get(url.origin) ?? 0;
      if (verifyTls || left === 0) {
        try {
          return { ...(await transmit({ ...outgoing, verifyTls: true }, route, signal)), isVerified: true };
        } catch (error) {
          if (verifyTls || !isInvalidCertificate(error)) throw error;
        }
      }
      unverified.set(url.origin, left === 0 ? UNVERIFIED_REQUESTS : left - 1);
      return { ...(await transmit({ ...outgoing, verifyTls: false }, route, signal)), isVerified: false };
    },
    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  };
}

async function ask(agent: Agent, options: Dispatcher.RequestOptions, isRecorded: boolean): Promise<Answered> {
  if (!isRecorded) return agent.request(options);
  const answer = await agent.request({ ...options, responseHeaders: 'raw' });
  const rawHeaders = answer.headers as unknown as string[];
  return { ...answer, rawHeaders, headers: joinLines(pairsOf(rawHeaders)) };
}

type Sendable = Omit<Dispatcher.RequestOptions, 'headers'> & Pick<Outgoing, 'headers'>;

function inAbsoluteForm(target: Sendable, url: URL, proxy: UpstreamProxy): Sendable & { servername: string } {
  const headers: Record<string, string> = { ...target.headers, host: url.host };
  if (proxy.authorization) headers['proxy-authorization'] = proxy.authorization;
  return {
    ...target,
    headers,
    origin: proxy.url.origin,
    path: url.origin + target.path,
    // Otherwise the certificate of the proxy would be checked against the Host header, which names the target.
    servername: bareHost(proxy.url),
  };
}

const isInvalidCertificate = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'SCRAPE_SSL_ERROR';

const nameOf = (proxy: UpstreamProxy) => `${proxy.url.origin} ${proxy.authorization ?? ''}`;

/** In absolute form the proxy relays the target's response, and its own look like those. */
function refuseOwnAnswers(answer: Answered): Answered {
  if (!isProxyAnswer(answer.statusCode, answer.headers)) return answer;
  answer.body.on('error', () => {}).destroy();
  throw proxyRefusal(answer.statusCode);
}

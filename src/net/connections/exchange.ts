// Sends one HTTP request: directly, or through an upstream proxy (CONNECT for https, absolute form for http).
import type { Readable } from 'node:stream';
import { Agent, type Dispatcher } from 'undici';
import { bareHost } from '../../util/url.ts';
import { type ConnectorDeps, createConnectors } from './connectors.ts';
import { proxyRefusal, type UpstreamProxy } from './upstream-proxies.ts';

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
  verifyTls: boolean;
  resolveMs: number | undefined;
}

/** Directly to the target, under the common rules or the operator's, or through an upstream proxy. */
export type Route = 'direct' | 'operator' | UpstreamProxy;

export interface Exchanges {
  send(outgoing: Outgoing, route: Route, signal: AbortSignal): Promise<Dispatcher.ResponseData>;
  close(): Promise<void>;
}

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

  return {
    async send({ url, verifyTls, resolveMs, ...rest }, route, signal) {
      const target = { ...rest, signal, origin: url.origin, path: url.pathname + url.search };
      if (route === 'direct' || route === 'operator') {
        const name = `${route} ${verifyTls} ${resolveMs}`;
        return agentFor(name, () => connectors[route](verifyTls, resolveMs)).request(target);
      }
      if (url.protocol === 'https:') {
        const tunnels = agentFor(`tunnel ${nameOf(route)} ${verifyTls}`, () => connectors.tunnel(route, verifyTls));
        return tunnels.request(target);
      }
      const forwarding = agentFor(`forward ${nameOf(route)}`, () => connectors.toProxy(route));
      return refuse407(await forwarding.request(inAbsoluteForm(target, url, route)));
    },
    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  };
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

const nameOf = (proxy: UpstreamProxy) => `${proxy.url.origin} ${proxy.authorization ?? ''}`;

/** In absolute form the proxy relays the target's response; 407 is the only status that is certainly its own. */
function refuse407(answer: Dispatcher.ResponseData): Dispatcher.ResponseData {
  if (answer.statusCode !== 407) return answer;
  answer.body.on('error', () => {}).destroy();
  throw proxyRefusal(407);
}

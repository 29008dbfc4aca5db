// One HTTP exchange over the right connections: straight to the target, or through an upstream proxy in one of its two ways.
import type { Readable } from 'node:stream';
import { Agent, type Dispatcher } from 'undici';
import { bareHost } from '../../util/url.ts';
import { type ConnectorDeps, createConnectors } from './connectors.ts';
import { proxyRefusal, type UpstreamProxy } from './upstream-proxies.ts';

export interface ExchangeLimits {
  headerBytes: number;
  /** From the request to the end of the response headers. */
  headersMs: number;
  /** Between two pieces of a body. */
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

/** Straight to the target by the common rules or by those for the operator's addresses, or through a proxy. */
export type Way = 'direct' | 'operator' | UpstreamProxy;

export interface Exchanges {
  send(outgoing: Outgoing, way: Way, signal: AbortSignal): Promise<Dispatcher.ResponseData>;
  close(): Promise<void>;
}

export function createExchanges(deps: ConnectorDeps & { limits: ExchangeLimits }): Exchanges {
  const { limits } = deps;
  const connectors = createConnectors(deps);
  // Requests share connections only if they agree on the way (and so on its rules) and on whether certificates count.
  const agents = new Map<string, Agent>();
  const agentFor = (way: string, connect: () => Agent.Options['connect']): Agent => {
    const agent =
      agents.get(way) ??
      new Agent({
        connect: connect(),
        allowH2: true,
        maxHeaderSize: limits.headerBytes,
        headersTimeout: limits.headersMs,
        bodyTimeout: limits.idleMs,
      });
    agents.set(way, agent);
    return agent;
  };

  return {
    async send({ url, verifyTls, resolveMs, ...rest }, way, signal) {
      const target = { ...rest, signal, origin: url.origin, path: url.pathname + url.search };
      if (way === 'direct' || way === 'operator') {
        const name = `${way} ${verifyTls} ${resolveMs}`;
        return agentFor(name, () => connectors[way](verifyTls, resolveMs)).request(target);
      }
      if (url.protocol === 'https:') {
        const tunnels = agentFor(`tunnel ${nameOf(way)} ${verifyTls}`, () => connectors.tunnel(way, verifyTls));
        return tunnels.request(target);
      }
      const forwarding = agentFor(`forward ${nameOf(way)}`, () => connectors.toProxy(way));
      return refuse407(await forwarding.request(inAbsoluteForm(target, url, way)));
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
    // Or else the Host header, which is the target's, would name the proxy's certificate.
    servername: bareHost(proxy.url),
  };
}

const nameOf = (proxy: UpstreamProxy) => `${proxy.url.origin} ${proxy.authorization ?? ''}`;

/** In absolute form the proxy answers in the target's place; only this status is surely its own. */
function refuse407(answer: Dispatcher.ResponseData): Dispatcher.ResponseData {
  if (answer.statusCode !== 407) return answer;
  answer.body.on('error', () => {}).destroy();
  throw proxyRefusal(407);
}

// Opens every outgoing socket: resolves a name once, checks all addresses and dials exactly those, or asks a proxy.
import type { Socket } from 'node:net';
import { ServiceError } from '../../contracts/errors/errors.ts';
import { bareHost, portOf } from '../../urls/url.ts';
import type { AddressRules } from '../addresses/address-rules.ts';
import { type Resolver, withLimit } from '../addresses/resolver.ts';
import { wireFailure } from '../wire-failure.ts';
import { type DialLimits, DialTimeout, dial } from './dial.ts';
import { openTunnel, secureProxy, type UpstreamProxy } from './upstream-proxies.ts';

export interface SocketDeps {
  rules: AddressRules;
  /** For the `operator` route, which only reaches addresses that the operator set. */
  operatorRules: AddressRules;
  /** Resolves targets. */
  resolver: Resolver;
  /** Resolves the operator's own addresses, which may be known to the system only (containers, hosts file). */
  systemResolver: Resolver;
  limits: DialLimits;
}

export interface Endpoint {
  /** A name or an address, without brackets. */
  host: string;
  port: number;
}

/** Connected sockets without TLS to the target. Callers have passed the endpoint's URL to `AddressRules.checkUrl`. */
export interface Sockets {
  direct(to: Endpoint, signal: AbortSignal, resolveMs?: number): Promise<Socket>;
  /** To addresses that the operator set, private or public. */
  operator(to: Endpoint, signal: AbortSignal, resolveMs?: number): Promise<Socket>;
  /** To targets, through a CONNECT tunnel of the proxy. */
  tunnel(proxy: UpstreamProxy, to: Endpoint, signal: AbortSignal): Promise<Socket>;
  /** To the proxy itself, for requests in absolute form. */
  toProxy(proxy: UpstreamProxy, signal: AbortSignal): Promise<Socket>;
}

export function createSockets({ rules, operatorRules, resolver, systemResolver, limits }: SocketDeps): Sockets {
  const connectDirectly =
    (addressRules: AddressRules, names: Resolver): Sockets['direct'] =>
    async (to, signal, resolveMs) => {
      const host = to.host.replace(/\.+$/, '');
      const addresses = await withLimit(names, resolveMs).resolve(host, signal);
      addressRules.checkAnswers(host, to.port, addresses);
      return dial(addresses, to.port, limits, signal);
    };
  const dialProxy = async (proxy: UpstreamProxy, signal: AbortSignal) => {
    const addresses = await systemResolver.resolve(bareHost(proxy.url), signal);
    return secureProxy(await dial(addresses, portOf(proxy.url), limits, signal), proxy, signal);
  };

  return {
    direct: connectDirectly(rules, resolver),
    operator: connectDirectly(operatorRules, systemResolver),
    tunnel(proxy, { host, port }, signal) {
      const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
      return throughProxy(signal, async () => openTunnel(await dialProxy(proxy, signal), proxy, authority, signal));
    },
    toProxy: (proxy, signal) => throughProxy(signal, () => dialProxy(proxy, signal)),
  };
}

/** One connection attempt with a time limit; `end` aborts it. Throws ServiceError. */
export async function connectWithin(
  ms: number,
  end: AbortSignal,
  open: (signal: AbortSignal) => Promise<Socket>,
): Promise<Socket> {
  const signal = AbortSignal.any([end, AbortSignal.timeout(ms)]);
  try {
    return await open(signal);
  } catch (error) {
    throw wireFailure(signal.aborted ? new DialTimeout('The connection took too long.', { cause: error }) : error);
  }
}

/** Reports failures on the way to the proxy as the proxy's, not the target's. */
async function throughProxy(signal: AbortSignal, open: () => Promise<Socket>): Promise<Socket> {
  try {
    return await open();
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof ServiceError && cause.code === 'SCRAPE_PROXY_SELECTION_ERROR') throw cause;
    throw new ServiceError('SCRAPE_PROXY_SELECTION_ERROR', { cause });
  }
}

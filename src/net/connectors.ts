// How undici gets its connections: resolve, check, dial and secure are one step here, so a pooled connection is a checked one.
import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import { ServiceError } from '../contracts/errors.ts';
import { bareHost, portOf } from '../util/url.ts';
import type { AddressRules } from './address-rules.ts';
import { type DialLimits, DialTimeout, dial } from './dial.ts';
import { isTlsFault, wireFailure } from './failure.ts';
import { openTunnel, secureProxy, type UpstreamProxy } from './proxies.ts';
import { type Resolver, withLimit } from './resolver.ts';

export interface ConnectLimits extends DialLimits {
  /** For everything from the name to the end of the handshake. */
  connectMs: number;
}

export interface ConnectorDeps {
  rules: AddressRules;
  /** For the route that only the operator's own addresses take. */
  operatorRules: AddressRules;
  /** For targets. */
  resolver: Resolver;
  /** For the operator's own addresses, which only the system may know (containers, hosts file). */
  systemResolver: Resolver;
  limits: ConnectLimits;
  /** Aborted when the process lets go of all connections. */
  closing: AbortSignal;
}

export interface Connectors {
  direct(verifyTls: boolean, resolveMs?: number): buildConnector.connector;
  /** To what the operator set, private or not. */
  operator(verifyTls: boolean, resolveMs?: number): buildConnector.connector;
  /** To targets through the proxy's CONNECT. */
  tunnel(proxy: UpstreamProxy, verifyTls: boolean): buildConnector.connector;
  /** To the proxy itself, for requests in absolute form. */
  toProxy(proxy: UpstreamProxy): buildConnector.connector;
}

type Target = buildConnector.Options;

export function createConnectors(deps: ConnectorDeps): Connectors {
  const { rules, operatorRules, resolver, systemResolver, limits, closing } = deps;
  const dialProxy = async (proxy: UpstreamProxy, signal: AbortSignal) => {
    const addresses = await systemResolver.resolve(bareHost(proxy.url), signal);
    return secureProxy(await dial(addresses, portOf(proxy.url), limits, signal), proxy, signal);
  };

  // undici shares one connection attempt between callers, so the attempt has its own time limit and not theirs.
  const connector = (open: (target: Target, signal: AbortSignal) => Promise<Socket>): buildConnector.connector => {
    return (target, callback) => {
      const signal = AbortSignal.any([closing, AbortSignal.timeout(limits.connectMs)]);
      open(target, signal).then(
        (socket) => callback(null, socket),
        (error) => callback(connectFailure(error, signal), null),
      );
    };
  };

  const straight = (law: AddressRules, names: Resolver, verifyTls: boolean) => {
    const secure = tlsUpgrade(verifyTls, limits.connectMs);
    return connector(async (target, signal) => {
      const host = target.hostname.replace(/\.+$/, '');
      const addresses = await names.resolve(host, signal);
      law.checkAnswers(host, portNumber(target), addresses);
      return secure(target, await dial(addresses, portNumber(target), limits, signal));
    });
  };

  return {
    direct: (verifyTls, resolveMs) => straight(rules, withLimit(resolver, resolveMs), verifyTls),
    operator: (verifyTls, resolveMs) => straight(operatorRules, withLimit(systemResolver, resolveMs), verifyTls),
    tunnel(proxy, verifyTls) {
      const secure = tlsUpgrade(verifyTls, limits.connectMs);
      return connector(async (target, signal) => {
        const host = target.hostname.includes(':') ? `[${target.hostname}]` : target.hostname;
        const tunnel = await throughProxy(signal, async () =>
          openTunnel(await dialProxy(proxy, signal), proxy, `${host}:${portNumber(target)}`, signal),
        );
        return secure(target, tunnel);
      });
    },
    toProxy: (proxy) => connector((_target, signal) => throughProxy(signal, () => dialProxy(proxy, signal))),
  };
}

const portNumber = ({ port, protocol }: Target) => Number(port) || (protocol === 'https:' ? 443 : 80);

/** What fails on the way to the proxy is the proxy's fault, not the target's. */
async function throughProxy(signal: AbortSignal, open: () => Promise<Socket>): Promise<Socket> {
  try {
    return await open();
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof ServiceError && cause.code === 'SCRAPE_PROXY_SELECTION_ERROR') throw cause;
    throw new ServiceError('SCRAPE_PROXY_SELECTION_ERROR', { cause });
  }
}

function tlsUpgrade(verifyTls: boolean, timeout: number): (target: Target, socket: Socket) => Promise<Socket> {
  const upgrade = buildConnector({ rejectUnauthorized: verifyTls, allowH2: true, preferH2: true, timeout });
  return async (target, socket) => {
    if (target.protocol !== 'https:') return socket;
    // A root dot is part of the URL but never of a certificate.
    const servername = target.servername?.replace(/\.$/, '');
    return new Promise((resolve, reject) => {
      upgrade({ ...target, servername, httpSocket: socket }, (error, secured) => {
        if (!error) return resolve(secured);
        socket.destroy();
        reject(isTlsFault(error) ? tlsFailure(error, verifyTls) : error);
      });
    });
  };
}

const tlsFailure = (cause: Error, verifyTls: boolean) =>
  new ServiceError('SCRAPE_SSL_ERROR', {
    // Without verification the advice of the table ("skip it") would not help.
    message: verifyTls ? undefined : 'The TLS handshake with the site failed.',
    cause,
  });

function connectFailure(error: unknown, signal: AbortSignal): ServiceError {
  return wireFailure(signal.aborted ? new DialTimeout('The connection took too long.', { cause: error }) : error);
}

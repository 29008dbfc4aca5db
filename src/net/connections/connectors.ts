// Connections for undici. Resolve, check, dial and TLS are one step here, so every pooled connection has been checked.
import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import { ServiceError } from '../../contracts/errors/errors.ts';
import { isTlsFault } from '../wire-failure.ts';
import { connectWithin, type Endpoint, type Sockets } from './sockets.ts';
import type { UpstreamProxy } from './upstream-proxies.ts';

export interface ConnectLimits {
  /** From resolving the name to the end of the TLS handshake. */
  connectMs: number;
}

export interface ConnectorDeps {
  sockets: Sockets;
  limits: ConnectLimits;
  /** Aborts when the service closes all connections. */
  closing: AbortSignal;
}

export interface Connectors {
  direct(verifyTls: boolean, resolveMs?: number): buildConnector.connector;
  /** To addresses that the operator set, private or public. */
  operator(verifyTls: boolean, resolveMs?: number): buildConnector.connector;
  /** To targets, through a CONNECT tunnel of the proxy. */
  tunnel(proxy: UpstreamProxy, verifyTls: boolean): buildConnector.connector;
  /** To the proxy itself, for requests in absolute form. */
  toProxy(proxy: UpstreamProxy): buildConnector.connector;
}

type Target = buildConnector.Options;
type Open = (target: Target, signal: AbortSignal) => Promise<Socket>;

export function createConnectors({ sockets, limits, closing }: ConnectorDeps): Connectors {
  // undici shares a connection attempt among requests, so it has a time limit of its own rather than a caller's.
  const connector = (open: Open): buildConnector.connector => {
    return (target, callback) => {
      connectWithin(limits.connectMs, closing, (signal) => open(target, signal)).then(
        (socket) => callback(null, socket),
        (error) => callback(error, null),
      );
    };
  };
  const secured = (verifyTls: boolean, open: Open): buildConnector.connector => {
    const secure = tlsUpgrade(verifyTls, limits.connectMs);
    return connector(async (target, signal) => secure(target, await open(target, signal)));
  };

  return {
    direct: (verifyTls, resolveMs) =>
      secured(verifyTls, (target, signal) => sockets.direct(endpointOf(target), signal, resolveMs)),
    operator: (verifyTls, resolveMs) =>
      secured(verifyTls, (target, signal) => sockets.operator(endpointOf(target), signal, resolveMs)),
    tunnel: (proxy, verifyTls) =>
      secured(verifyTls, (target, signal) => sockets.tunnel(proxy, endpointOf(target), signal)),
    toProxy: (proxy) => connector((_target, signal) => sockets.toProxy(proxy, signal)),
  };
}

const endpointOf = ({ hostname, port, protocol }: Target): Endpoint => ({
  host: hostname,
  port: Number(port) || (protocol === 'https:' ? 443 : 80),
});

function tlsUpgrade(verifyTls: boolean, timeout: number): (target: Target, socket: Socket) => Promise<Socket> {
  const upgrade = buildConnector({ rejectUnauthorized: verifyTls, allowH2: true, preferH2: true, timeout });
  return async (target, socket) => {
    if (target.protocol !== 'https:') return socket;
    // A URL may end its host with a root dot; certificates never do.
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
    // The default message advises to skip verification, which has already been done here.
    message: verifyTls
      ? undefined
      : 'The TLS handshake with the site failed. Check the port and the scheme of the URL.',
    cause,
  });

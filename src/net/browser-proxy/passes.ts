// Who may use the browser proxy: one pass for each page or session, with its upstream proxy, allowance and failures.
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { ServiceError } from '../../contracts/errors/errors.ts';
import { bareHost, portOf } from '../../urls/url.ts';
import { isSameSecret } from '../../util/hash.ts';
import type { CheckUrl } from '../check-url.ts';
import type { UpstreamProxy } from '../connections/upstream-proxies.ts';
import type { Recorder } from '../recorder.ts';

export interface Pass {
  readonly username: string;
  readonly password: string;
  /** The upstream proxy, if any. Chosen once, so that a site sees all requests of a page come from the same address. */
  readonly proxy: UpstreamProxy | undefined;
  /** Keeps what the requests of the pass receive; what is in a tunnel cannot be seen. */
  readonly recorder: Recorder | undefined;
  /** Bytes received so far. */
  readonly bytes: number;
  /** Assigns the client's socket to this pass. `tunnelTo`: it asks for a tunnel. False when the allowance is used up. */
  enter(client: Socket, tunnelTo?: URL): boolean;
  /**
   * From now on each request and tunnel must pass this check, too, until the returned function is called. Resolves when
   * tunnels that it refuses are closed: what is requested inside them cannot be seen.
   */
  restrict(check: CheckUrl, signal: AbortSignal): Promise<() => void>;
  /** Throws what a check throws. Returns undefined if nothing restricts the pass, so that nothing is awaited. */
  check(url: URL, withinMs: number): Promise<void> | undefined;
  /** Counts received bytes. Once they exceed the allowance, all connections of the pass are closed. */
  receive(bytes: number): void;
  fail(url: URL, error: ServiceError): void;
  /** The first reason why traffic was refused or failed: to the URL's host and port if one is given, else overall. */
  problem(url?: URL): ServiceError | undefined;
  /** Closes all connections of the pass and makes it invalid. */
  revoke(): void;
}

export interface Passes {
  create(proxy: UpstreamProxy | undefined, maxBytes?: number, recorder?: Recorder): Pass;
  /** The pass whose credentials a Proxy-Authorization header carries. */
  find(authorization: string | undefined): Pass | undefined;
}

// A page can request any number of hosts.
const MAX_PROBLEMS = 200;

export function createPasses(): Passes {
  const passes = new Map<string, Pass>();
  return {
    create(proxy, maxBytes = Number.POSITIVE_INFINITY, recorder) {
      const pass = createPass({ proxy, maxBytes, recorder }, () => passes.delete(pass.username));
      passes.set(pass.username, pass);
      return pass;
    },
    find(authorization) {
      const [, encoded = ''] = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization ?? '') ?? [];
      const [username = '', password = ''] = Buffer.from(encoded, 'base64').toString().split(':');
      const pass = passes.get(username);
      return pass && isSameSecret(password, pass.password) ? pass : undefined;
    },
  };
}

interface PassTerms extends Pick<Pass, 'proxy' | 'recorder'> {
  maxBytes: number;
}

function createPass({ proxy, recorder, maxBytes }: PassTerms, onRevoke: () => void): Pass {
  const clients = new Set<Socket>();
  const tunnels = new Map<Socket, URL>();
  const checks = new Set<CheckUrl>();
  const problems = new Map<string, ServiceError>();
  let first: ServiceError | undefined;
  let bytes = 0;

  const cutOff = () => {
    for (const client of clients) client.destroy();
  };
  const checkAll = async (url: URL, signal: AbortSignal) => {
    for (const check of checks) await check(url, signal);
  };

  return {
    username: randomBytes(9).toString('base64url'),
    password: randomBytes(24).toString('base64url'),
    proxy,
    recorder,
    get bytes() {
      return bytes;
    },
    enter(client, tunnelTo) {
      if (tunnelTo) tunnels.set(client, tunnelTo);
      if (!clients.has(client)) client.once('close', () => clients.delete(client) && tunnels.delete(client));
      clients.add(client);
      return bytes <= maxBytes;
    },
    async restrict(check, signal) {
      checks.add(check);
      await Promise.all(Array.from(tunnels, ([client, url]) => check(url, signal).catch(() => void client.destroy())));
      return () => void checks.delete(check);
    },
    check: (url, withinMs) => (checks.size > 0 ? checkAll(url, AbortSignal.timeout(withinMs)) : undefined),
    receive(more) {
      bytes += more;
      if (bytes > maxBytes) cutOff();
    },
    fail(url, error) {
      first ??= error;
      const authority = authorityOf(url);
      if (!problems.has(authority) && problems.size < MAX_PROBLEMS) problems.set(authority, error);
    },
    problem(url) {
      if (bytes > maxBytes) return tooLarge();
      return url ? problems.get(authorityOf(url)) : first;
    },
    revoke() {
      onRevoke();
      cutOff();
    },
  };
}

const authorityOf = (url: URL) => `${bareHost(url)}:${portOf(url)}`;

export const tooLarge = () =>
  new ServiceError('SCRAPE_PAGE_TOO_LARGE', {
    message: 'The page and the files it loads are larger than this service reads.',
  });

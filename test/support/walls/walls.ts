// Sites behind walls, each of which tells ordinary browsers from other programs by one thing. Every wall is a host:
// `tls.test`, `http2.test` and so on; who is let in gets a page with the text INSIDE.
import { type DnsServer, startDns } from '../dns.ts';
import { page } from '../web/reply.ts';
import { CHROME, type ChromeRecord } from './chrome.ts';
import {
  type FingerprintAnswer,
  type FingerprintedRequest,
  type FingerprintServer,
  startFingerprintServer,
} from './fingerprint-server.ts';
import { isPerson, scriptChallenge } from './script-wall.ts';

export const INSIDE = 'The harbour master keeps a list of every ship that has entered since the spring.';

export interface WallVisit extends FingerprintedRequest {
  chrome: ChromeRecord;
  /** Milliseconds since the epoch of the visits to this wall before this one. */
  earlier: readonly number[];
  now: number;
}

type Wall = (visit: WallVisit) => FingerprintAnswer;

const RATE_WINDOW_MS = 1_000;
const RATE_LIMIT = 3;

const inside = (): FingerprintAnswer => ({
  status: 200,
  body: page('Behind the wall', `<article><p>${`${INSIDE} `.repeat(3)}</p></article>`),
});
const refused = (status = 403, headers: Record<string, string> = {}): FingerprintAnswer => ({
  status,
  headers,
  body: page('Refused', '<p>This visit was refused.</p>'),
});
const letIn = (isWelcome: boolean): FingerprintAnswer => (isWelcome ? inside() : refused());
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

export const WALLS = {
  /** The ClientHello. Without its signature algorithms: clients that skip verification offer others. */
  tls({ tls, chrome }) {
    const visible = ({ ciphers, extensions, groups, alpn }: typeof tls) => [ciphers, extensions, groups, alpn];
    return letIn(same(visible(tls), visible(chrome.tls)));
  },
  /** The settings that open an HTTP/2 connection. */
  http2: ({ http2, chrome }) => letIn(same(http2, chrome.http2)),
  /** The names of the headers, in order. */
  order: ({ headerNames, chrome }) =>
    letIn(
      same(
        headerNames.filter((name) => name !== 'cookie'),
        chrome.headerNames,
      ),
    ),
  /** The client hints, which must agree with the User-Agent and not say "Headless". */
  hints({ headers }) {
    const { 'user-agent': agent = '', 'sec-ch-ua': brands = '', 'sec-ch-ua-platform': platform = '' } = headers;
    const version = /Chrome\/(\d+)\./.exec(agent)?.[1];
    const isPlausible = brands.includes(`"Chromium";v="${version}"`) && agent.includes(platform.replaceAll('"', '!'));
    const isLinux = platform === '"Linux"' && agent.includes('Linux x86_64');
    return letIn((isPlausible || isLinux) && brands.includes(`v="${version}"`) && !/Headless/.test(agent + brands));
  },
  /** Refuses the first visit with a cookie, and lets in who comes back with it. */
  cookie({ headers }) {
    if (headers.cookie?.includes('seen=before')) return inside();
    return refused(403, { 'set-cookie': 'seen=before; Path=/; HttpOnly' });
  },
  /** Three visits a second. */
  rate({ earlier, now }) {
    const recent = earlier.filter((time) => now - time < RATE_WINDOW_MS).length;
    return recent < RATE_LIMIT ? inside() : refused(429, { 'retry-after': '1' });
  },
  /** A script that looks around and computes a cookie. */
  script: (visit) => (isPerson(visit) ? inside() : { status: 403, body: scriptChallenge(visit) }),
  /** Lets nobody in. */
  closed: () => ({
    status: 403,
    body: page(
      'Just a moment...',
      '<p>Checking your browser before you continue.</p>',
      '<script src="/cdn-cgi/challenge-platform/x.js"></script>',
    ),
  }),
} satisfies Record<string, Wall>;

export type WallName = keyof typeof WALLS;

export interface Walls {
  url(wall: WallName, path?: string): string;
  /** The requests so far, favicons aside. */
  visits(wall: WallName): FingerprintedRequest[];
  forget(): void;
  /** Settings that let a service reach the walls. */
  settings: Record<string, string>;
  port: number;
  stop(): Promise<void>;
}

export async function startWalls(chrome: ChromeRecord = CHROME): Promise<Walls> {
  const visits = new Map<string, { request: FingerprintedRequest; time: number }[]>();
  const names = Object.keys(WALLS);
  const server: FingerprintServer = await startFingerprintServer(
    names.map((name) => `${name}.test`),
    (request) => {
      const name = request.host.split('.')[0]!;
      const wall: Wall | undefined = Object.hasOwn(WALLS, name) ? WALLS[name as WallName] : undefined;
      if (!wall || request.path === '/favicon.ico') return { status: 404, body: '' };
      const before = visits.get(name) ?? [];
      const now = Date.now();
      visits.set(name, [...before, { request, time: now }]);
      return wall({ ...request, chrome, now, earlier: before.map(({ time }) => time) });
    },
  );
  const dns: DnsServer = await startDns({ '*.test': ['127.0.0.1'] });
  return {
    url: (wall, path = '/') => `https://${wall}.test:${server.port}${path}`,
    visits: (wall) => (visits.get(wall) ?? []).map(({ request }) => request),
    forget: () => visits.clear(),
    settings: { TRAWL_DNS: dns.address, TRAWL_ALLOW_NETWORKS: '127.0.0.0/8' },
    port: server.port,
    async stop() {
      await Promise.all([server.stop(), dns.stop()]);
    },
  };
}

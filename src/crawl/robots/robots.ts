// Fetches and caches the robots.txt of each origin, and decides by RFC 9309 what a missing or failing file means.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { decodeText } from '../../markup/charset.ts';
import type { Egress } from '../../net/egress.ts';
import { readBodyStart } from '../../net/http/response-body.ts';
import { followRedirects, type RedirectHooks } from '../../net/redirects.ts';
import { raceAbort, startDeadline } from '../../util/abort.ts';
import type { Clock } from '../../util/clock.ts';
import { type CacheableRobots, createRobotsCache } from './robots-cache.ts';
import { MAX_ROBOTS_BYTES, parseRobots, type RobotsFile } from './robots-file.ts';

interface SiteRobots extends RobotsFile {
  /** Why the file could not be read. `rulesFor` then returns what the standard prescribes for that case. */
  failure?: ServiceError;
}

export interface Robots {
  /** The robots.txt for this URL. Rejects only when `signal` aborts. */
  of(url: URL, trust: RobotsTrust, signal: AbortSignal): Promise<SiteRobots>;
}

export interface RobotsTrust {
  /** Whether a file from a site with an invalid certificate counts as unreadable. */
  verifyTls: boolean;
  /** Which hosts may get a request, if not all. The file of a site may be elsewhere, by redirects. */
  mayFetch?(url: URL): boolean;
}

export interface RobotsDeps {
  egress: Egress;
  clock: Pick<Clock, 'now'>;
  /** Identify the crawler. */
  headers(): Promise<Record<string, string>>;
  limits?: Partial<RobotsLimits>;
}

export interface RobotsLimits {
  fetchMs: number;
  /** How long to cache a file, and a failure: a site that recovers must not wait a day. */
  keepMs: number;
  keepFailureMs: number;
  origins: number;
  /** Size of all cached files together. */
  bytes: number;
}

const DEFAULT_LIMITS: Readonly<RobotsLimits> = {
  fetchMs: 10_000,
  keepMs: 24 * 60 * 60_000,
  keepFailureMs: 5 * 60_000,
  origins: 1_000,
  bytes: 8 * 1024 * 1024,
};

// The standard requires at least five.
const MAX_REDIRECTS = 10;

export function createRobots({ egress, clock, headers, limits: own }: RobotsDeps): Robots {
  const limits = { ...DEFAULT_LIMITS, ...own };
  const cache = createRobotsCache<SiteRobots>(clock, limits);

  const allowAll = parseRobots('');
  const disallowAll = parseRobots('User-agent: *\nDisallow: /');

  const found = (value: SiteRobots, bytes = 0): CacheableRobots<SiteRobots> => ({
    value,
    keepMs: limits.keepMs,
    bytes,
  });

  /** What the file forbids is unknown, so everything is forbidden, unless an expired copy is available. */
  const unreachable = (failure: ServiceError, last?: CacheableRobots<SiteRobots>): CacheableRobots<SiteRobots> => ({
    ...(last && !last.value.failure ? last : { value: { ...disallowAll, failure }, bytes: 0 }),
    keepMs: limits.keepFailureMs,
  });

  async function ask(
    origin: string,
    { verifyTls, mayFetch }: RobotsTrust,
    last?: CacheableRobots<SiteRobots>,
  ): Promise<CacheableRobots<SiteRobots>> {
    const time = startDeadline(limits.fetchMs, timeoutError);
    const redirects = trackRedirects(mayFetch);
    try {
      const request = {
        url: new URL('/robots.txt', origin),
        headers: await headers(),
        route: 'basic',
        verifyTls,
      } as const;
      const { response } = await followRedirects(egress, request, redirects.hooks, time.signal);
      const { status, body } = response;
      if (status >= 200 && status < 300) {
        // One byte more than is parsed, so that the parser knows that something was cut.
        const { bytes } = await readBodyStart(body, MAX_ROBOTS_BYTES + 1);
        // The standard requires UTF-8, and servers often label plain text wrongly.
        return found(parseRobots(decodeText(bytes, '', { html: false }).text), bytes.length);
      }
      body.destroy();
      if (status !== 429 && status < 500) return found(allowAll);
      return unreachable(siteError(`robots.txt answered with status ${status}.`), last);
    } catch (error) {
      // Says nothing about the site, so it is not kept for others.
      if (!(error instanceof ServiceError) || error instanceof ForbiddenRedirect) throw error;
      if (error === redirects.loopError) return found(allowAll);
      // No page of this origin can be fetched either, and that error explains more than "forbidden by robots.txt".
      if (!redirects.wasAnswered() && NOT_DIALLED.has(error.code)) {
        return { value: { ...allowAll, failure: error }, keepMs: 0, bytes: 0 };
      }
      return unreachable(error, last);
    } finally {
      time.done();
    }
  }

  /** Certificates are verified first. What is read in spite of an invalid one is kept apart, for those who accept it. */
  async function read(origin: string, trust: RobotsTrust): Promise<SiteRobots> {
    const verified = await share(origin, origin, { ...trust, verifyTls: true });
    if (trust.verifyTls || verified.failure?.code !== 'SCRAPE_SSL_ERROR') return verified;
    return share(`${origin} unverified`, origin, trust);
  }

  /** Callers with different rules share a fetch until one of them may not follow a redirect: the others then fetch again. */
  async function share(key: string, origin: string, trust: RobotsTrust): Promise<SiteRobots> {
    for (;;) {
      try {
        return await cache.of(key, (last) => ask(origin, trust, last));
      } catch (error) {
        if (!(error instanceof ForbiddenRedirect)) throw error;
        if (trust.mayFetch?.(error.to) === false) return { ...disallowAll, failure: error };
      }
    }
  }

  return {
    async of({ origin }, trust, signal) {
      signal.throwIfAborted();
      // Callers share the fetch, so it continues when one of them leaves; it has its own time limit.
      return raceAbort(read(origin, trust), signal);
    },
  };
}

const NOT_DIALLED = new Set<string>(['UNSUPPORTED_SITE', 'SCRAPE_DNS_RESOLUTION_ERROR']);

const timeoutError = () => new ServiceError('SCRAPE_TIMEOUT', { message: 'robots.txt did not arrive in time.' });
const siteError = (message: string) => new ServiceError('SCRAPE_SITE_ERROR', { message });

class ForbiddenRedirect extends ServiceError {
  readonly to: URL;
  constructor(to: URL) {
    super('UNSUPPORTED_SITE', {
      message: `robots.txt redirects to ${to.hostname}, which your rules about URLs forbid.`,
    });
    this.to = to;
  }
}

const forbiddenRedirect = (to: URL) => new ForbiddenRedirect(to);

/** Distinguishes endless redirects, which count as a missing file, from a site that does not answer. */
function trackRedirects(mayFetch: RobotsTrust['mayFetch']) {
  const loopError = siteError('robots.txt redirects in a loop or too often.');
  const visited = new Set<string>();
  let answers = 0;
  const hooks: RedirectHooks = {
    headersFor(url) {
      if (visited.has(url.href) || visited.size > MAX_REDIRECTS) throw loopError;
      if (mayFetch?.(url) === false) throw forbiddenRedirect(url);
      visited.add(url.href);
      return {};
    },
    onResponse() {
      answers += 1;
    },
  };
  return { hooks, loopError, wasAnswered: () => answers > 0 };
}

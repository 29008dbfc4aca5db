// The engines without scripts: fetch a page over HTTP with a browser's identity, cookies for the scrape, redirects and
// retries. One uses the ordinary client, the other one whose TLS and HTTP/2 look like Chrome's.
import type { CookieJar } from 'tough-cookie';
import { ServiceError } from '../contracts/errors/errors.ts';
import { checkRequests } from '../net/checked-requests.ts';
import type { Egress, EgressResponse } from '../net/egress.ts';
import { type Followed, followRedirects, MAX_REDIRECTS } from '../net/redirects.ts';
import type { EngineName, Fetched } from '../page/page.ts';
import type { Clock } from '../util/clock.ts';
import type { FetchEngine, FetchRequest, Validators } from './engine.ts';
import { noteResponse } from './explain/attempt-notes.ts';
import { createIdentify, type Identify } from './identity.ts';
import { metaRefreshTarget, refreshTarget } from './meta-refresh.ts';
import { readAdmitted } from './read-admitted.ts';
import { refusalOf } from './refusal.ts';
import { withRetries } from './retry.ts';

interface Deps<Client extends Partial<Egress> = Egress> {
  egress: Client;
  clock: Clock;
  identify?: Identify;
}

/** Sends the requests of one page. */
interface Client extends Pick<Egress, 'request'> {
  close(): void;
}

type OpenClient = (request: FetchRequest) => Promise<Client>;

type HttpAnswer = Pick<Fetched, 'finalUrl' | 'status' | 'headers' | 'contentType' | 'bytes' | 'isVerified'>;

export const createHttpEngine = (deps: Deps<Pick<Egress, 'request'>>): FetchEngine =>
  createEngine('http', deps, async () => ({ request: deps.egress.request, close() {} }));

/** Throws SCRAPE_ALL_ENGINES_FAILED where the machine cannot do it. */
export const createChromeHttpEngine = (deps: Deps): FetchEngine =>
  createEngine('chrome-http', deps, async (request) => {
    const { proxyClass, location, verifyTls } = request;
    const { 'user-agent': userAgent = '' } = await (deps.identify ?? createIdentify())(request);
    return deps.egress.impersonate({ proxyClass, country: location.country, verifyTls, userAgent });
  });

function createEngine(
  name: EngineName,
  { clock, identify = createIdentify() }: Omit<Deps, 'egress'>,
  openClient: OpenClient,
): FetchEngine {
  return {
    name,
    async fetch(request, signal) {
      const { deadline, isBusyFinal } = request;
      const client = checkRequests(await openClient(request), request.threatCheck?.check);
      try {
        const attempt = () => fetchFinal(client, request, signal);
        const fetched = await withRetries(attempt, { clock, deadline, isBusyFinal, signal });
        return {
          ...fetched,
          requestedUrl: request.url.href,
          fetchedAt: clock.now(),
          engine: name,
          proxyClass: request.proxyClass,
        };
      } finally {
        client.close();
      }
    },
  };

  /** Follows HTTP redirects and the page's own (meta refresh) to the final page. */
  async function fetchFinal(client: Client, request: FetchRequest, signal: AbortSignal): Promise<HttpAnswer> {
    const jar = await openJar();
    let url = request.url;
    let redirects = 0;
    let hasReturned = false;
    let isVerified = true;
    while (redirects <= MAX_REDIRECTS) {
      const cookies = jar.getCookieStringSync(url.href);
      const { response, hops, isVerified: isHopVerified } = await load(client, url, jar, request, signal);
      const page = await read(response, request);
      // Some walls refuse the first visit with a cookie, and let in who comes back with it.
      const isInvited = refusalOf(page) !== undefined && jar.getCookieStringSync(url.href) !== cookies;
      if (isInvited && !hasReturned && request.proxyClass === 'enhanced') {
        hasReturned = true;
        continue;
      }
      const next = nextPage(page);
      isVerified &&= isHopVerified;
      if (!next) return { ...page, ...(isVerified && { isVerified }) };
      url = next;
      redirects += hops.length + 1;
    }
    throw new ServiceError('SCRAPE_SITE_ERROR', {
      message: `The site redirects more than ${MAX_REDIRECTS} times. Open it in a browser, and scrape the URL that it leads to.`,
    });
  }

  async function load(
    client: Client,
    url: URL,
    jar: CookieJar,
    request: FetchRequest,
    signal: AbortSignal,
  ): Promise<Followed> {
    return followRedirects(
      client,
      {
        url,
        headers: await identify(request),
        callerHeaders: request.headers,
        route: request.proxyClass,
        country: request.location.country,
        verifyTls: request.verifyTls,
        ...(request.recorder && { recorder: request.recorder }),
      },
      {
        headersFor(target): Record<string, string> {
          // The caller's cookies, then those that the site has set.
          const cookies = [request.headers.at(target).cookie, jar.getCookieStringSync(target.href)].filter(Boolean);
          return {
            ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
            ...conditions(request.validators, target),
          };
        },
        onResponse(response) {
          noteResponse(request.notes, response.url.href, response.status);
          for (const line of response.setCookies) jar.setCookieSync(line, response.url.href, { ignoreError: true });
        },
      },
      signal,
    );
  }
}

function conditions(validators: Validators | undefined, { href }: URL): Record<string, string> {
  if (validators?.url !== href) return {};
  const { etag, lastModified } = validators;
  return {
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
  };
}

/** Loaded with the first page, to keep an idle service small. */
async function openJar(): Promise<CookieJar> {
  const { CookieJar } = await import('tough-cookie');
  return new CookieJar(undefined, { looseMode: true });
}

function nextPage(page: HttpAnswer): URL | undefined {
  if (page.status >= 400) return undefined;
  const base = new URL(page.finalUrl);
  const byHeader = refreshTarget(page.headers.refresh, base);
  if (byHeader) return byHeader;
  return /html|^$/.test(page.contentType) ? metaRefreshTarget(page.bytes, base) : undefined;
}

async function read(response: EgressResponse, request: FetchRequest): Promise<HttpAnswer> {
  const contentType = response.headers['content-type'] ?? '';
  try {
    const bytes = await readAdmitted(response.body, (firstBytes) => request.admit(contentType, firstBytes));
    return { finalUrl: response.url.href, status: response.status, headers: response.headers, contentType, bytes };
  } finally {
    response.body.destroy();
  }
}

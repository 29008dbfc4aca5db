// Requests that look like Chrome's on the wire: its TLS handshake, its HTTP/2 settings, its order of headers. The native
// library that makes them never dials a target: its traffic goes through the browser proxy, under the common rules.
import type * as impit from 'impit';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { ProxyClass } from '../../page/page.ts';
import { raceTimeout } from '../../util/abort.ts';
import { counted } from '../../util/bytes/bounded-read.ts';
import type { AddressRules } from '../addresses/address-rules.ts';
import type { BrowserPass, BrowserProxy } from '../browser-proxy/browser-proxy.ts';
import type { ExchangeLimits } from '../connections/exchange.ts';
import { type BodyLimits, checkExpansion } from '../http/decode-body.ts';
import { type ResponseHeaders, requestHeaders, responseHeaders } from '../http/headers.ts';
import { type MinimumPace, type RawBody, type ResponseBody, readBody, recordedBody } from '../http/response-body.ts';
import type { Recorder } from '../recorder.ts';
import { failureOf } from '../wire-failure.ts';
import { chromeHeaders } from './chrome-headers.ts';
import { impersonationFault } from './impersonation-fault.ts';

export interface ImpersonationOptions {
  proxyClass: ProxyClass;
  country?: string;
  verifyTls: boolean;
  /** The User-Agent that will be sent: the handshake is that of the same version. */
  userAgent: string;
}

interface ImpersonatedRequest {
  url: URL;
  method?: 'GET' | 'HEAD' | 'POST';
  headers: Record<string, string>;
  body?: string | Uint8Array;
  maxBytes?: number;
  recorder?: Recorder;
}

interface ImpersonatedResponse extends ResponseHeaders {
  url: URL;
  status: number;
  isVerified: boolean;
  body: ResponseBody;
}

/** A client for one page: its connections are its own, and all of them leave by the same upstream proxy, if any. */
export interface ImpersonatedClient {
  /** One hop, as `Egress.request`; the route and the verification of TLS are the client's. Throws ServiceError. */
  request(request: ImpersonatedRequest, signal: AbortSignal): Promise<ImpersonatedResponse>;
  close(): void;
}

export interface Impersonation {
  /** Throws SCRAPE_ALL_ENGINES_FAILED where the library is missing. */
  open(options: ImpersonationOptions): Promise<ImpersonatedClient>;
}

interface Deps {
  rules: AddressRules;
  openProxy(): Promise<BrowserProxy>;
  limits: BodyLimits & MinimumPace & ExchangeLimits;
}

type Library = typeof impit;

// The versions of Chrome whose handshake the library knows.
const VERSIONS = [131, 136, 142, 151] as const;
/** Traffic allowance in page sizes: redirects have bodies, too. */
const TRAFFIC_PER_PAGE = 2;
/** The library's own limit for a whole exchange. Ours are shorter and say what happened. */
const LIBRARY_TIMEOUT_MS = 3_600_000;

export function createImpersonation({ rules, openProxy, limits }: Deps): Impersonation {
  // Loaded on first use: the library takes some memory, and most pages do without.
  let loading: Promise<Library> | undefined;

  return {
    async open({ proxyClass, country, verifyTls, userAgent }) {
      loading ??= loadLibrary();
      const { Impit } = await loading;
      const proxy = await openProxy();
      const pass = proxy.issuePass({ proxyClass, country, maxBytes: limits.maxBytes * TRAFFIC_PER_PAGE });
      const clientWith = (ignoreTlsErrors: boolean) =>
        new Impit({
          browser: `chrome${versionFor(userAgent)}`,
          ignoreTlsErrors,
          proxyUrl: proxyUrl(proxy, pass),
          timeout: LIBRARY_TIMEOUT_MS,
          followRedirects: false,
          vanillaFallback: false,
          http3: false,
        });
      const verifying = clientWith(false);
      let lenient: impit.Impit | undefined;

      return {
        async request(request, signal) {
          signal.throwIfAborted();
          rules.checkUrl(request.url);
          if (!lenient) {
            try {
              return { ...(await send(verifying, pass, limits, request, signal)), isVerified: true };
            } catch (error) {
              if (verifyTls || !(error instanceof ServiceError) || error.code !== 'SCRAPE_SSL_ERROR') throw error;
              // Only now, because the handshake of a client that verifies nothing differs from Chrome's.
              lenient = clientWith(true);
            }
          }
          return { ...(await send(lenient, pass, limits, request, signal)), isVerified: false };
        },
        close: pass.revoke,
      };
    },
  };
}

async function send(
  client: impit.Impit,
  pass: BrowserPass,
  limits: Deps['limits'],
  { url, method = 'GET', headers, body, maxBytes = limits.maxBytes, recorder }: ImpersonatedRequest,
  signal: AbortSignal,
): Promise<Omit<ImpersonatedResponse, 'isVerified'>> {
  const sent = chromeHeaders(url, requestHeaders(headers));
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const bounds = { ...limits, maxBytes };
  try {
    const answer = client.fetch(url.href, { method, headers: sent, body: bytes, redirect: 'manual', signal });
    const received = await raceTimeout(answer, limits.headersMs, headersTimeout, { signal });
    // Over plain http this is our proxy's: it never passes on a 407 of a site.
    if (received.status === 407 && url.protocol === 'http:') throw new ServiceError('SCRAPE_SITE_ERROR');
    const lines = headerLines(received.headers);
    const raw = rawBody(received, pass, bounds);
    const recording = recorder?.begin(
      { url, method, headers: sent },
      { status: received.status, headers: [...received.headers], isDecoded: true },
    );
    return {
      url,
      status: received.status,
      ...responseHeaders(lines),
      body: readBody(recording ? recordedBody(raw, recording) : raw, bounds, signal),
    };
  } catch (error) {
    throw failureOf(pass.problem(url) ?? impersonationFault(error), signal);
  }
}

async function loadLibrary(): Promise<Library> {
  try {
    return await import('impit');
  } catch (cause) {
    throw new ServiceError('SCRAPE_ALL_ENGINES_FAILED', {
      message: 'Chrome’s TLS identity is not available here: the package impit has no build for this platform.',
      cause,
    });
  }
}

/** The newest version that is not newer than the one in the User-Agent. */
function versionFor(userAgent: string): (typeof VERSIONS)[number] {
  const major = Number(/Chrome\/(\d+)/.exec(userAgent)?.[1] ?? Number.POSITIVE_INFINITY);
  return VERSIONS.findLast((version) => version <= major) ?? VERSIONS[0];
}

function proxyUrl(proxy: BrowserProxy, { username, password }: BrowserPass): string {
  const url = new URL(proxy.url);
  url.username = username;
  url.password = password;
  return url.href;
}

function headersTimeout(): never {
  throw new ServiceError('SCRAPE_SITE_ERROR', {
    message: 'The site accepted the request but did not answer in time.',
  });
}

function headerLines(headers: Headers): Record<string, string[]> {
  const lines: Record<string, string[]> = {};
  for (const [name, value] of headers) lines[name] = [...(lines[name] ?? []), value];
  return lines;
}

/** The library has decompressed it. */
function rawBody({ body, headers }: impit.ImpitResponse, pass: BrowserPass, limits: Deps['limits']): RawBody {
  const codings = headers.get('content-encoding')?.split(',') ?? [];
  if (codings.length > 1) {
    // The library removes only one layer of compression.
    throw new ServiceError('SCRAPE_SITE_ERROR', { message: 'The site compressed the page more than once.' });
  }
  const reader = body.getReader();
  const chunks = async function* () {
    while (true) {
      const { done, value } = await raceTimeout(reader.read(), limits.idleMs, bodyTimeout);
      if (done) return;
      yield value;
    }
  };
  const faulty = async function* () {
    try {
      yield* counted(chunks(), (bytes) => checkExpansion(bytes, pass.bytes, limits));
    } catch (error) {
      throw pass.problem() ?? impersonationFault(error);
    }
  };
  return {
    bytes: faulty(),
    contentEncoding: undefined,
    announcedBytes: Number(headers.get('content-length') ?? Number.NaN),
    release: () => void reader.cancel().catch(() => {}),
  };
}

function bodyTimeout(): never {
  throw new ServiceError('SCRAPE_SITE_ERROR', { message: 'The site stopped in the middle of its answer.' });
}

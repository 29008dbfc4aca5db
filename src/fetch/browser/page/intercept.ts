// Stands between a page and the proxy where the page must not decide alone: the pass, the caller's headers, what is
// blocked, and documents that are files. Only documents are stopped for it, and what may have to be blocked:
// to stop every request would cost more than the page itself.
import type { CDPSession } from 'playwright-core';
import type { BrowserPass } from '../../../net/browser-proxy/browser-proxy.ts';
import { requestHeaders } from '../../../net/http/headers.ts';
import type { FetchRequest } from '../../engine.ts';
import type { Blocker } from './blocker.ts';
import { isAttachment, isPage, type MainResponse, readFile } from './main-response.ts';

export interface Interception {
  /** The last document of the main frame whose answer has come. */
  mainResponse(): MainResponse | undefined;
  /** Where the main frame was last sent to. */
  target(): URL;
  /** What stopped the reading of a file. */
  problem(): unknown;
}

export interface InterceptOptions {
  session: CDPSession;
  request: FetchRequest;
  pass: BrowserPass;
  blocker: Blocker | undefined;
  maxBytes: number;
}

interface Header {
  name: string;
  value: string;
}

interface Paused {
  requestId: string;
  request: { url: string; headers: Record<string, string> };
  frameId: string;
  resourceType: string;
  responseStatusCode?: number;
  responseErrorReason?: string;
  responseHeaders?: Header[];
}

export async function intercept(options: InterceptOptions): Promise<Interception> {
  const { session, request, pass, blocker, maxBytes } = options;
  const own = ownHeaders(request);
  const home = request.url.origin;
  const { frameTree } = await session.send('Page.getFrameTree');
  const mainFrame = frameTree.frame.id;
  // A picture of a file, or actions on it, need it shown.
  const showsFiles = request.screenshot !== undefined || request.actions.length > 0;
  let document: MainResponse | undefined;
  let target = request.url;
  let problem: unknown;

  const onRequest = async (paused: Paused) => {
    const { requestId, resourceType, frameId } = paused;
    const url = URL.parse(paused.request.url);
    const isMain = resourceType === 'Document' && frameId === mainFrame;
    if (url && isMain) target = url;
    if (url && !isMain && blocker?.blocks(url)) {
      await session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
      return;
    }
    // Named on every hop, or those of the first would go along to wherever it leads.
    const headers = own && headersFor(paused, own, url?.origin === home);
    await session.send('Fetch.continueRequest', { requestId, headers });
  };

  const onResponse = async (paused: Paused) => {
    const { requestId, responseStatusCode: status = 0, responseErrorReason: failed } = paused;
    if (failed !== undefined || paused.frameId !== mainFrame || isRedirect(paused)) {
      await session.send('Fetch.continueResponse', { requestId });
      return;
    }
    const headers = headerMap(paused.responseHeaders ?? []);
    const arrived: MainResponse = { url: paused.request.url, status, headers };
    if (isPage(arrived)) {
      document = arrived;
      await session.send('Fetch.continueResponse', { requestId });
      return;
    }
    // Files that a page offers once it is there: the page is what was asked for.
    if (document && isAttachment(arrived)) {
      await session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
      return;
    }
    const bytes = await readFile(
      session,
      requestId,
      (first) => request.admit(headers['content-type'] ?? '', first),
      maxBytes,
    );
    document = { ...arrived, bytes };
    if (!showsFiles || isAttachment(arrived)) {
      await session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
      return;
    }
    const body = Buffer.from(bytes).toString('base64');
    const kept = (paused.responseHeaders ?? []).filter(({ name }) => !/^content-(encoding|length)$/i.test(name));
    await session.send('Fetch.fulfillRequest', { requestId, responseCode: status, responseHeaders: kept, body });
  };

  session.on('Fetch.requestPaused', (paused: Paused) => {
    const isAnswer = paused.responseStatusCode !== undefined || paused.responseErrorReason !== undefined;
    (isAnswer ? onResponse(paused) : onRequest(paused)).catch((error) => {
      problem ??= error;
      // The page may be gone meanwhile, and the request with it.
      session.send('Fetch.failRequest', { requestId: paused.requestId, errorReason: 'Aborted' }).catch(() => {});
    });
  });
  session.on('Fetch.authRequired', ({ requestId, authChallenge }) => {
    const { username, password } = pass;
    const isOurs = authChallenge.source === 'Proxy';
    const authChallengeResponse = isOurs
      ? { response: 'ProvideCredentials' as const, username, password }
      : { response: 'CancelAuth' as const };
    session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(() => {});
  });

  const anyRequest = own ? [{ urlPattern: '*' }] : (blocker?.wildcards ?? []).map((urlPattern) => ({ urlPattern }));
  await session.send('Fetch.enable', {
    // The first document answers the proxy's question for its pass; Chromium remembers that for the whole context.
    handleAuthRequests: true,
    patterns: [
      { urlPattern: '*', resourceType: 'Document', requestStage: 'Request' },
      { urlPattern: '*', resourceType: 'Document', requestStage: 'Response' },
      ...anyRequest,
    ],
  });
  return { mainResponse: () => document, target: () => target, problem: () => problem };
}

/** The caller's headers but for cookies, which the context holds; undefined when there are none. */
function ownHeaders({ headers }: FetchRequest): Header[] | undefined {
  const { 'accept-encoding': _ours, ...allowed } = requestHeaders(headers);
  const own = Object.entries(allowed)
    .map(([name, value]) => ({ name, value }))
    .filter(({ name }) => name.toLowerCase() !== 'cookie');
  return own.length > 0 ? own : undefined;
}

function headersFor({ request }: Paused, own: Header[], isHome: boolean): Header[] {
  const names = new Set(own.map(({ name }) => name.toLowerCase()));
  const others = Object.entries(request.headers)
    .map(([name, value]) => ({ name, value }))
    .filter(
      ({ name, value }) => !names.has(name.toLowerCase()) || (!isHome && !own.some((mine) => mine.value === value)),
    );
  return isHome ? [...others, ...own] : others;
}

const isRedirect = ({ responseStatusCode: status = 0, responseHeaders = [] }: Paused): boolean =>
  status >= 300 && status < 400 && responseHeaders.some(({ name }) => name.toLowerCase() === 'location');

/** Lower-case names, repeated lines joined; cookies are the context's business. */
function headerMap(lines: readonly Header[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { name, value } of lines) {
    const key = name.toLowerCase();
    if (key !== 'set-cookie') headers[key] = key in headers ? `${headers[key]}, ${value}` : value;
  }
  return headers;
}

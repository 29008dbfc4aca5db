// Intercepts requests where the page must not decide alone: the proxy's pass, the caller's headers, files, and ads.
// Without headers to add, only documents and possible ads are paused: pausing all requests would slow the page down.
import type { CDPSession } from 'playwright-core';
import type { BrowserPass } from '../../../net/browser-proxy/browser-proxy.ts';
import type { CallerHeaders } from '../../../net/http/caller-headers.ts';
import { requestHeaders } from '../../../net/http/headers.ts';
import type { InterceptedRequest } from '../../../sessions/set-up-pages.ts';
import { decodedAnswer } from '../../archive/archived-answers.ts';
import type { FetchRequest } from '../../engine.ts';
import { browserWork, noteResponse } from '../../explain/attempt-notes.ts';
import type { Blocker } from './blocker.ts';
import { isAttachment, isPage, type MainResponse, readFile } from './main-response.ts';

export interface Interception {
  /** The latest response of the main frame. */
  mainResponse(): MainResponse | undefined;
  /** The latest URL that the main frame requested. */
  target(): URL;
  /** What went wrong while a request was handled, such as reading a file. */
  problem(): unknown;
}

export interface InterceptOptions {
  session: CDPSession;
  mainFrame: string;
  request: FetchRequest;
  pass: BrowserPass;
  blocker: Blocker | undefined;
  maxBytes: number;
}

interface Context extends InterceptOptions {
  state: { mainResponse?: MainResponse; target: URL; problem?: unknown };
}

interface Header {
  name: string;
  value: string;
}

interface Paused {
  requestId: string;
  request: { url: string; method: string; headers: Record<string, string> };
  frameId: string;
  resourceType: string;
  responseStatusCode?: number;
  responseErrorReason?: string;
  responseHeaders?: Header[];
}

export async function intercept(options: InterceptOptions): Promise<Interception> {
  const { session, request, pass, blocker } = options;
  const state: Context['state'] = { target: request.url };
  const context: Context = { ...options, state };

  session.on('Fetch.requestPaused', (paused: Paused) => {
    const isResponse = paused.responseStatusCode !== undefined || paused.responseErrorReason !== undefined;
    const handled = isResponse ? onResponse(context, paused) : onRequest(context, paused);
    handled.catch((error) => {
      state.problem ??= error;
      // The page may be gone by now, and the request with it.
      session.send('Fetch.failRequest', { requestId: paused.requestId, errorReason: 'Aborted' }).catch(() => {});
    });
  });
  answerProxy(session, pass);
  const others = request.headers.isEmpty && !request.answers ? (blocker?.wildcards ?? []) : ['*'];
  await session.send('Fetch.enable', {
    // The first page load answers the proxy's challenge; Chromium remembers the credentials for the whole context.
    handleAuthRequests: true,
    patterns: [
      { urlPattern: '*', resourceType: 'Document', requestStage: 'Request' },
      { urlPattern: '*', resourceType: 'Document', requestStage: 'Response' },
      ...others.map((urlPattern) => ({ urlPattern })),
    ],
  });
  return { mainResponse: () => state.mainResponse, target: () => state.target, problem: () => state.problem };
}

async function onRequest(context: Context, paused: Paused): Promise<void> {
  const { session, request, blocker, mainFrame, state } = context;
  const { requestId, resourceType, frameId } = paused;
  const url = URL.parse(paused.request.url);
  const isMain = resourceType === 'Document' && frameId === mainFrame;
  if (url && isMain) state.target = url;
  if (url && !isMain && blocker?.blocks(url)) {
    if (request.notes) browserWork(request.notes).blocked += 1;
    await session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
    return;
  }
  if (request.answers) return answerRequest(context, paused, isMain);
  const headers = withCallerHeaders(request.headers, { ...paused.request, isNavigation: isMain });
  await session.send('Fetch.continueRequest', { requestId, headers });
}

/** From the archive; what it does not have fails as if there were no network. */
async function answerRequest(context: Context, { requestId, request: asked }: Paused, isMain: boolean): Promise<void> {
  const { session, request, maxBytes, state } = context;
  const url = new URL(asked.url);
  try {
    const found = await request.answers!.answer(url, asked.method);
    const { status, headers, body } = await decodedAnswer(found, maxBytes);
    const response = { url: url.href, status, headers: headerMap(headers) };
    const isRedirected = isRedirect({ responseStatusCode: status, responseHeaders: headers });
    if (isMain && !isRedirected) {
      noteResponse(request.notes, url.href, status);
      state.mainResponse = isPage(response) ? response : { ...response, bytes: admittedFile(context, response, body) };
    }
    await session.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: status,
      responseHeaders: headers,
      body: body.toString('base64'),
    });
  } catch (error) {
    if (isMain) state.problem ??= error;
    await session.send('Fetch.failRequest', { requestId, errorReason: 'InternetDisconnected' });
  }
}

function admittedFile({ request }: Context, { headers }: MainResponse, body: Uint8Array): Uint8Array {
  const decision = request.admit(headers['content-type'] ?? '', body);
  return decision === 'enough' ? new Uint8Array() : body;
}

async function onResponse(context: Context, paused: Paused): Promise<void> {
  const { session, request, mainFrame, state } = context;
  const { requestId, responseStatusCode: status = 0, responseErrorReason: failed } = paused;
  if (failed === undefined && paused.frameId === mainFrame) noteResponse(request.notes, paused.request.url, status);
  if (failed !== undefined || paused.frameId !== mainFrame || isRedirect(paused)) {
    await session.send('Fetch.continueResponse', { requestId });
    return;
  }
  const response: MainResponse = {
    url: paused.request.url,
    status,
    headers: headerMap(paused.responseHeaders ?? []),
  };
  if (isPage(response)) {
    state.mainResponse = response;
    await session.send('Fetch.continueResponse', { requestId });
  } else if (state.mainResponse && isAttachment(response)) {
    // A download that the page offers once it is there: the page is what was asked for.
    await session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
  } else {
    await takeFile(context, paused, response);
  }
}

async function takeFile(context: Context, paused: Paused, response: MainResponse) {
  const { session, request, maxBytes, state } = context;
  const { requestId, responseHeaders = [] } = paused;
  const { status, headers } = response;
  const admit = (firstBytes: Uint8Array) => request.admit(headers['content-type'] ?? '', firstBytes);
  const bytes = await readFile(session, requestId, admit, maxBytes);
  state.mainResponse = { ...response, bytes };
  recordFile(context, paused, bytes);
  // For a screenshot, or for actions, the browser has to show the file.
  const isShown = request.screenshot !== undefined || request.actions.length > 0;
  if (!isShown || isAttachment(response)) {
    await session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
    return;
  }
  await session.send('Fetch.fulfillRequest', {
    requestId,
    responseCode: status,
    responseHeaders: responseHeaders.filter(({ name }) => !/^content-(encoding|length)$/i.test(name)),
    body: Buffer.from(bytes).toString('base64'),
  });
}

/** It never finishes for the browser. Over plain http, the proxy has seen it. */
function recordFile({ request: { recorder } }: Context, { request, ...paused }: Paused, bytes: Uint8Array): void {
  if (!recorder || !request.url.startsWith('https:')) return;
  const { responseStatusCode: status = 0, responseHeaders = [] } = paused;
  const headers = responseHeaders.map(({ name, value }) => [name, value] as const);
  const sent = { url: new URL(request.url), method: request.method, headers: Object.entries(request.headers) };
  const recording = recorder.begin(sent, { status, headers, isDecoded: true });
  recording.add(bytes);
  recording.end();
}

/** Sends the credentials of the pass to our proxy only: a site that asks for some gets none. */
function answerProxy(session: CDPSession, { username, password }: BrowserPass): void {
  session.on('Fetch.authRequired', ({ requestId, authChallenge }) => {
    const authChallengeResponse =
      authChallenge.source === 'Proxy'
        ? { response: 'ProvideCredentials' as const, username, password }
        : { response: 'CancelAuth' as const };
    session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(() => {});
  });
}

/**
 * All headers of a request that a page makes, with the caller's where they belong; undefined leaves the request alone.
 * They are never stored as cookies: those would also go to other ports, WebSockets and scripts.
 */
export function withCallerHeaders(
  caller: CallerHeaders,
  { url, method, headers, isNavigation }: InterceptedRequest,
): Header[] | undefined {
  if (caller.isEmpty) return undefined;
  const target = new URL(url);
  const others = caller.removedFrom(headers);
  const { referer = '', cookie: stored } = lowerCaseNames(others);
  const isVisit = isNavigation && method === 'GET';
  const given = isVisit ? caller.at(target) : caller.fromPage(target, URL.parse(referer));
  const { 'accept-encoding': _ours, ...own } = requestHeaders(given);
  if (own.cookie !== undefined && stored !== undefined) own.cookie += `; ${stored}`;
  const kept = Object.entries(others).filter(([name]) => !(name.toLowerCase() in own));
  return [...kept, ...Object.entries(own)].map(([name, value]) => ({ name, value }));
}

const lowerCaseNames = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const isRedirect = ({
  responseStatusCode: status = 0,
  responseHeaders = [],
}: Pick<Paused, 'responseStatusCode' | 'responseHeaders'>): boolean =>
  status >= 300 && status < 400 && responseHeaders.some(({ name }) => name.toLowerCase() === 'location');

/** Lower-case names, repeated lines joined. Set-Cookie is left out, because the context stores cookies. */
function headerMap(lines: readonly Header[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { name, value } of lines) {
    const key = name.toLowerCase();
    if (key !== 'set-cookie') headers[key] = key in headers ? `${headers[key]}, ${value}` : value;
  }
  return headers;
}

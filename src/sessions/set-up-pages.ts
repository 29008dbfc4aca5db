// Gives every page of a session the same set-up, pages that are opened later included. The browser forgets it when the
// connection closes, so that stays open as long as the session.
import type { Params } from './cdp.ts';
import { type CdpClient, createCdpClient } from './live-view/cdp-client.ts';
import type { BrowserSession } from './session.ts';

export interface Header {
  name: string;
  value: string;
}

/** A request that a page wants to make. */
export interface InterceptedRequest {
  url: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  /** It loads the page itself, not something in it. */
  isNavigation: boolean;
}

export interface PageSetup {
  /** Sent to each page before it loads anything. */
  commands: readonly { method: string; params: Params }[];
  /** All headers of a request; undefined leaves it alone. If absent, no request is intercepted. */
  headersFor?(request: InterceptedRequest): Header[] | undefined;
}

interface AttachedPage {
  sessionId: string;
  targetInfo: { targetId: string };
}

interface PausedRequest {
  requestId: string;
  request: Omit<InterceptedRequest, 'isNavigation'>;
  frameId: string;
  resourceType: string;
}

/** Resolves when the open pages are set up. */
export async function setUpPages(session: BrowserSession, setup: PageSetup, signal: AbortSignal): Promise<void> {
  const channel = await session.connect(signal);
  const starting: Promise<void>[] = [];
  // The frame of a page itself has the ID of its target.
  const mainFrames = new Map<string, string>();
  const client = createCdpClient(channel, (method, params, sessionId) => {
    if (method === 'Target.attachedToTarget') {
      const page = params as unknown as AttachedPage;
      mainFrames.set(page.sessionId, page.targetInfo.targetId);
      starting.push(setUp(client, setup, page.sessionId));
    } else if (method === 'Target.detachedFromTarget') {
      mainFrames.delete(String(params.sessionId));
    } else if (method === 'Fetch.requestPaused' && sessionId !== undefined) {
      const paused = params as unknown as PausedRequest;
      const isNavigation = paused.resourceType === 'Document' && paused.frameId === mainFrames.get(sessionId);
      sendOn(client, setup, paused.requestId, { ...paused.request, isNavigation }, sessionId);
    }
  });
  try {
    await client.call('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
      filter: [{ type: 'page' }],
    });
    await Promise.all(starting);
  } catch (error) {
    channel.close();
    throw error;
  }
}

async function setUp(client: CdpClient, { commands, headersFor }: PageSetup, sessionId: string): Promise<void> {
  const calls = commands.map(({ method, params }) => client.call(method, params, sessionId));
  if (headersFor) calls.push(client.call('Fetch.enable', { patterns: [{ urlPattern: '*' }] }, sessionId));
  // A page that was closed meanwhile, or that does not know a command, must not stop the others.
  await Promise.allSettled(calls);
  await client.call('Runtime.runIfWaitingForDebugger', {}, sessionId).catch(() => {});
}

async function sendOn(
  client: CdpClient,
  { headersFor }: PageSetup,
  requestId: string,
  request: InterceptedRequest,
  sessionId: string,
): Promise<void> {
  try {
    await client.call('Fetch.continueRequest', { requestId, headers: headersFor?.(request) }, sessionId);
  } catch {
    // The page is gone, and the request with it.
  }
}

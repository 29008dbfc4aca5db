// Gives every page of a session the same set-up, pages that are opened later included. The browser forgets it when the
// connection closes, so that stays open as long as the session.
import type { Params } from './cdp.ts';
import { type CdpClient, createCdpClient } from './live-view/cdp-client.ts';
import type { BrowserSession } from './session.ts';

export interface Header {
  name: string;
  value: string;
}

export interface PageSetup {
  /** Sent to each page before it loads anything. */
  commands: readonly { method: string; params: Params }[];
  /** All headers of a request, given those that the browser would send. If absent, requests are left alone. */
  headersFor?(url: string, headers: Readonly<Record<string, string>>): Header[];
}

interface PausedRequest {
  requestId: string;
  request: { url: string; headers: Record<string, string> };
}

/** Resolves when the open pages are set up. */
export async function setUpPages(session: BrowserSession, setup: PageSetup, signal: AbortSignal): Promise<void> {
  const channel = await session.connect(signal);
  const starting: Promise<void>[] = [];
  const client = createCdpClient(channel, (method, params, sessionId) => {
    if (method === 'Target.attachedToTarget') starting.push(setUp(client, setup, String(params.sessionId)));
    else if (method === 'Fetch.requestPaused' && sessionId !== undefined) {
      sendOn(client, setup, params as unknown as PausedRequest, sessionId);
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

function sendOn(client: CdpClient, { headersFor }: PageSetup, paused: PausedRequest, sessionId: string): void {
  const { requestId, request } = paused;
  const headers = headersFor?.(request.url, request.headers);
  // Fails if the page is gone, and the request with it.
  client.call('Fetch.continueRequest', { requestId, headers }, sessionId).catch(() => {});
}

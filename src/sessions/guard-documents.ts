// Keeps the pages of a browser on certain addresses: a document that may not be opened is not requested, whether a link, a
// form, a script, a frame, a new tab or a redirect leads to it. What a document loads besides is not its concern.
import type { Params } from './cdp.ts';
import { createCdpClient } from './live-view/cdp-client.ts';
import type { BrowserSession } from './session.ts';

export interface DocumentRules {
  /** A rejection counts as a no. */
  mayOpen(url: string, frameId: string): boolean | Promise<boolean>;
  onBlocked(url: string, frameId: string): void;
}

export interface SessionRules extends DocumentRules {
  /** From now on nothing is kept back: the session must not be used any more. */
  onLost(): void;
}

interface PausedRequest {
  requestId: string;
  frameId: string;
  request: { url: string };
}

interface TabInfo {
  /** Empty until the tab has a page. */
  targetInfo: { url: string };
}

/** The DevTools protocol of a whole browser. */
interface BrowserProtocol {
  call(method: string, params: Params): Promise<unknown>;
}

/** They come from the page itself or are empty, and the browser refuses the others that do not use the network. */
const LOCAL = /^(about|data|blob):/i;
const NETWORK = /^https?:/i;
const PATTERNS = [{ urlPattern: '*', resourceType: 'Document' }];

/** To be called with each event of the browser. It is asked itself and not each page: a new tab could be faster than we are. */
export function createDocumentGuard(browser: () => BrowserProtocol, { mayOpen, onBlocked }: DocumentRules) {
  const decide = async ({ requestId, frameId, request: { url } }: PausedRequest): Promise<void> => {
    const isOpen = LOCAL.test(url) || (NETWORK.test(url) && (await isAllowed(url, frameId)));
    if (!isOpen) onBlocked(url, frameId);
    const [answer, reason]: [string, Params] = isOpen
      ? ['Fetch.continueRequest', {}]
      : ['Fetch.failRequest', { errorReason: await failureFor(frameId) }];
    // The page may be gone, and the request with it.
    browser()
      .call(answer, { requestId, ...reason })
      .catch(() => {});
  };
  /** An aborted request leaves the page as it is. A new tab would never get one, so it shows an error page of the browser. */
  const failureFor = async (frameId: string): Promise<string> => {
    try {
      // The main frame of a tab has the id of the tab.
      const { targetInfo } = (await browser().call('Target.getTargetInfo', { targetId: frameId })) as TabInfo;
      return targetInfo.url === '' ? 'BlockedByClient' : 'Aborted';
    } catch {
      return 'Aborted';
    }
  };
  const isAllowed = async (url: string, frameId: string): Promise<boolean> => {
    try {
      return await mayOpen(url, frameId);
    } catch {
      return false;
    }
  };
  return {
    onEvent(method: string, params: unknown): void {
      if (method === 'Fetch.requestPaused') decide(params as PausedRequest);
    },
    enable: () => browser().call('Fetch.enable', { patterns: PATTERNS }),
  };
}

/** Holds from the moment it resolves until the session ends, or until the returned function is called. */
export async function guardDocuments(
  session: Pick<BrowserSession, 'connect'>,
  { onLost, ...rules }: SessionRules,
  signal: AbortSignal,
): Promise<() => void> {
  const channel = await session.connect(signal);
  let isWanted = true;
  const guard = createDocumentGuard(() => client, rules);
  const client = createCdpClient(channel, guard.onEvent);
  channel.onClose(() => isWanted && onLost());
  const release = () => {
    isWanted = false;
    channel.close();
  };
  try {
    await guard.enable();
    return release;
  } catch (error) {
    release();
    throw error;
  }
}

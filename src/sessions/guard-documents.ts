// Keeps the pages of a session on certain addresses: a document that may not be opened is not requested, whether a link, a
// form, a script, a frame, a new tab or a redirect leads to it. What a document loads besides is not its concern.
import type { Params } from './cdp.ts';
import { createCdpClient } from './live-view/cdp-client.ts';
import type { BrowserSession } from './session.ts';

export interface DocumentRules {
  mayOpen(url: string): boolean;
  onBlocked(url: string): void;
  /** From now on nothing is kept back: the session must not be used any more. */
  onLost(): void;
}

interface PausedRequest {
  requestId: string;
  request: { url: string };
}

/** They come from the page itself or are empty, and the browser refuses the others that do not use the network. */
const LOCAL = /^(about|data|blob):/i;
const NETWORK = /^https?:/i;

/**
 * Holds from the moment it resolves until the session ends. The browser itself is asked and not each page, because a new tab
 * could be faster than we are.
 */
export async function guardDocuments(
  session: BrowserSession,
  { mayOpen, onBlocked, onLost }: DocumentRules,
  signal: AbortSignal,
): Promise<void> {
  const channel = await session.connect(signal);
  const client = createCdpClient(channel, (method, params) => {
    if (method === 'Fetch.requestPaused') decide(params as unknown as PausedRequest);
  });
  const decide = ({ requestId, request: { url } }: PausedRequest): void => {
    const isOpen = LOCAL.test(url) || (NETWORK.test(url) && mayOpen(url));
    if (!isOpen) onBlocked(url);
    // An aborted request leaves the page as it is; any other failure would show a page of the browser.
    const [answer, reason]: [string, Params] = isOpen
      ? ['Fetch.continueRequest', {}]
      : ['Fetch.failRequest', { errorReason: 'Aborted' }];
    // The page may be gone, and the request with it.
    client.call(answer, { requestId, ...reason }).catch(() => {});
  };
  channel.onClose(onLost);
  try {
    await client.call('Fetch.enable', { patterns: [{ urlPattern: '*', resourceType: 'Document' }] });
  } catch (error) {
    channel.close();
    throw error;
  }
}

// Checks every document that a page wants to open, before it is requested: the page and its redirects, frames, and windows.
import type { Browser } from 'playwright-core';
import type { createDocumentGuard } from '../../sessions/guard-documents.ts';
import type { FetchRequest } from '../engine.ts';

export type CreateDocumentGuard = typeof createDocumentGuard;

export interface GuardedPage {
  browser: Browser;
  threatCheck: NonNullable<FetchRequest['threatCheck']>;
  /** The main frame of the page, once there is one. */
  mainFrame(): string | undefined;
  /** The page itself went where it may not go. Frames and windows are only kept back. */
  onRefused(error: unknown): void;
  signal: AbortSignal;
}

/** For a browser that has no other page. */
export async function guardPage(
  createGuard: CreateDocumentGuard,
  { browser, threatCheck, mainFrame, onRefused, signal }: GuardedPage,
): Promise<void> {
  const session = await browser.newBrowserCDPSession();
  const guard = createGuard(
    () => ({ call: (method, params) => session.send(method as 'Fetch.enable', params as object) }),
    {
      async mayOpen(url, frameId) {
        try {
          await threatCheck.check(new URL(url), signal);
          return true;
        } catch (error) {
          if (frameId === mainFrame()) onRefused(error);
          return false;
        }
      },
      onBlocked() {},
    },
  );
  session.on('Fetch.requestPaused', (paused) => guard.onEvent('Fetch.requestPaused', paused));
  await guard.enable();
}

// Direct access to the Chrome DevTools Protocol, for what Playwright does not offer.
import type { CDPSession, Page } from 'playwright-core';

export async function withCdpSession<T>(page: Page, work: (session: CDPSession) => Promise<T>): Promise<T> {
  const session = await page.context().newCDPSession(page);
  try {
    return await work(session);
  } finally {
    // Not awaited: a page that hangs must not hold up the caller.
    session.detach().catch(() => {});
  }
}

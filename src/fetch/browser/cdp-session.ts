// Chromium's own protocol, for what Playwright's interface does not offer.
import type { CDPSession, Page } from 'playwright-core';

export async function withCdpSession<T>(page: Page, work: (session: CDPSession) => Promise<T>): Promise<T> {
  const session = await page.context().newCDPSession(page);
  try {
    return await work(session);
  } finally {
    // Not awaited: a page that hangs must not hold up whoever gave it up.
    session.detach().catch(() => {});
  }
}

// Watches for invalid certificates: of a page, of redirects, and of everything that a page loads, sockets included.
import type { CDPSession, Page } from 'playwright-core';

export interface Certificates {
  /** Whether one was invalid so far. Chromium says so before it uses or refuses the connection. */
  readonly metInvalid: boolean;
}

export async function watchCertificates(session: CDPSession): Promise<Certificates> {
  let metInvalid = false;
  session.on('Security.certificateError', () => {
    metInvalid = true;
  });
  await session.send('Security.enable');
  return {
    get metInvalid() {
      return metInvalid;
    },
  };
}

/**
 * Accepts invalid certificates from now on. Chromium asks the sessions of a page in the order of their creation, until
 * one accepts: those that exist by now still see the error. Playwright's own option would hide it from them.
 */
export async function acceptInvalidCertificates(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Security.setIgnoreCertificateErrors', { ignore: true });
}

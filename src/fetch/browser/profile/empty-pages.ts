// To be at a site without asking it for anything: an empty page in its name, for what the browser has stored there.
import type { Page } from 'playwright-core';

/** Leaves out where no page can be: an address that was tried in vain, a port that browsers refuse. */
export async function goToEach(
  page: Page,
  origins: readonly string[],
  work: (origin: string) => Promise<void> = async () => {},
): Promise<void> {
  const everything = () => true;
  await page.route(everything, (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  try {
    for (const origin of origins) {
      const isThere = await page.goto(origin).catch((error) => {
        if (page.isClosed() || !/net::ERR_/.test(String(error))) throw error;
      });
      if (isThere) await work(origin);
    }
  } finally {
    await page.unroute(everything);
  }
}

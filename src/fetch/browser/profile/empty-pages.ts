// Opens an empty page in the name of an origin, without any request to it, to access what the browser stores for it.
import type { Page } from 'playwright-core';

/** Skips origins that the browser refuses, such as those with blocked ports. */
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

// To be at a site without asking it for anything: an empty page in its name, for what the browser has stored there.
import type { Page } from 'playwright-core';

export async function goToEach(
  page: Page,
  origins: readonly string[],
  work: (origin: string) => Promise<void>,
): Promise<void> {
  const everything = () => true;
  await page.route(everything, (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  try {
    for (const origin of origins) {
      await page.goto(origin);
      await work(origin);
    }
  } finally {
    await page.unroute(everything);
  }
}

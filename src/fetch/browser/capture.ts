// Pictures of a page.
import type { Page } from 'playwright-core';
import type { Capture } from '../../contracts/captures.ts';
import type { ScreenshotOptions } from '../../contracts/formats.ts';

export async function takeScreenshot(page: Page, _options: ScreenshotOptions): Promise<Capture> {
  return { bytes: await page.screenshot(), type: 'image/png' };
}

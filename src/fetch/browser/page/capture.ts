// Takes screenshots and PDFs of a page, whatever its size and even if it is still loading.
import type { CDPSession, Page } from 'playwright-core';
import type { ScreenshotOptions } from '../../../contracts/formats/formats.ts';
import type { Action } from '../../../contracts/scrape/actions.ts';
import type { Capture } from '../../../page/captures.ts';
import { raceTimeout } from '../../../util/abort.ts';
import { withCdpSession } from '../cdp-session.ts';

/** In pixels of the image: a phone has several for each CSS pixel. */
export const MAX_SIDE = 16_384;
export const MAX_PIXELS = 40_000_000;
const FONTS_MS = 2_000;
const SHOT_MS = 20_000;
/** Longer PDFs are cut. */
const MAX_PRINTED_PAGES = 500;

interface Size {
  width: number;
  height: number;
}
declare const document: { fonts: { ready: Promise<unknown> } };
declare const scrollY: number;
declare const scrollTo: (options: { top: number; behavior: 'instant' }) => void;

export async function takeScreenshot(page: Page, options: ScreenshotOptions): Promise<Capture> {
  const before = page.viewportSize();
  const { density } = await withCdpSession(page, measure);
  try {
    if (options.viewport) await page.setViewportSize(fit(options.viewport, density));
    await waitForFonts(page);
    return options.fullPage ? await shootFromTop(page, options) : await shoot(page, options);
  } finally {
    if (options.viewport && before) await page.setViewportSize(before).catch(() => {});
  }
}

/** Scrolls to the top first: otherwise a sticky header would appear in the middle of the image. */
async function shootFromTop(page: Page, options: ScreenshotOptions): Promise<Capture> {
  const top = await page.evaluate(moveTo, 0);
  const { density, ...content } = await withCdpSession(page, measure);
  const capture = await shoot(page, options, { x: 0, y: 0, ...fit(content, density) });
  if (top !== 0) await page.evaluate(moveTo, top);
  return capture;
}

async function shoot(page: Page, { fullPage, quality }: ScreenshotOptions, clip?: Size & { x: number; y: number }) {
  const type = quality === undefined ? 'png' : 'jpeg';
  const bytes = await page.screenshot({ type, quality, fullPage, clip, animations: 'disabled', timeout: SHOT_MS });
  return { bytes, type: `image/${type}` } satisfies Capture;
}

/** Runs in the page. Returns the previous position. */
function moveTo(top: number): number {
  const before = scrollY;
  if (before !== top) scrollTo({ top, behavior: 'instant' });
  return before;
}

const MEASURE = `[document.documentElement?.scrollWidth, document.documentElement?.scrollHeight, devicePixelRatio]`;

/** The size of the content and the pixel density, measured where the page's scripts cannot interfere. */
async function measure(session: CDPSession): Promise<Size & { density: number }> {
  const { frameTree } = await session.send('Page.getFrameTree');
  const world = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id, worldName: 'capture' });
  const { result } = await session.send('Runtime.evaluate', {
    contextId: world.executionContextId,
    expression: MEASURE,
    returnByValue: true,
  });
  const [width, height, density] = (result.value as unknown[]).map((number) => Math.max(1, Number(number) || 1));
  return { width: width!, height: height!, density: density! };
}

/** Crops images that are too large at the right and bottom. They are never scaled, so text stays readable. */
function fit(size: Size, density: number): Size {
  const width = Math.min(size.width, Math.floor(MAX_SIDE / density));
  const rows = Math.min(MAX_SIDE / density, MAX_PIXELS / (width * density * density));
  return { width, height: Math.max(1, Math.min(size.height, Math.floor(rows))) };
}

/** Playwright would wait for fonts forever, so loading is stopped after a while. */
async function waitForFonts(page: Page): Promise<void> {
  const ready = page.evaluate(() => document.fonts.ready.then(() => true));
  const areReady = await raceTimeout(ready, FONTS_MS, () => false);
  if (!areReady) await page.evaluate('stop()');
}

type PdfOptions = Pick<Extract<Action, { type: 'pdf' }>, 'format' | 'landscape' | 'scale'>;

export async function printPdf(page: Page, { format, landscape, scale }: PdfOptions): Promise<Capture> {
  const pageRanges = `1-${MAX_PRINTED_PAGES}`;
  const bytes = await page.pdf({ format, landscape, scale, pageRanges, printBackground: true });
  return { bytes, type: 'application/pdf' };
}

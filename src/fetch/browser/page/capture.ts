// Pictures and documents made of a page, whatever its size and whatever it still waits for.
import { setTimeout as delay } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import type { Action } from '../../../contracts/actions.ts';
import type { Capture } from '../../../contracts/captures.ts';
import type { ScreenshotOptions } from '../../../contracts/formats.ts';
import { withCdpSession } from '../cdp-session.ts';

/** Of the picture, in its own pixels: a phone has several for each of the page. */
export const MAX_SIDE = 16_384;
export const MAX_PIXELS = 40_000_000;
const FONTS_MS = 2_000;
const SHOT_MS = 20_000;
/** Longer documents are cut. */
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

/** A header that is always on the screen belongs to the top of the picture, and not to where the page was scrolled to. */
async function shootFromTop(page: Page, options: ScreenshotOptions): Promise<Capture> {
  const top = await page.evaluate(scrollFrom, 0);
  const { density, ...content } = await withCdpSession(page, measure);
  const capture = await shoot(page, options, { x: 0, y: 0, ...fit(content, density) });
  if (top !== 0) await page.evaluate(scrollFrom, top);
  return capture;
}

async function shoot(page: Page, { fullPage, quality }: ScreenshotOptions, clip?: Size & { x: number; y: number }) {
  const type = quality === undefined ? 'png' : 'jpeg';
  const bytes = await page.screenshot({ type, quality, fullPage, clip, animations: 'disabled', timeout: SHOT_MS });
  return { bytes, type: `image/${type}` } satisfies Capture;
}

/** In the page: gives where it was. */
function scrollFrom(top: number): number {
  const before = scrollY;
  if (before !== top) scrollTo({ top, behavior: 'instant' });
  return before;
}

const MEASURE = `[document.documentElement?.scrollWidth, document.documentElement?.scrollHeight, devicePixelRatio]`;

/** The size of the content, and how many pixels of the picture one of the page has. Asked where the page's scripts cannot answer. */
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

/** What is too large is cut at the right and at the bottom, never shrunk: text stays readable. */
function fit(size: Size, density: number): Size {
  const width = Math.min(size.width, Math.floor(MAX_SIDE / density));
  const rows = Math.min(MAX_SIDE / density, MAX_PIXELS / (width * density * density));
  return { width, height: Math.max(1, Math.min(size.height, Math.floor(rows))) };
}

/** Playwright waits for fonts without end, so those that are too late are given up. */
async function waitForFonts(page: Page): Promise<void> {
  const timer = new AbortController();
  const ready = page.evaluate(() => document.fonts.ready.then(() => true));
  const isLate = delay(FONTS_MS, false, { signal: timer.signal }).catch(() => false);
  try {
    if (!(await Promise.race([ready, isLate]))) await page.evaluate('stop()');
  } finally {
    timer.abort();
    ready.catch(() => {});
  }
}

export type PdfOptions = Pick<Extract<Action, { type: 'pdf' }>, 'format' | 'landscape' | 'scale'>;

export async function printPdf(page: Page, { format, landscape, scale }: PdfOptions): Promise<Capture> {
  const pageRanges = `1-${MAX_PRINTED_PAGES}`;
  const bytes = await page.pdf({ format, landscape, scale, pageRanges, printBackground: true });
  return { bytes, type: 'application/pdf' };
}

// Pictures and documents made of a page. Chromium is asked directly: Playwright's own screenshot waits for fonts
// without end, and knows no bound for the size of a page.
import { setTimeout as delay } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import type { Action } from '../../contracts/actions.ts';
import type { Capture } from '../../contracts/captures.ts';
import type { ScreenshotOptions } from '../../contracts/formats.ts';
import { withProtocol } from './protocol.ts';

/** Of the picture, in its own pixels: a phone has several for each of the page. */
export const MAX_SIDE = 16_384;
export const MAX_PIXELS = 40_000_000;
const FONTS_MS = 2_000;
const FRAMES_MS = 500;
/** Longer documents are cut. */
const MAX_PRINTED_PAGES = 500;

interface Size {
  width: number;
  height: number;
}
interface PageAnimation {
  effect: { getComputedTiming(): { endTime?: unknown } } | null;
  playState: string;
  currentTime: unknown;
  finish(): void;
  pause(): void;
  play(): void;
}
declare const document: { fonts: { ready: Promise<unknown> }; getAnimations(): PageAnimation[] };
declare const requestAnimationFrame: (callback: () => void) => void;

export async function takeScreenshot(page: Page, options: ScreenshotOptions): Promise<Capture> {
  const before = page.viewportSize();
  return withProtocol(page, async (session) => {
    try {
      if (options.viewport) await page.setViewportSize(fit(options.viewport, (await measure(session)).density));
      await patiently(page.evaluate(fontsReady), FONTS_MS);
      const frozen = await page.evaluateHandle(freeze);
      await patiently(page.evaluate(twoFrames), FRAMES_MS);
      const capture = await shoot(session, options);
      await frozen.evaluate(resume);
      return capture;
    } finally {
      if (options.viewport && before) await page.setViewportSize(before).catch(() => {});
    }
  });
}

async function shoot(session: CDPSession, { fullPage, quality }: ScreenshotOptions): Promise<Capture> {
  const { density, ...content } = await measure(session);
  const { data } = await session.send('Page.captureScreenshot', {
    ...(quality === undefined ? { format: 'png' } : { format: 'jpeg', quality }),
    ...(fullPage && { captureBeyondViewport: true, clip: { x: 0, y: 0, ...fit(content, density), scale: 1 } }),
  });
  return { bytes: Buffer.from(data, 'base64'), type: quality === undefined ? 'image/png' : 'image/jpeg' };
}

/** The size of the whole content, and how many pixels of the screen one of the page has. */
async function measure(session: CDPSession): Promise<Size & { density: number }> {
  const { cssContentSize, contentSize, cssLayoutViewport } = await session.send('Page.getLayoutMetrics');
  return {
    width: Math.max(cssContentSize.width, cssLayoutViewport.clientWidth, 1),
    height: Math.max(cssContentSize.height, cssLayoutViewport.clientHeight, 1),
    density: Math.max(1, contentSize.width / cssContentSize.width || 1),
  };
}

/** What is too large is cut at the right and at the bottom, never shrunk: text stays readable. */
function fit(size: Size, density: number): Size {
  const width = Math.min(size.width, Math.floor(MAX_SIDE / density));
  const rows = Math.min(MAX_SIDE / density, MAX_PIXELS / (width * density * density));
  return { width, height: Math.max(1, Math.min(size.height, Math.floor(rows))) };
}

/** Waits for something the page promises, but no longer than that: it may never come. */
async function patiently(promised: Promise<unknown>, ms: number): Promise<void> {
  const timer = new AbortController();
  const pause = delay(ms, undefined, { signal: timer.signal }).catch(() => {});
  await Promise.race([promised, pause]).finally(() => timer.abort());
  promised.catch(() => {});
}

/** In the page: what fades in is shown at its end, what goes round for ever at its start. Gives the latter. */
function freeze(): PageAnimation[] {
  const endless: PageAnimation[] = [];
  for (const animation of document.getAnimations()) {
    if (animation.playState !== 'running') continue;
    try {
      if (Number(animation.effect?.getComputedTiming().endTime) < Number.POSITIVE_INFINITY) {
        animation.finish();
        continue;
      }
      animation.pause();
      animation.currentTime = 0;
      endless.push(animation);
    } catch {
      // Driven by something else than time, such as the scroll position: it stays as it is.
    }
  }
  return endless;
}

/** In the page. */
const fontsReady = () => document.fonts.ready.then(() => {});

/** In the page: until what was changed last has been drawn. */
const twoFrames = () =>
  new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));

/** In the page. */
function resume(animations: PageAnimation[]): void {
  for (const animation of animations) animation.play();
}

export type PdfOptions = Pick<Extract<Action, { type: 'pdf' }>, 'format' | 'landscape' | 'scale'>;

export async function printPdf(page: Page, { format, landscape, scale }: PdfOptions): Promise<Capture> {
  const pageRanges = `1-${MAX_PRINTED_PAGES}`;
  const bytes = await page.pdf({ format, landscape, scale, pageRanges, printBackground: true });
  return { bytes, type: 'application/pdf' };
}

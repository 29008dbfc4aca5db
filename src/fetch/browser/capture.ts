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
const MAX_DENSITY = 4;
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
interface Held {
  endless: PageAnimation[];
  top: number;
}
declare const devicePixelRatio: number;
declare const scrollY: number;
declare const scrollTo: (options: { top: number; behavior: 'instant' }) => void;
declare const document: { fonts: { ready: Promise<unknown> }; getAnimations(): PageAnimation[] };
declare const requestAnimationFrame: (callback: () => void) => void;

export async function takeScreenshot(page: Page, options: ScreenshotOptions): Promise<Capture> {
  const before = page.viewportSize();
  const density = await page.evaluate(screenDensity, MAX_DENSITY);
  try {
    if (options.viewport) await page.setViewportSize(fit(options.viewport, density));
    await patiently(page.evaluate(fontsReady), FONTS_MS);
    const still = await page.evaluateHandle(holdStill, options.fullPage);
    await patiently(page.evaluate(twoFrames), FRAMES_MS);
    const capture = await withProtocol(page, (session) => shoot(session, options, density));
    await still.evaluate(moveOn);
    return capture;
  } finally {
    if (options.viewport && before) await page.setViewportSize(before).catch(() => {});
  }
}

async function shoot(session: CDPSession, options: ScreenshotOptions, density: number): Promise<Capture> {
  const { cssContentSize, cssVisualViewport: screen } = await session.send('Page.getLayoutMetrics');
  const whole = {
    width: Math.max(cssContentSize.width, screen.clientWidth),
    height: Math.max(cssContentSize.height, screen.clientHeight),
  };
  const seen = { width: screen.clientWidth, height: screen.clientHeight };
  const clip = options.fullPage
    ? { x: 0, y: 0, ...fit(whole, density), scale: density }
    : { x: screen.pageX, y: screen.pageY, ...fit(seen, density * screen.scale), scale: density * screen.scale };
  const { quality } = options;
  const { data } = await session.send('Page.captureScreenshot', {
    ...(quality === undefined ? { format: 'png' } : { format: 'jpeg', quality }),
    captureBeyondViewport: options.fullPage,
    clip,
  });
  return { bytes: Buffer.from(data, 'base64'), type: quality === undefined ? 'image/png' : 'image/jpeg' };
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

/** In the page, which may say of itself what it likes. */
const screenDensity = (max: number) => Math.min(Math.max(Number(devicePixelRatio) || 1, 1), max);

/** In the page. */
const fontsReady = () => document.fonts.ready.then(() => {});

/** In the page: until what was changed last has been drawn. */
const twoFrames = () =>
  new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));

/**
 * In the page: what fades in is shown at its end, what goes round for ever at its start. For a picture of all of it the
 * page goes to its top, where a header that is always on the screen belongs. Gives what has to be undone.
 */
function holdStill(atTop: boolean): Held {
  const top = scrollY;
  if (atTop) scrollTo({ top: 0, behavior: 'instant' });
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
  return { endless, top };
}

/** In the page. */
function moveOn({ endless, top }: Held): void {
  for (const animation of endless) animation.play();
  if (scrollY !== top) scrollTo({ top, behavior: 'instant' });
}

export type PdfOptions = Pick<Extract<Action, { type: 'pdf' }>, 'format' | 'landscape' | 'scale'>;

export async function printPdf(page: Page, { format, landscape, scale }: PdfOptions): Promise<Capture> {
  const pageRanges = `1-${MAX_PRINTED_PAGES}`;
  const bytes = await page.pdf({ format, landscape, scale, pageRanges, printBackground: true });
  return { bytes, type: 'application/pdf' };
}

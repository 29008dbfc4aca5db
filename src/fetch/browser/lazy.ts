// Brings in what a page only loads in sight: scrolls through it, a few screens and seconds at most, and back to the top.
import type { Page } from 'playwright-core';

const MAX_MS = 4_000;
const MAX_SCREENS = 30;
const STEP_MS = 40;
const GROWTH_MS = 400;

// The little of the DOM that the function below uses; it runs in the page.
declare const document: {
  scrollingElement: { scrollHeight: number } | null;
  querySelector(selector: string): unknown;
  images: Iterable<{ complete: boolean }>;
};
declare const innerHeight: number;
declare const scrollY: number;
declare function scrollTo(options: { top: number; behavior: 'instant' }): void;

interface Limits {
  maxMs: number;
  maxScreens: number;
  stepMs: number;
  growthMs: number;
}

/** In the page. Where nothing says that it is lazy, one look at its end tells whether more comes. True when something came. */
async function scrollThrough({ maxMs, maxScreens, stepMs, growthMs }: Limits): Promise<boolean> {
  const height = () => document.scrollingElement?.scrollHeight ?? 0;
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const to = (top: number) => scrollTo({ top, behavior: 'instant' });
  const end = Date.now() + maxMs;
  const start = scrollY;
  const before = height();
  if (before <= innerHeight * 1.2) return false;

  const marks = '[loading=lazy],[data-src],[data-srcset],[data-lazy-src],[data-original],[data-bg],.lazy,.lazyload';
  const isLazy = document.querySelector(marks) !== null || [...document.images].some(({ complete }) => !complete);
  let top = 0;
  for (let screen = 0; screen < maxScreens && Date.now() < end; screen += 1) {
    top = isLazy ? Math.min(top + innerHeight, height()) : height();
    to(top);
    await pause(stepMs);
    if (top + innerHeight < height()) continue;
    const reached = height();
    const limit = Math.min(end, Date.now() + growthMs);
    while (height() <= reached && Date.now() < limit) await pause(stepMs);
    if (height() <= reached) break;
  }
  to(start);
  return isLazy || height() > before;
}

/** True when the page may have changed. */
export const loadLazyContent = (page: Page, msLeft: number): Promise<boolean> =>
  page.evaluate(scrollThrough, {
    maxMs: Math.min(MAX_MS, msLeft),
    maxScreens: MAX_SCREENS,
    stepMs: STEP_MS,
    growthMs: GROWTH_MS,
  });

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
};
declare const innerHeight: number;
declare const scrollY: number;
declare function scrollTo(options: { top: number; behavior: 'instant' }): void;

// Scripts put the address in its place when they see the picture.
const BY_SCRIPT = ['src', 'srcset', 'lazy-src', 'lazy', 'original', 'bg']
  .map((name) => `[data-${name}]:not([src])`)
  .join();
// The browser knows the address; it only matters to those who want to see the picture.
const BY_BROWSER = '[loading=lazy]';

/** Under it a page notes that a script watches what is in sight. A name of the engine's own could be looked for. */
const NOTE = 'in-sight';

// Runs before the scripts of a page. To them the functions look as before.
const WATCH = `{
  const watch = (owner, name, isMeant) => {
    owner[name] = new Proxy(owner[name], {
      apply: (target, self, args) => (isMeant(args) && note(), Reflect.apply(target, self, args)),
      construct: (target, args, kind) => (note(), Reflect.construct(target, args, kind)),
    });
  };
  const note = () => Object.defineProperty(globalThis, Symbol.for('${NOTE}'), { value: true, configurable: true });
  watch(globalThis, 'IntersectionObserver', () => true);
  watch(EventTarget.prototype, 'addEventListener', ([type]) => type === 'scroll' || type === 'wheel');
}`;

interface Limits {
  note: string;
  marks: string;
  maxMs: number;
  maxScreens: number;
  stepMs: number;
  growthMs: number;
}

/** In the page. Where only a script watches what is in sight, one look at the end tells whether more comes. True when something came. */
async function scrollThrough({ note, marks, maxMs, maxScreens, stepMs, growthMs }: Limits): Promise<boolean> {
  const height = () => document.scrollingElement?.scrollHeight ?? 0;
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const to = (top: number) => scrollTo({ top, behavior: 'instant' });
  const end = Date.now() + maxMs;
  const start = scrollY;
  const before = height();
  if (before <= innerHeight * 1.2) return false;

  const isLazy = document.querySelector(marks) !== null;
  if (!isLazy && !(Symbol.for(note) in globalThis)) return false;
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

/** To be called before the page goes anywhere. */
export const watchScripts = (page: Page) => page.addInitScript(WATCH);

/** True when the page may have changed. `inSight`: pictures must be there, not only their addresses. */
export const loadLazyContent = (page: Page, msLeft: number, inSight: boolean): Promise<boolean> =>
  page.evaluate(scrollThrough, {
    note: NOTE,
    marks: inSight ? `${BY_SCRIPT},${BY_BROWSER}` : BY_SCRIPT,
    maxMs: Math.min(MAX_MS, msLeft),
    maxScreens: MAX_SCREENS,
    stepMs: STEP_MS,
    growthMs: GROWTH_MS,
  });

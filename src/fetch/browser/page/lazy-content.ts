// Triggers lazy loading: scrolls through a page, a few screens and seconds at most, and back to where it was.
import type { Page } from 'playwright-core';

const MAX_MS = 4_000;
const MAX_SCREENS = 30;
const STEP_MS = 40;
const GROWTH_MS = 400;
/** Scripts are told what is in view once a frame, and on a busy machine few frames fit into the time above. */
const GROWTH_FRAMES = 4;

// The part of the DOM that the function below uses; it runs in the page.
declare const document: {
  scrollingElement: { scrollHeight: number } | null;
  querySelector(selector: string): unknown;
};
declare const innerHeight: number;
declare const scrollY: number;
declare function requestAnimationFrame(callback: () => void): number;
declare function scrollTo(options: { top: number; behavior: 'instant' }): void;

// Images whose `src` a script sets when they come into view.
const BY_SCRIPT = ['src', 'srcset', 'lazy-src', 'lazy', 'original', 'bg']
  .map((name) => `[data-${name}]:not([src])`)
  .join();
// Images that the browser itself loads late. Their URL is known, so they only matter for screenshots.
const BY_BROWSER = '[loading=lazy]';

/** The symbol that marks a page whose scripts watch what is in view. Neutral, so that it does not give us away. */
const MARK = 'in-sight';

// Runs before the scripts of a page, to which the wrapped functions look unchanged.
const WATCH = `{
  const watch = (owner, name, isRelevant) => {
    owner[name] = new Proxy(owner[name], {
      apply: (target, self, args) => (isRelevant(args) && note(), Reflect.apply(target, self, args)),
      construct: (target, args, kind) => (note(), Reflect.construct(target, args, kind)),
    });
  };
  const note = () => Object.defineProperty(globalThis, Symbol.for('${MARK}'), { value: true, configurable: true });
  watch(globalThis, 'IntersectionObserver', () => true);
  watch(EventTarget.prototype, 'addEventListener', ([type]) => type === 'scroll' || type === 'wheel');
}`;

interface Limits {
  mark: string;
  selector: string;
  maxMs: number;
  maxScreens: number;
  stepMs: number;
  growthMs: number;
  growthFrames: number;
}

/** Runs in the page. Without lazy images it only jumps to the end. True if something may have loaded. */
async function scrollThrough(limits: Limits): Promise<boolean> {
  const { mark, selector, maxMs, maxScreens, stepMs, growthMs, growthFrames } = limits;
  const height = () => document.scrollingElement?.scrollHeight ?? 0;
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const to = (top: number) => scrollTo({ top, behavior: 'instant' });
  const frame = () => new Promise<void>((resolve) => requestAnimationFrame(() => resolve()));
  const end = performance.now() + maxMs;
  const nextLook = () => Promise.race([Promise.all([pause(stepMs), frame()]), pause(end - performance.now())]);
  const start = scrollY;
  const before = height();
  if (before <= innerHeight * 1.2) return false;

  const isLazy = document.querySelector(selector) !== null;
  if (!isLazy && !(Symbol.for(mark) in globalThis)) return false;
  let top = 0;
  for (let screen = 0; screen < maxScreens && performance.now() < end; screen += 1) {
    top = isLazy ? Math.min(top + innerHeight, height()) : height();
    to(top);
    await nextLook();
    if (top + innerHeight < height()) continue;
    const reached = height();
    const limit = performance.now() + growthMs;
    for (let frames = 0; height() <= reached && performance.now() < end; frames += 1) {
      if (performance.now() > limit && frames >= growthFrames) break;
      await nextLook();
    }
    if (height() <= reached) break;
  }
  to(start);
  return isLazy || height() > before;
}

/** Call it before the page navigates. */
export const watchScripts = (page: Page) => page.addInitScript(WATCH);

/** True if the page may have changed. `withImages`: images must be loaded, not only their URLs known. */
export const loadLazyContent = (page: Page, msLeft: number, withImages: boolean): Promise<boolean> =>
  page.evaluate(scrollThrough, {
    mark: MARK,
    selector: withImages ? `${BY_SCRIPT},${BY_BROWSER}` : BY_SCRIPT,
    maxMs: Math.min(MAX_MS, msLeft),
    maxScreens: MAX_SCREENS,
    stepMs: STEP_MS,
    growthMs: GROWTH_MS,
    growthFrames: GROWTH_FRAMES,
  });

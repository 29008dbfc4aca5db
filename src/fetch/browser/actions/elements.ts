// Finds elements in the main frame by CSS selector, with the browser's own engine. Open shadow roots are searched only
// if the document itself has no match.
import type { ElementHandle, JSHandle } from 'playwright-core';
import type { Action } from '../../../contracts/scrape/actions.ts';
import { systemClock } from '../../../util/clock.ts';
import { ActionFailure, isNavigation, onSteadyPage, quote, type Step } from './step.ts';

const POLL_MS = 100;

// The part of the DOM that the functions below use; they run in the page.
interface PageElement {
  shadowRoot: PageRoot | null;
  checkVisibility(options: { visibilityProperty: boolean }): boolean;
  getBoundingClientRect(): { width: number; height: number };
}
interface PageRoot {
  querySelectorAll(selector: string): Iterable<PageElement> & { length: number };
}
declare const document: PageRoot & { createDocumentFragment(): PageRoot };

/** Runs in the page. The index of the first invalid selector, or -1. */
function invalidIndex(selectors: readonly (string | null)[]): number {
  const empty = document.createDocumentFragment();
  return selectors.findIndex((selector) => {
    try {
      if (selector !== null) empty.querySelectorAll(selector);
      return false;
    } catch {
      return true;
    }
  });
}

/** Runs in the page. All matches in document order, and the index of the first visible one. */
function findMatches(selector: string): { matches: PageElement[]; visible: number } {
  const matches = [...document.querySelectorAll(selector)];
  if (matches.length === 0) {
    const roots: PageRoot[] = [document];
    for (const root of roots) {
      for (const { shadowRoot } of root.querySelectorAll('*')) {
        if (!shadowRoot) continue;
        roots.push(shadowRoot);
        for (const match of shadowRoot.querySelectorAll(selector)) matches.push(match);
      }
    }
  }
  const visible = matches.findIndex((element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
  });
  return { matches, visible };
}

/** The index of the first action with an invalid selector, or -1. Checked before any action runs. */
export function findInvalidSelector(step: Step, actions: readonly Action[]): Promise<number> {
  const selectors = actions.map((action) => ('selector' in action && action.selector) || null);
  if (selectors.every((selector) => selector === null)) return Promise.resolve(-1);
  return onSteadyPage(step, () => step.page.evaluate(invalidIndex, selectors));
}

/** All current matches, as a handle to a list in the page. */
export function findAll(step: Step, selector: string): Promise<JSHandle<PageElement[]>> {
  return onSteadyPage(step, async () => {
    await using found = await step.page.evaluateHandle(findMatches, selector);
    return await found.evaluateHandle(({ matches }) => matches);
  });
}

/** Waits for a visible match. */
export async function findVisible(step: Step, selector: string, withinMs: number): Promise<ElementHandle> {
  const end = step.now() + withinMs;
  for (;;) {
    const { element, count } = await look(step, selector);
    if (element) return element;
    if (step.now() >= end) throw new ActionFailure(absence(selector, count, withinMs / 1000));
    await systemClock.sleep(POLL_MS, step.signal);
  }
}

/** A page that is navigating has no matches yet. */
async function look(step: Step, selector: string): Promise<{ element: ElementHandle | null; count: number }> {
  try {
    await using found = await step.page.evaluateHandle(findMatches, selector);
    const count = await found.evaluate(({ matches }) => matches.length);
    const element = await found.evaluateHandle(({ matches, visible }) => matches[visible] ?? null);
    return { element: element.asElement() as ElementHandle | null, count };
  } catch (error) {
    if (!isNavigation(error)) throw error;
    return { element: null, count: 0 };
  }
}

const absence = (selector: string, count: number, seconds: number): string =>
  count > 0
    ? `the element that matches ${quote(selector)} did not become visible within ${seconds} seconds.`
    : `no element matches ${quote(selector)}, and none appeared within ${seconds} seconds.`;

// Clicks like a person: on visible elements only. If a click opens a new tab, the original page stays in use.
import type { ElementHandle } from 'playwright-core';
import type { Action } from '../../../contracts/scrape/actions.ts';
import { findAll, findVisible } from './elements.ts';
import { ActionFailure, isNavigation, quote, type Step } from './step.ts';

const APPEARS_MS = 5_000;
const HITS_MS = 2_000;
/** Shorter when many elements are clicked. */
const HITS_EACH_MS = 500;
const MAX_TRIES = 3;

type Click = Extract<Action, { type: 'click' }>;

export async function click(step: Step, { selector, all }: Click): Promise<void> {
  if (all) return clickAll(step, selector);
  for (let tries = 1; ; tries += 1) {
    const element = await findVisible(step, selector, APPEARS_MS);
    try {
      return await hit(step, element, HITS_MS);
    } catch (error) {
      // Pages that re-render may replace the element between finding and clicking it.
      if (!isGone(error)) throw error;
      if (tries === MAX_TRIES) {
        throw new ActionFailure(
          `the element that matches ${quote(selector)} keeps being replaced before it can be clicked.`,
        );
      }
    } finally {
      element.dispose().catch(() => {});
    }
  }
}

async function clickAll(step: Step, selector: string): Promise<void> {
  const matches = await findAll(step, selector);
  try {
    const count = await matches.evaluate((list) => list.length);
    for (let index = 0; index < count; index += 1) {
      step.signal.throwIfAborted();
      const element = (await matches.evaluateHandle((list, at) => list[at], index)).asElement() as ElementHandle | null;
      if (!element) continue;
      await hitIfVisible(step, element);
      await element.dispose();
    }
  } catch (error) {
    // A click that navigates invalidates the remaining matches.
    if (!isNavigation(error)) throw error;
  } finally {
    matches.dispose().catch(() => {});
  }
}

async function hitIfVisible(step: Step, element: ElementHandle): Promise<void> {
  try {
    if (await element.isVisible()) await hit(step, element, HITS_EACH_MS);
  } catch (error) {
    if (!isGone(error) && !(error instanceof ActionFailure)) throw error;
  }
}

/** If another element covers it, the click event is dispatched without the mouse. */
async function hit(step: Step, element: ElementHandle, withinMs: number): Promise<void> {
  try {
    // Without pressing. The page may see a press that ends too late, so a press is never repeated.
    await element.click({ trial: true, timeout: withinMs });
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'TimeoutError') throw error;
    if (!(await element.isEnabled())) throw new ActionFailure('the element is disabled.');
    await element.focus();
    return element.dispatchEvent('click');
  }
  // 0 would mean: without a limit.
  await element.click({ force: true, timeout: Math.max(1, step.timeLeft()) });
}

const isGone = (error: unknown): boolean =>
  isNavigation(error) || (error instanceof Error && error.message.includes('not attached to the DOM'));

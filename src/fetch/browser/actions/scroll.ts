// Scrolls by about one screen: the page, its main scrolling pane, or a chosen element.
import type { JSHandle } from 'playwright-core';
import type { Action } from '../../../contracts/scrape/actions.ts';
import { findVisible } from './elements.ts';
import { onSteadyPage, type Step } from './step.ts';

const APPEARS_MS = 5_000;
/** Less than a full screen, so that no line is skipped. */
const SHARE = 0.9;

interface PageElement {
  clientHeight: number;
  scrollHeight: number;
  parentElement: PageElement | null;
  scrollBy(options: { top: number; behavior: 'instant' }): void;
  scrollIntoView(options: { block: 'center'; behavior: 'instant' }): void;
}
declare const document: {
  scrollingElement: PageElement | null;
  documentElement: PageElement;
  elementFromPoint(x: number, y: number): PageElement | null;
};
declare const innerHeight: number;
declare const innerWidth: number;
declare const getComputedStyle: (element: PageElement) => { overflowY: string };

/** Runs in the page. If the document itself does not scroll, the pane in the middle of the screen does. */
function scrollPage(share: number): void {
  const root = document.scrollingElement ?? document.documentElement;
  let target = root;
  if (root.scrollHeight <= innerHeight + 1) {
    let pane = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
    while (
      pane &&
      !(pane.scrollHeight > pane.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(pane).overflowY))
    ) {
      pane = pane.parentElement;
    }
    target = pane ?? root;
  }
  target.scrollBy({ top: share * (target === root ? innerHeight : target.clientHeight), behavior: 'instant' });
}

/** Runs in the page. An element that cannot scroll is scrolled into view instead. */
function scrollElement(element: PageElement, share: number): void {
  const canScroll =
    element.scrollHeight > element.clientHeight + 1 && /auto|scroll|hidden/.test(getComputedStyle(element).overflowY);
  if (canScroll) element.scrollBy({ top: share * element.clientHeight, behavior: 'instant' });
  else element.scrollIntoView({ block: 'center', behavior: 'instant' });
}

type Scroll = Extract<Action, { type: 'scroll' }>;

export async function scroll(step: Step, { direction, selector }: Scroll): Promise<void> {
  const share = direction === 'up' ? -SHARE : SHARE;
  if (selector === undefined) return onSteadyPage(step, () => step.page.evaluate(scrollPage, share));
  await onSteadyPage(step, async () => {
    const element = await findVisible(step, selector, APPEARS_MS);
    await (element as JSHandle as JSHandle<PageElement>).evaluate(scrollElement, share);
    await element.dispose();
  });
}

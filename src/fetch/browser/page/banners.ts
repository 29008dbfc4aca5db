// Removes overlays and ads from a page: consent banners, newsletter pop-ups, empty ad slots.
import type { Page } from 'playwright-core';
import { type AdElements, adElements, consentSelectors } from '../../../markup/ad-elements.ts';
import { lazy } from '../../../util/lazy.ts';

type Lists = Omit<AdElements, 'consent'>;

const readLists = lazy((): Lists => {
  const { consent, known, ...lists } = adElements();
  return { ...lists, known: [...consentSelectors(consent), ...known] };
});

// The part of the DOM that the function below uses; it runs in the page.
interface PageElement {
  remove(): void;
  contains(other: PageElement): boolean;
  querySelector(selector: string): unknown;
  textContent: string | null;
  classList: { remove(...names: string[]): void };
  style: { setProperty(name: string, value: string, priority: string): void };
}
declare const document: {
  documentElement: PageElement;
  body: PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
};
declare function getComputedStyle(element: PageElement): { position: string; overflowY: string };

/** Runs in the page. */
function removeElements({ known, likely, locks }: Lists): void {
  const { documentElement: root, body } = document;
  if (!body) return;
  // An element with most of the text is the content, whatever its name says.
  const maxLength = (body.textContent?.length ?? 0) / 2;
  let removed = 0;
  const remove = (element: PageElement) => {
    if (element === body || element === root || (element.textContent?.length ?? 0) > Math.max(maxLength, 4000)) return;
    element.remove();
    removed += 1;
  };
  for (const element of document.querySelectorAll(known.join(','))) remove(element);
  let checked = 0;
  for (const element of document.querySelectorAll(likely.join(','))) {
    // Each check computes styles, and a page can have any number of such elements.
    if (++checked > 200) break;
    const { position } = getComputedStyle(element);
    if (position !== 'fixed' && position !== 'sticky') continue;
    if (element.querySelector('button,a,input,[role=button]')) remove(element);
  }
  if (removed === 0) return;
  for (const element of [root, body]) {
    element.classList.remove(...locks);
    if (getComputedStyle(element).overflowY === 'hidden') element.style.setProperty('overflow', 'visible', 'important');
  }
}

export const removeBanners = (page: Page): Promise<void> => page.evaluate(removeElements, readLists());

// Takes away what stands before a page: requests for consent, newsletter pop-ups, the empty places of advertisements.
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

interface Lists {
  /** Selectors of what is a banner or an advertisement wherever it is. */
  known: string[];
  /** Selectors of what is one if it floats above the page. */
  likely: string[];
  /** Classes that keep the page from scrolling while a banner is there. */
  locks: string[];
}

const FILE = new URL('../../../../data/ad-elements.json', import.meta.url);
let lists: Lists | undefined;

// The little of the DOM that the function below uses; it runs in the page.
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

/** In the page. */
function removeElements({ known, likely, locks }: Lists): void {
  const { documentElement: root, body } = document;
  if (!body) return;
  // What holds the content itself is no banner, whatever it is called.
  const most = (body.textContent?.length ?? 0) / 2;
  let removed = 0;
  const remove = (element: PageElement) => {
    if (element === body || element === root || (element.textContent?.length ?? 0) > Math.max(most, 4000)) return;
    element.remove();
    removed += 1;
  };
  for (const element of document.querySelectorAll(known.join(','))) remove(element);
  let looked = 0;
  for (const element of document.querySelectorAll(likely.join(','))) {
    // Styles are computed for it; a page can have such names without end.
    if (++looked > 200) break;
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

export function removeBanners(page: Page): Promise<void> {
  lists ??= JSON.parse(readFileSync(FILE, 'utf8')) as Lists;
  return page.evaluate(removeElements, lists);
}

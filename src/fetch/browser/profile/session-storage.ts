// Session storage of a tab: read from its open page, and written before its first page loads.
import type { Page } from 'playwright-core';
import { withCdpSession } from '../cdp-session.ts';
import { goToEach } from './empty-pages.ts';

export interface TabStorage {
  origin: string;
  items: { name: string; value: string }[];
}

// Evaluated in an isolated world, where the page's scripts cannot tamper with it.
const READ = `JSON.stringify({
  origin: location.origin,
  items: Array.from({ length: sessionStorage.length }, (_, at) => sessionStorage.key(at))
    .map((name) => ({ name, value: sessionStorage.getItem(name) })),
})`;

/** Reads the session storage of the main frame; undefined if it is empty. */
export const readSessionStorage = (page: Page): Promise<TabStorage | undefined> =>
  withCdpSession(page, async (session) => {
    const { frameTree } = await session.send('Page.getFrameTree');
    const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
      frameId: frameTree.frame.id,
    });
    const { result } = await session.send('Runtime.evaluate', { contextId, expression: READ, returnByValue: true });
    // Pages without an origin, such as about:blank, throw an error instead.
    if (typeof result.value !== 'string') return undefined;
    const found = JSON.parse(result.value) as TabStorage;
    return found.items.length > 0 && found.origin.startsWith('http') ? found : undefined;
  });

/** Writes into a new tab, and leaves no trace in its history. */
export async function writeSessionStorage(page: Page, tabs: readonly TabStorage[]): Promise<void> {
  if (tabs.length === 0) return;
  const itemsOf = new Map(tabs.map(({ origin, items }) => [origin, items]));
  await goToEach(page, [...itemsOf.keys()], async (origin) => {
    await page.evaluate((items) => {
      for (const { name, value } of items) sessionStorage.setItem(name, value);
    }, itemsOf.get(origin)!);
  });
  await page.goto('about:blank');
  await withCdpSession(page, (session) => session.send('Page.resetNavigationHistory'));
}

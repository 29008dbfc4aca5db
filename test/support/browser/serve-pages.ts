// Pages of the shared browser and a server for a test's own pages, for tests of what happens on a loaded page.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { EXECUTABLE } from './browser.ts';
import { sharedBrowser } from './shared-browser.ts';

/** For the `skip` of tests that need a browser. */
export const noBrowser: string | false = EXECUTABLE ? false : 'There is no Chromium on this machine.';

export interface TestPages {
  /** Loads a path in a context of its own. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>;
  base(): string;
}

/** A page is HTML or a request listener. Unknown paths are never answered. */
export function servePages(pages: Record<string, string | RequestListener>): TestPages {
  const server = createServer((request, response) => {
    const page = pages[new URL(request.url!, 'http://localhost').pathname];
    if (typeof page === 'function') return page(request, response);
    if (page !== undefined) response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
  });
  const contexts: BrowserContext[] = [];
  let listening: Promise<void> | undefined;
  const listen = () => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(async () => {
    await Promise.all(contexts.map((context) => context.close()));
    server.closeAllConnections();
    server.close();
  });

  const base = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    base,
    async open(path, options) {
      listening ??= listen();
      await listening;
      const page = await (await sharedBrowser()).newPage(options);
      contexts.push(page.context());
      await page.goto(base() + path, { waitUntil: 'domcontentloaded' });
      return page;
    },
  };
}

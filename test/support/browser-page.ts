// A plain browser on pages of a test's own, served on loopback: for what is done with a page once it is there.
import { existsSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before } from 'node:test';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const EXECUTABLES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'];
const FLAGS = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];

const executablePath = EXECUTABLES.find((path) => existsSync(path));

/** For the `skip` of tests that need a browser. */
export const noBrowser: string | false = executablePath ? false : 'There is no Chromium on this machine.';

export interface TestPages {
  /** Loads a path in a context of its own. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>;
  base(): string;
}

/** A page is its HTML, or a listener for more. An unknown path is never answered. */
export function servePages(pages: Record<string, string | RequestListener>): TestPages {
  const server = createServer((request, response) => {
    const page = pages[new URL(request.url!, 'http://localhost').pathname];
    if (typeof page === 'function') return page(request, response);
    if (page !== undefined) response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
  });
  let browser: Browser | undefined;

  before(async () => {
    if (!executablePath) return;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    browser = await chromium.launch({ executablePath, args: FLAGS, chromiumSandbox: process.getuid?.() !== 0 });
  });
  after(async () => {
    await browser?.close();
    server.closeAllConnections();
    server.close();
  });

  const base = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    base,
    async open(path, options) {
      const page = await browser!.newPage(options);
      await page.goto(base() + path, { waitUntil: 'domcontentloaded' });
      return page;
    },
  };
}

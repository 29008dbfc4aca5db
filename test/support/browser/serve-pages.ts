// A plain browser and a server for a test's own pages, for tests of what happens on a loaded page.
import { existsSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
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

/** A page is HTML or a request listener. Unknown paths are never answered. */
export function servePages(pages: Record<string, string | RequestListener>): TestPages {
  const server = createServer((request, response) => {
    const page = pages[new URL(request.url!, 'http://localhost').pathname];
    if (typeof page === 'function') return page(request, response);
    if (page !== undefined) response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
  });
  let started: Promise<Browser> | undefined;

  const start = async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return chromium.launch({ executablePath, args: FLAGS, chromiumSandbox: process.getuid?.() !== 0 });
  };
  after(async () => {
    if (!started) return;
    await (await started).close();
    server.closeAllConnections();
    server.close();
  });

  const base = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    base,
    async open(path, options) {
      started ??= start();
      const page = await (await started).newPage(options);
      await page.goto(base() + path, { waitUntil: 'domcontentloaded' });
      return page;
    },
  };
}

// The console as a person sees it: a service, a small web for it to read, and a real browser that looks at its pages.
import { after, afterEach, before } from 'node:test';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { EXECUTABLE } from '../../support/browser/browser.ts';
import { buildConsoleIfNeeded } from '../../support/built-console.ts';
import { type RunningService, startServiceWith } from '../../support/service.ts';
import { startWeb, type Web } from '../../support/web.ts';
import { type PageRecord, recordPage } from './page-record.ts';

interface Options {
  /** What the small web serves. */
  hosts?: Parameters<typeof startWeb>[0];
  /** Settings of the service. Authentication is off unless they say otherwise. */
  settings?: Record<string, string>;
}

interface View {
  width?: number;
  theme?: 'light' | 'dark';
}

export interface ConsoleScene {
  web: Web;
  service: RunningService;
  browser: Browser;
  /** Opens a page of the console in a fresh browser profile. It is closed after the test. */
  open(path: string, view?: View): Promise<Page>;
  /** What went wrong on a page so far, and where its requests went. */
  recordOf(page: Page): PageRecord;
}

const HEIGHT = 900;
export const WIDTHS = { desktop: 1_440, tablet: 820, phone: 390 } as const;

/** The fields are set before the first test runs. */
export function useConsole({ hosts, settings = {} }: Options = {}): ConsoleScene {
  const contexts: BrowserContext[] = [];
  const records = new WeakMap<Page, PageRecord>();
  const scene = {
    async open(path, { width = WIDTHS.desktop, theme = 'light' } = {}) {
      const context = await scene.browser.newContext({
        viewport: { width, height: HEIGHT },
        colorScheme: theme,
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      contexts.push(context);
      const page = await context.newPage();
      records.set(page, await recordPage(page, scene.service.url));
      await page.goto(new URL(path, scene.service.url).href);
      return page;
    },
    recordOf: (page) => records.get(page)!,
  } as ConsoleScene;
  before(async () => {
    buildConsoleIfNeeded();
    scene.web = await startWeb(hosts);
    scene.service = await startServiceWith(scene.web, { TRAWL_AUTH: 'off', ...settings });
    scene.browser = await chromium.launch({
      executablePath: EXECUTABLE,
      chromiumSandbox: process.getuid?.() !== 0,
    });
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  });
  after(async () => {
    await scene.browser?.close();
    await scene.service?.stop();
    await scene.web?.stop();
  });
  return scene;
}

// The console as a person sees it: a service, a small web for it to read, and a real browser that looks at its pages.
import { after, afterEach, before } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { WITH_BROWSER } from '../../support/browser/service-settings.ts';
import { sharedBrowser } from '../../support/browser/shared-browser.ts';
import { buildConsoleIfNeeded } from '../../support/built-console.ts';
import { type RunningService, startServiceWith } from '../../support/service.ts';
import { joinService, startSharedWeb } from '../../support/shared-service.ts';
import { startWeb, type Web } from '../../support/web.ts';
import { checkPage } from './check-page.ts';
import { recordPage } from './page-record.ts';
import type { Tier } from './tier.ts';
import { WIDTHS } from './views.ts';

interface Options {
  tier: Tier;
  /** What the small web serves. */
  hosts?: Parameters<typeof startWeb>[0];
  /**
   * Settings of a service of its own, where nobody is logged in: for what only its operator can do. Authentication is off
   * unless they say otherwise. Without them, pages are those of a new team of a shared service.
   */
  settings?: Record<string, string>;
}

interface View {
  width?: number;
  theme?: 'light' | 'dark';
}

export interface ConsoleScene {
  web: Web;
  service: RunningService;
  /** Opens a page of the console in a fresh browser profile. It is closed after the test. */
  open(path: string, view?: View): Promise<Page>;
  /** Looks at a page as it is now. `name` is that of the picture, such as `jobs-empty`. */
  check(page: Page, name: string): Promise<void>;
  /** What went wrong on a page so far, and where its requests went. */
  recordOf(page: Page): Awaited<ReturnType<typeof recordPage>>;
}

const HEIGHT = 900;
/** Other tests keep the machine busy. */
const PATIENCE_MS = 60_000;

/** The fields are set before the first test runs. */
export function useConsole({ tier, hosts, settings }: Options): ConsoleScene {
  const contexts: BrowserContext[] = [];
  const records = new WeakMap<Page, Awaited<ReturnType<typeof recordPage>>>();
  let browser: Browser;
  let login: Awaited<ReturnType<BrowserContext['storageState']>> | undefined;
  const scene = {
    async open(path, { width = WIDTHS.desktop, theme = 'light' } = {}) {
      const context = await browser.newContext({
        viewport: { width, height: HEIGHT },
        colorScheme: theme,
        permissions: ['clipboard-read', 'clipboard-write'],
        storageState: login,
      });
      context.setDefaultTimeout(PATIENCE_MS);
      contexts.push(context);
      const page = await context.newPage();
      records.set(page, await recordPage(page, scene.service.url));
      await page.goto(new URL(path, scene.service.url).href);
      return page;
    },
    check: (page, name) => checkPage(page, records.get(page)!, name, tier),
    recordOf: (page) => records.get(page)!,
  } as ConsoleScene;
  before(async () => {
    buildConsoleIfNeeded();
    browser = await sharedBrowser();
    if (settings) {
      scene.web = await startWeb(hosts);
      scene.service = await startServiceWith(scene.web, { TRAWL_AUTH: 'off', ...settings });
    } else {
      scene.web = await startSharedWeb(hosts);
      scene.service = await joinService(scene.web, WITH_BROWSER);
      login = await logIn(browser, scene.service);
    }
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  });
  after(async () => {
    await scene.service?.stop();
    await scene.web?.stop();
  });
  return scene;
}

/** The cookie that the login page would have got. */
async function logIn(browser: Browser, { url, key }: RunningService) {
  const context = await browser.newContext();
  const { origin } = new URL(url);
  const answer = await context.request.post(`${origin}/console/session`, { data: { key }, headers: { origin } });
  if (!answer.ok()) throw new Error(`The console does not log in: ${await answer.text()}`);
  const state = await context.storageState();
  await context.close();
  return state;
}

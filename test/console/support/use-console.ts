// The console as a person sees it: a service, a small web for it to read, and a real browser that looks at its pages.
import { after, afterEach, before } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { WITH_BROWSER } from '../../support/browser/service-settings.ts';
import { sharedBrowser } from '../../support/browser/shared-browser.ts';
import { buildConsoleIfNeeded } from '../../support/built-console.ts';
import { type RunningProgram, type RunningService, startServiceWith } from '../../support/service.ts';
import { startServiceHereWith } from '../../support/service-here.ts';
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
}

interface OwnOptions extends Options {
  /** Settings of a service of its own, where nobody is logged in. Authentication is off unless they say otherwise. */
  settings: Record<string, string>;
}

interface View {
  width?: number;
  theme?: 'light' | 'dark';
}

export interface ConsoleScene<S extends RunningService = RunningService> {
  web: Web;
  service: S;
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

/** The pages of a new team of a shared service. The fields are set before the first test runs. */
export const useConsole = ({ tier, hosts }: Options): ConsoleScene =>
  useScene(tier, async (browser) => {
    const web = await startSharedWeb(hosts);
    const service = await joinService(web, WITH_BROWSER);
    return { web, service, login: await logIn(browser, service) };
  });

/** For what only an operator can do. */
export const useConsoleOfOperator = (options: OwnOptions): ConsoleScene => useOwnScene(options, startServiceHereWith);

/** For what is seen of the program: what it prints, and its end. */
export const useConsoleOfProgram = (options: OwnOptions): ConsoleScene<RunningProgram> =>
  useOwnScene(options, startServiceWith);

const useOwnScene = <S extends RunningService>(
  { tier, hosts, settings }: OwnOptions,
  start: (web: Web, settings: Record<string, string>) => Promise<S>,
): ConsoleScene<S> =>
  useScene(tier, async () => {
    const web = await startWeb(hosts);
    return { web, service: await start(web, { TRAWL_AUTH: 'off', ...settings }) };
  });

type Login = Awaited<ReturnType<BrowserContext['storageState']>>;

function useScene<S extends RunningService>(
  tier: Tier,
  start: (browser: Browser) => Promise<{ web: Web; service: S; login?: Login }>,
): ConsoleScene<S> {
  const contexts: BrowserContext[] = [];
  const records = new WeakMap<Page, Awaited<ReturnType<typeof recordPage>>>();
  let browser: Browser;
  let login: Login | undefined;
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
  } as ConsoleScene<S>;
  before(async () => {
    buildConsoleIfNeeded();
    browser = await sharedBrowser();
    const started = await start(browser);
    login = started.login;
    scene.web = started.web;
    scene.service = started.service;
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
async function logIn(browser: Browser, { url, key }: RunningService): Promise<Login> {
  const context = await browser.newContext();
  const { origin } = new URL(url);
  const answer = await context.request.post(`${origin}/console/session`, { data: { key }, headers: { origin } });
  if (!answer.ok()) throw new Error(`The console does not log in: ${await answer.text()}`);
  const state = await context.storageState();
  await context.close();
  return state;
}

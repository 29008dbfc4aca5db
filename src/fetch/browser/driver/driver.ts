// Drives the page of a session over the DevTools protocol: views it as text, performs actions, follows new tabs, and closes
// dialogs, which would stop everything else.
import { tmpdir } from 'node:os';
import type { Browser, Dialog, Page } from 'playwright-core';
import { ServiceError } from '../../../contracts/errors/errors.ts';
import type { SessionRules } from '../../../sessions/guard-documents.ts';
import type { DrivePage, DrivingTime, PageAction, PageDriver, PerformedAction } from '../../../sessions/page-driver.ts';
import type { BrowserSession } from '../../../sessions/session.ts';
import { raceAbort, raceTimeout } from '../../../util/abort.ts';
import type { Clock } from '../../../util/clock.ts';
import { press } from '../actions/keyboard.ts';
import { scroll } from '../actions/scroll.ts';
import { ActionFailure, quote, type Step } from '../actions/step.ts';
import { navigationError, pageError } from '../browser-failure.ts';
import { settle } from '../page/settle.ts';
import { type Traffic, watchTraffic } from '../page/traffic.ts';
import { createPipeTransport } from '../process/pipe.ts';
import { loadPlaywright } from '../process/playwright.ts';
import { type ReadView, readView } from './read-view.ts';
import { chooseIn, clickElement, findElement, typeInto } from './use-element.ts';

/** A page whose scripts never rest cannot be read; it must not take the whole time. */
const VIEW_MS = 15_000;
const MAX_TRIES = 3;
/** A page needs a moment to react, before it can be seen that it loads something or opens a tab. */
const REACTION_MS = 300;
/** One action without the waiting for what it causes. */
const ACTION_MS = 20_000;
const MAX_TITLE = 300;
const MAX_NOTE = 300;
const MAX_BLOCKED = 20;

interface DriverDeps {
  clock: Clock;
  guardDocuments(session: BrowserSession, rules: SessionRules, signal: AbortSignal): Promise<unknown>;
}

export function createDrivePage({ clock, guardDocuments }: DriverDeps): DrivePage {
  return async (session, { mayOpen, ...time }) => {
    const { chromium } = await loadPlaywright();
    const channel = await session.connect(time.signal);
    try {
      /** Addresses that pages were kept from since the last action. */
      const blocked: string[] = [];
      const onBlocked = (url: string) => {
        if (blocked.length < MAX_BLOCKED) blocked.push(url);
      };
      if (mayOpen) await guardDocuments(session, { mayOpen, onBlocked, onLost: channel.close }, time.signal);
      const connecting = chromium.connectOverCDP(createPipeTransport(channel), { artifactsDir: tmpdir() });
      const browser = await raceAbort(connecting, time.signal);
      return await driverOf(browser, { time, clock, blocked, close: channel.close });
    } catch (error) {
      channel.close();
      time.signal.throwIfAborted();
      throw error instanceof ServiceError ? error : pageError(error);
    }
  };
}

interface Tab {
  page: Page;
  traffic: Traffic;
}

interface Parts {
  time: DrivingTime;
  clock: Clock;
  blocked: string[];
  close(): void;
}

async function driverOf(browser: Browser, { time, clock, blocked, close }: Parts): Promise<PageDriver> {
  const notes: string[] = [];
  const tabs: Tab[] = [];
  const take = (page: Page) => {
    tabs.push({ page, traffic: watchTraffic(page, clock) });
    page.on('dialog', (dialog) => closeDialog(dialog, notes));
  };
  for (const context of browser.contexts()) {
    for (const page of context.pages().toSorted((a, b) => Number(isUsed(a)) - Number(isUsed(b)))) take(page);
    context.on('page', (page) => {
      // A tab whose page was kept back.
      if (isErrorPage(page)) return void page.close().catch(() => {});
      take(page);
      notes.push('A new tab was opened; it is shown now.');
    });
  }
  if (tabs.length === 0) take(await browser.contexts()[0]!.newPage());
  const current = (): Tab => tabs.findLast(({ page }) => !page.isClosed()) ?? tabs.at(-1)!;
  let view: ReadView | undefined;
  let viewed: Tab | undefined;

  return {
    async view() {
      await settleTab(current(), time, clock);
      view?.close();
      view = undefined;
      viewed = current();
      const { page } = viewed;
      view = await steadyView(viewed, time, clock);
      const title = await within(page.title(), VIEW_MS, time, clock, 'The page does not answer.').catch(() => '');
      return { url: page.url(), title: title.slice(0, MAX_TITLE), lines: view.lines, isCut: view.isCut };
    },
    async perform(action) {
      const tab = current();
      const before = tab.page.url();
      notes.length = 0;
      // Numbers belong to the tab that was viewed; another one may have opened since.
      const outcome = await attempt(tab, action, viewed === tab ? view : undefined, time, clock);
      await clock.sleep(REACTION_MS, time.signal);
      await settleTab(current(), time, clock);
      if (blocked.length > 0) notes.unshift(blockedNote(blocked.splice(0)), ...(await closeEmpty(tabs)));
      const note = [outcome.note, ...notes].filter(Boolean).join(' ').slice(0, MAX_NOTE);
      const isNewPage = current() !== tab || tab.page.url() !== before;
      return { ...outcome, isNewPage, ...(note && { note }) };
    },
    close() {
      view?.close();
      close();
    },
  };
}

const blockedNote = (urls: readonly string[]): string =>
  `The page tried to go to ${quote(urls[0]!)}, which may not be opened; nothing was sent there.`;

/** A tab that was opened for a page that was kept back would be shown from now on. */
async function closeEmpty(tabs: readonly Tab[]): Promise<string[]> {
  const empty = tabs.slice(1).filter(({ page }) => !page.isClosed() && !isUsed(page));
  await Promise.all(empty.map(({ page }) => page.close().catch(() => {})));
  return empty.length > 0 ? ['Its new tab was closed.'] : [];
}

/** A page that goes elsewhere while it is read is read again. */
async function steadyView(tab: Tab, time: DrivingTime, clock: Clock): Promise<ReadView> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await within(readView(tab.page), VIEW_MS, time, clock, 'The page does not answer.');
    } catch (error) {
      time.signal.throwIfAborted();
      if (error instanceof ActionFailure || tries === MAX_TRIES || tab.page.isClosed()) throw error;
    }
    await settleTab(tab, time, clock);
  }
}

const isErrorPage = (page: Page): boolean => page.url().startsWith('chrome-error:');
const isUsed = (page: Page): boolean => page.url() !== '' && page.url() !== 'about:blank' && !isErrorPage(page);

/** Alerts are closed; questions are answered with no, except whether to leave the page. */
async function closeDialog(dialog: Dialog, notes: string[]): Promise<void> {
  const isLeaving = dialog.type() === 'beforeunload';
  if (!isLeaving) notes.push(`The page showed a dialog, which was closed: ${quote(dialog.message())}.`);
  // Another client of the session may have been faster.
  await (isLeaving ? dialog.accept() : dialog.dismiss()).catch(() => {});
}

const settleTab = ({ page, traffic }: Tab, { signal, deadline }: DrivingTime, clock: Clock): Promise<void> =>
  settle(page, { signal, deadline, clock, traffic });

async function within<T>(
  work: Promise<T>,
  ms: number,
  { signal }: DrivingTime,
  clock: Clock,
  late: string,
): Promise<T> {
  work.catch(() => {});
  return raceTimeout(
    work,
    ms,
    () => {
      throw new ActionFailure(late);
    },
    { clock, signal },
  );
}

async function attempt(
  tab: Tab,
  action: PageAction,
  view: ReadView | undefined,
  time: DrivingTime,
  clock: Clock,
): Promise<Omit<PerformedAction, 'isNewPage'>> {
  try {
    const work = run(tab, action, view, time, clock);
    const note = await within(work, ACTION_MS, time, clock, 'it took too long.');
    return note === undefined ? {} : { note };
  } catch (error) {
    time.signal.throwIfAborted();
    if (error instanceof ActionFailure || error instanceof ServiceError) return { problem: error.message };
    const reason = String(error instanceof Error ? error.message : error).split('\n', 1)[0];
    return { problem: `the browser could not do it: ${reason}` };
  }
}

async function run(
  { page, traffic }: Tab,
  action: PageAction,
  view: ReadView | undefined,
  { signal, deadline }: DrivingTime,
  clock: Clock,
): Promise<string | undefined> {
  const elementOf = (number: number) => findElement(view?.frames ?? [], number);
  const step: Step = {
    page,
    signal,
    now: clock.now,
    timeLeft: () => deadline - clock.now(),
    settle: () => settle(page, { signal, deadline, clock, traffic }),
  };
  switch (action.type) {
    case 'click':
      return clickElement(page, await elementOf(action.element));
    case 'type':
      await typeInto(page, await elementOf(action.element), action.text);
      if (action.enter) await page.keyboard.press('Enter');
      return undefined;
    case 'select':
      await chooseIn(await elementOf(action.element), action.option);
      return undefined;
    case 'press':
      await press(step, action.key);
      return undefined;
    case 'scroll':
      await scroll(step, { type: 'scroll', direction: action.direction });
      return undefined;
    case 'back':
      if (!(await page.goBack({ waitUntil: 'commit', timeout: ACTION_MS }))) return 'There may be no earlier page.';
      return undefined;
    case 'open':
      return open(page, action.url);
    case 'wait':
      await clock.sleep(action.seconds * 1000, signal);
      return undefined;
  }
}

/** Which addresses can be reached is decided by the proxy of the session, as for every request of its browser. */
async function open(page: Page, text: string): Promise<string | undefined> {
  const url = URL.parse(text, page.url());
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new ActionFailure('only addresses that start with http:// or https:// can be opened.');
  }
  try {
    const response = await page.goto(url.href, { waitUntil: 'commit', timeout: ACTION_MS });
    return response && response.status() >= 400 ? `The answer has the status ${response.status()}.` : undefined;
  } catch (error) {
    throw navigationError(error);
  }
}

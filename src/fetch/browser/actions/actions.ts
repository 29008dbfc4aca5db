// Runs the caller's `actions` on a page, in order, within one time time.
import type { Page } from 'playwright-core';
import { ServiceError } from '../../../contracts/errors/errors.ts';
import type { Action } from '../../../contracts/scrape/actions.ts';
import type { ActionResults } from '../../../page/captures.ts';
import { raceAbort, startDeadline } from '../../../util/abort.ts';
import { BrowserFault } from '../browser-failure.ts';
import { printPdf, takeScreenshot } from '../page/capture.ts';
import { readHtml } from '../page/read-html.ts';
import { click } from './click.ts';
import { findInvalidSelector } from './elements.ts';
import { evaluateScript } from './evaluate-script.ts';
import { press, write } from './keyboard.ts';
import { scroll } from './scroll.ts';
import { ActionFailure, OutOfTime, onSteadyPage, quote, type Step } from './step.ts';
import { wait } from './wait.ts';

export interface ActionLimits {
  signal: AbortSignal;
  deadline: number;
  now(): number;
  /** Waits, with a time limit, until the page has settled. */
  settle(): Promise<void>;
  /** Called before a script of the caller runs. */
  beforeScript?(): Promise<unknown>;
}

const SCRIPT_MS = 30_000;
/** Screenshots, PDFs and HTML of all actions together. */
const MAX_RESULT_BYTES = 128 * 1024 * 1024;
/** Actions give up this long before the deadline, so that the error can name the one that was too late. */
const AHEAD_MS = 100;

export async function runActions(page: Page, actions: readonly Action[], limits: ActionLimits): Promise<ActionResults> {
  const results: ActionResults = { screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [] };
  if (actions.length === 0) return results;
  const timeLeft = () => limits.deadline - limits.now() - AHEAD_MS;
  const time = startDeadline(Math.max(0, timeLeft()), () => new OutOfTime(), limits.signal);
  const { signal } = time;
  const step: Step = { page, signal, now: limits.now, timeLeft, settle: () => raceAbort(limits.settle(), signal) };
  let crashed = false;
  const onCrash = () => {
    crashed = true;
  };
  page.once('crash', onCrash);

  let index = 0;
  try {
    const invalid = await raceAbort(findInvalidSelector(step, actions), signal);
    if (invalid !== -1) {
      index = invalid;
      throw new ActionFailure(`${quote(selectorOf(actions[invalid]!))} is not a CSS selector.`);
    }
    for (; index < actions.length; index += 1) {
      const action = actions[index]!;
      signal.throwIfAborted();
      if (action.type === 'executeJavascript') await raceAbort(Promise.resolve(limits.beforeScript?.()), signal);
      await raceAbort(perform(step, action, results), signal);
      if (bytesOf(results) > MAX_RESULT_BYTES)
        throw new ActionFailure('the results of the actions are too large. Ask for fewer.');
      if (mayChangePage(action, actions[index + 1])) await step.settle();
    }
    return results;
  } catch (error) {
    // Not the action's failure if the browser crashed: the engine retries then.
    if (crashed || page.context().browser()?.isConnected() === false) throw error;
    if (limits.signal.aborted && !isTimeout(limits.signal.reason)) throw limits.signal.reason;
    throw explain(error, index, actions[index]!, page);
  } finally {
    time.done();
    page.off('crash', onCrash);
  }
}

async function perform(step: Step, action: Action, results: ActionResults): Promise<void> {
  const { page } = step;
  switch (action.type) {
    case 'wait':
      return wait(step, action);
    case 'click':
      return click(step, action);
    case 'write':
      return write(step, action.text);
    case 'press':
      return press(step, action.key);
    case 'scroll':
      return scroll(step, action);
    case 'screenshot':
      results.screenshots.push(await onSteadyPage(step, () => takeScreenshot(page, action)));
      return;
    case 'pdf':
      results.pdfs.push(await onSteadyPage(step, () => printPdf(page, action)));
      return;
    case 'scrape':
      results.scrapes.push(await onSteadyPage(step, async () => ({ html: await readHtml(page), url: page.url() })));
      return;
    case 'executeJavascript':
      results.javascriptReturns.push(
        await evaluateScript(page, action.script, { withinMs: SCRIPT_MS, signal: step.signal }),
      );
  }
}

/** Whether to wait for the page afterwards. Typing in several steps does not wait between them. */
function mayChangePage(action: Action, next: Action | undefined): boolean {
  if (action.type === 'write') return next?.type !== 'write' && next?.type !== 'press';
  return ['click', 'press', 'scroll', 'executeJavascript'].includes(action.type);
}

const selectorOf = (action: Action): string => ('selector' in action && action.selector) || '';

const bytesOf = ({ screenshots, pdfs, scrapes }: ActionResults): number =>
  [...screenshots, ...pdfs].reduce((sum, { bytes }) => sum + bytes.byteLength, 0) +
  scrapes.reduce((sum, { html }) => sum + html.length, 0);

/** The error for the caller, with the action that failed. Actions are counted from 0, as in the request. */
function explain(error: unknown, index: number, action: Action, page: Page): unknown {
  const named = (code: 'SCRAPE_ACTION_ERROR' | 'SCRAPE_TIMEOUT', problem: string) => {
    const message = `Action ${index} (${action.type}): ${problem}`;
    return new ServiceError(code, { message, details: [{ code, path: ['actions', index], message }], cause: error });
  };
  if (isTimeout(error)) {
    return named('SCRAPE_TIMEOUT', 'the scrape timed out before it was done. Use a longer `timeout`.');
  }
  if (error instanceof ActionFailure) return named('SCRAPE_ACTION_ERROR', error.message);
  if (error instanceof ServiceError || error instanceof BrowserFault) return error;
  if (page.isClosed()) return named('SCRAPE_ACTION_ERROR', 'the page closed itself.');
  const reason = String(error instanceof Error ? error.message : error).split('\n', 1)[0];
  return named('SCRAPE_ACTION_ERROR', `the browser could not do it: ${reason}`);
}

const isTimeout = (error: unknown): boolean =>
  error instanceof OutOfTime || (error instanceof ServiceError && error.code === 'SCRAPE_TIMEOUT');

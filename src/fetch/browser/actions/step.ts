// What every action has at hand, and the one way in which it says that it could not be done.
import type { Page } from 'playwright-core';

export interface Step {
  page: Page;
  signal: AbortSignal;
  now(): number;
  /** Milliseconds until the time of the whole scrape is over. */
  timeLeft(): number;
  /** Waits, within bounds, until the page has come to rest. */
  settle(): Promise<void>;
}

/** Why an action could not be done, as a sentence; whoever runs the actions adds which one it was. */
export class ActionFailure extends Error {}

/** The time of the whole scrape is over, or not enough of it is left. */
export class OutOfTime extends Error {}

const MAX_QUOTED = 200;

export const quote = (text: string): string =>
  JSON.stringify(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}...` : text);

const NAVIGATED = ['Execution context was destroyed', 'Cannot find context', 'target navigated or closed'];

/** Whether a call failed only because the document it was meant for has made way for another. */
export const isNavigation = (error: unknown): boolean =>
  error instanceof Error && NAVIGATED.some((sign) => error.message.includes(sign));

const MAX_TRIES = 4;

/** Does what reads the page again when a navigation came in between. */
export async function onSteadyPage<T>(step: Step, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    step.signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (!isNavigation(error)) throw error;
      if (tries === MAX_TRIES) throw new ActionFailure('the page goes from one address to the next without end.');
    }
    await step.settle();
  }
}

// What every action gets, and how it reports failure.
import type { Page } from 'playwright-core';

export interface Step {
  page: Page;
  signal: AbortSignal;
  now(): number;
  /** Milliseconds left for the whole scrape. */
  timeLeft(): number;
  /** Waits, with a time limit, until the page has settled. */
  settle(): Promise<void>;
}

/** Why an action failed, as a sentence. actions.ts adds which action it was. */
export class ActionFailure extends Error {}

/** The time of the whole scrape is over, or too little of it is left. */
export class OutOfTime extends Error {}

const MAX_QUOTED = 200;

export const quote = (text: string): string =>
  JSON.stringify(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}...` : text);

const NAVIGATED = ['Execution context was destroyed', 'Cannot find context', 'target navigated or closed'];

/** Whether a call failed only because the page navigated away from the document. */
export const isNavigation = (error: unknown): boolean =>
  error instanceof Error && NAVIGATED.some((sign) => error.message.includes(sign));

const MAX_TRIES = 4;

/** Repeats `work` if a navigation interrupted it. */
export async function onSteadyPage<T>(step: Step, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    step.signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (!isNavigation(error)) throw error;
      if (tries === MAX_TRIES) throw new ActionFailure('the page keeps navigating from one address to the next.');
    }
    await step.settle();
  }
}

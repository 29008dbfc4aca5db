// Waits for a time, or until an element is visible.
import type { Action } from '../../../contracts/scrape/actions.ts';
import { systemClock } from '../../../util/clock.ts';
import { findVisible } from './elements.ts';
import { OutOfTime, type Step } from './step.ts';

const APPEARS_MS = 30_000;

type Wait = Extract<Action, { type: 'wait' }>;

export async function wait(step: Step, { milliseconds, selector }: Wait): Promise<void> {
  if (milliseconds !== undefined) {
    // Fails right away instead of starting a pause that cannot end in time.
    if (milliseconds > step.timeLeft()) throw new OutOfTime();
    await systemClock.sleep(milliseconds, step.signal);
  }
  if (selector !== undefined) {
    const element = await findVisible(step, selector, APPEARS_MS);
    await element.dispose();
  }
}

// Attempts to reach forbidden targets through an entrance, and what came of them.
import assert from 'node:assert/strict';
import { ServiceError } from '../../src/contracts/errors/errors.ts';
import type { Entrance } from './entrances.ts';
import type { Stage } from './stage.ts';
import { FORBIDDEN_TARGETS } from './targets.ts';

/** Jobs at once. Asking how far each of them is takes most of the time of one alone. */
const AT_ONCE = 8;
/** The short run sends one of so many targets to the whole service, the full run the others. */
const SAMPLE = 8;

export const sampleOfTargets = FORBIDDEN_TARGETS.filter((_, index) => index % SAMPLE === 0);
export const otherTargets = FORBIDDEN_TARGETS.filter((_, index) => index % SAMPLE !== 0);

/** The target with the port of the stage. */
export const at = (target: string, { port }: Stage) => target.replaceAll('PORT', String(port));

/** The result of an attempt: 'refused', or what went wrong. A failed connection counts as wrong: it was attempted. */
export async function outcome(stage: Stage, entrance: Entrance, target: string): Promise<string> {
  try {
    return `answered: ${await entrance.attempt(stage, target)}`;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const refused =
      error.code === 'UNSUPPORTED_SITE' ||
      error.code === 'BAD_REQUEST' ||
      /not a URL|not answer with valid HTTP/.test(error.message);
    return refused ? 'refused' : `${error.code}: ${error.message}`;
  }
}

/** None of the targets is reached, and neither the canary nor the proxy hears of it. */
export async function assertRefused(stage: Stage, entrance: Entrance, targets: readonly string[]): Promise<void> {
  stage.proxy.asked.length = 0;
  const taken = targets.map((target) => at(target, stage)).filter((target) => entrance.takes?.(target) ?? true);
  const width = entrance.asksService === 'at once' ? AT_ONCE : 1;
  const reached: string[] = [];
  for (let start = 0; start < taken.length; start += width) {
    const attempts = taken.slice(start, start + width).map(async (target) => {
      const result = await outcome(stage, entrance, target);
      if (result !== 'refused') reached.push(`${JSON.stringify(target)} -> ${result}`);
    });
    await Promise.all(attempts);
  }
  assert.deepEqual(reached, []);
  assert.deepEqual(stage.caught, [], 'a request reached the canary');
  const carried = stage.proxy.asked.filter((line) => !/^(GET http:\/\/|CONNECT )site\.test:/.test(line));
  assert.deepEqual(carried, [], 'the proxy was asked for a forbidden target');
}

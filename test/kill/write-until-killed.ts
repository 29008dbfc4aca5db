// Kills a process while it is writing.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { runs, seedOr } from '../support/runs.ts';

export const SEED = seedOr(20260105);

export type Kill = readonly [acknowledgements: number, delayMs: number];

// Each kill comes some milliseconds after a number of acknowledgements; the first one during startup.
export const KILLS: readonly Kill[] = [
  [0, 100],
  ...fc.sample(fc.noBias(fc.tuple(fc.nat(120), fc.nat(20))), { seed: SEED, numRuns: runs(5, 100) }),
];

/** Lets a script acknowledge that many writes, waits, kills it, and returns the acknowledged numbers. */
export async function writeUntilKilled(args: string[], acknowledgements: number, delayMs: number): Promise<number[]> {
  const writer = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(writer, 'close');
  let output = '';
  const enough = Promise.withResolvers<void>();
  writer.stdout.on('data', (text) => {
    output += text;
    if (output.split('\n').length > acknowledgements) enough.resolve();
  });
  if (acknowledgements > 0) await Promise.race([enough.promise, ended]);
  await delay(delayMs);
  writer.kill('SIGKILL');
  assert.equal((await ended)[1], 'SIGKILL', 'the writer exited before it was killed');
  // The last line may have been cut off.
  return output.split('\n').slice(0, -1).map(Number);
}

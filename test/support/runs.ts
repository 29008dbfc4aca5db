// How much a randomised test does: little in `npm test`, more in a full run, far more in `npm run test:long`.
// `npm test` always uses the seeds written in the test files; a long run draws a new one and prints it.
import { after } from 'node:test';

/** Set by `scripts/test.ts --long`. */
export const isLong = process.env.TRAWL_TEST_LONG === '1';

/** The same in the short and the full run: for what is cheap. */
export const runs = (sample: number, full: number): number => (isLong ? full : sample);

let isFull = false;

/** Called by a test file that repeats others with the numbers of a full run, until its end. */
export function useFullAmounts(): void {
  isFull = true;
  after(() => {
    isFull = false;
  });
}

/** For what is expensive. Files that use it are listed in test/support/full-amounts.ts. */
export const amount = ({ short, full, long = full }: { short: number; full: number; long?: number }): number =>
  isLong ? long : isFull ? full : short;

/** The seed of this run if there is one (`--seed` or `--long`), else the usual one. Put it in the name of the test. */
export function seedOr(usual: number): number {
  const seed = process.env.TRAWL_TEST_SEED;
  return seed === undefined ? usual : Number(seed);
}

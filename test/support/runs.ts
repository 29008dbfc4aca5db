// How much a randomised test does: a sample in `npm test`, far more in `npm run test:long`.
// `npm test` always uses the seeds written in the test files; a long run draws a new one and prints it.

/** Set by `scripts/test.ts --long`. */
export const isLong = process.env.TRAWL_TEST_LONG === '1';

export const runs = (sample: number, full: number): number => (isLong ? full : sample);

/** The seed of this run if there is one (`--seed` or `--long`), else the usual one. Put it in the name of the test. */
export function seedOr(usual: number): number {
  const seed = process.env.TRAWL_TEST_SEED;
  return seed === undefined ? usual : Number(seed);
}

// The pages of the console are clicked through by walks, which two files run: in the short run each state is looked at in one
// width and one theme, in the full run in all of them.
import { test } from 'node:test';

export type Tier = 'short' | 'full';

const none: typeof test = Object.assign(async () => {}, test);

/** `test` itself is for what both runs do: a walk through states that look different in each width. */
export const testsOf = (tier: Tier) => ({
  /** What is the same in every width and theme. */
  onceTest: tier === 'short' ? test : none,
  fullTest: tier === 'full' ? test : none,
});

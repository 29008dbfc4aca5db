// The pages of the console are clicked through by walks, which two files run: in the short run each state is looked at in one
// width and one theme, in the full run in all of them.
import { type TestContext, test } from 'node:test';

export type Tier = 'short' | 'full';

type AddTest = (name: string, run: (t: TestContext) => Promise<void>) => void;

const skip: AddTest = () => {};
const add: AddTest = (name, run) => void test(name, run);

/** `test` itself is for what both runs do: a walk through states that look different in each width. */
export const testsOf = (tier: Tier) => ({
  /** What is the same in every width and theme. */
  onceTest: tier === 'short' ? add : skip,
  fullTest: tier === 'full' ? add : skip,
});

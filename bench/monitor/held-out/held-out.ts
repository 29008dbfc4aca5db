// The held-out half of the pairs, for measuring only: see README.md.
import type { PagePair } from '../page-pair.ts';

export const heldOutPairs: readonly PagePair[] = [];

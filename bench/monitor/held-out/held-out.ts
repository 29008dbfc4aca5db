// The held-out half of the pairs, for measuring only: see README.md.
import type { PagePair } from '../page-pair.ts';
import { institutionPairs } from './institutions.ts';
import { servicePairs } from './services.ts';

export const heldOutPairs: readonly PagePair[] = [...servicePairs, ...institutionPairs];

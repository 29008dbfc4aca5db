// The open half of the pairs: single mistakes may be looked at while the filter is built.
import type { PagePair } from '../page-pair.ts';
import { organisationPairs } from './organisations.ts';
import { shopPairs } from './shops.ts';
import { softwarePairs } from './software.ts';

export const openPairs: readonly PagePair[] = [...shopPairs, ...organisationPairs, ...softwarePairs];

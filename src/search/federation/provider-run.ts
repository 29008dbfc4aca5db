// The outcome of asking one provider, and the warning to callers about providers that did not answer.
import type { Capabilities, ProviderResult } from '../providers/provider.ts';
import { INDEX_NAME } from '../providers/provider-names.ts';
import type { ProblemKind } from '../providers/provider-problem.ts';

export interface ProviderRun {
  provider: string;
  /** Display name. */
  label: string;
  /** The operator set a key or an address for it; others are used because they need neither. */
  isConfigured: boolean;
  /** Clause kinds that it honours. */
  clauses: Capabilities['clauses'];
  /** 'resting': paused after earlier failures, so it was not asked. Results from before a failure are kept. */
  state: 'answered' | 'failed' | 'timed-out' | 'resting';
  /** Ranks are the provider's own, from 1. */
  kept: { result: ProviderResult; rank: number }[];
  dropped: { url: string; reason: string; rank: number }[];
  ms: number;
  /** The request left it less time than a provider has. */
  isHurried?: true;
  /** Why the state is not 'answered': a phrase to follow the label and a colon. */
  problem?: string;
  problemKind?: ProblemKind;
  /** Requests sent; 0 when the answer was cached. */
  requests: number;
}

/** One sentence about all providers that did not answer; undefined if all did. Runs of several sources may be mixed. */
export function warningOf(runs: readonly ProviderRun[]): string | undefined {
  const silent = runs.filter(({ state }) => state !== 'answered');
  if (silent.length === 0) return undefined;
  const nobodyElse = runs.every(({ provider, state }) => provider === INDEX_NAME || state !== 'answered');
  if (isOffline(silent) && nobodyElse) {
    const origin = silent.length < runs.length ? "; these results come from this service's own index" : '';
    return `No search provider on the Internet could be reached${origin}.`;
  }
  return `Not every search provider answered (${problemsOf(silent)}).`;
}

/** One sentence for providers none of which answered. */
export const didNotAnswer = (silent: readonly ProviderRun[]): string =>
  isOffline(silent)
    ? 'No search provider on the Internet could be reached.'
    : `No search provider answered (${problemsOf(silent)}).`;

/** Without a network all fail alike, and the operator configured none: naming them would not help. */
const isOffline = (silent: readonly ProviderRun[]): boolean =>
  silent.every(({ isConfigured, problemKind }) => !isConfigured && problemKind === 'down');

function problemsOf(silent: readonly ProviderRun[]): string {
  const reasons = Map.groupBy(silent, ({ problem }) => problem);
  return [...reasons].map(([problem, those]) => `${labelsOf(those)}: ${problem}`).join('; ');
}

const labelsOf = (runs: ProviderRun[]): string => [...new Set(runs.map(({ label }) => label))].join(', ');

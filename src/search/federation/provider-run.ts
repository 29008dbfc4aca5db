// What came of asking one provider for one search, and how callers are told of those who gave nothing.
import type { ProviderResult } from '../providers/provider.ts';
import { INDEX_NAME } from '../providers/provider-names.ts';
import type { ProblemKind } from '../providers/provider-problem.ts';

export interface ProviderRun {
  provider: string;
  /** As people write it. */
  label: string;
  /** The operator gave it a key or an address; the others are asked because they need neither. */
  isConfigured: boolean;
  /** 'resting': it was not asked, because of what it did to earlier searches. What came before a failure is kept. */
  state: 'answered' | 'failed' | 'timed-out' | 'resting';
  /** Ranks count from 1, as the provider has them. */
  kept: { result: ProviderResult; rank: number }[];
  dropped: { url: string; reason: string; rank: number }[];
  ms: number;
  /** Why it is not 'answered': a phrase that follows its label and a colon. */
  problem?: string;
  problemKind?: ProblemKind;
  /** How often it was asked; 0 where the answer was known. */
  requests: number;
}

/** One sentence about everybody who was to be asked and did not answer, or undefined. The runs of several sources may be mixed. */
export function warningOf(runs: readonly ProviderRun[]): string | undefined {
  const silent = runs.filter(({ state }) => state !== 'answered');
  if (silent.length === 0) return undefined;
  const isOffline = silent.every(({ isConfigured, problemKind }) => !isConfigured && problemKind === 'down');
  const nobodyElse = runs.every(({ provider, state }) => provider === INDEX_NAME || state !== 'answered');
  // Without a network it is the same with all of them, and nobody has set up any: they need no names.
  if (isOffline && nobodyElse) {
    const whence = silent.length < runs.length ? "; these results come from this service's own index" : '';
    return `No search provider on the Internet could be reached${whence}.`;
  }
  const reasons = Map.groupBy(silent, ({ problem }) => problem);
  const named = [...reasons].map(([problem, those]) => `${labelsOf(those)}: ${problem}`);
  return `Not every search provider answered (${named.join('; ')}).`;
}

const labelsOf = (runs: ProviderRun[]): string => [...new Set(runs.map(({ label }) => label))].join(', ');

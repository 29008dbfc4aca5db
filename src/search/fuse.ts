// Merges several ranked lists into one by reciprocal rank fusion; the same page appears once.

import type { DomainAction } from '../urls/domain-ranking.ts';
import type { ProviderResult } from './providers/provider.ts';

export interface RankedResult<Result> {
  result: Result;
  /** The provider's own rank, from 1. */
  rank: number;
}

export interface RankedList<Result> {
  provider: string;
  items: readonly RankedResult<Result>[];
  /** How much this list counts; 1 by default. */
  weight?: number;
}

export interface Fused<Result> {
  result: Result;
  score: number;
  /** The part of the score that comes from what the result means, if it was compared with the query. */
  meaning?: number;
  /** What the team or the key wants done with results of its domain. */
  ranking?: DomainAction | undefined;
  /** Best rank in each list that contains it, in the order of the lists. */
  given: { provider: string; rank: number }[];
}

export interface FuseOptions {
  /** Maps all URLs of a page to the same key. */
  keyOf(url: string): string;
  limit: number;
  /** What identifies a result: the same image on different pages counts once. */
  by?: 'url' | 'imageUrl';
  /** Newest first; undated results follow by score. */
  sortByDate?: boolean;
  /** The list whose title and description win, because its descriptions are made for the query. */
  preferred?: string;
}

/** The k of reciprocal rank fusion: higher values make top ranks stand out less. */
const RANK_OFFSET = 60;

interface Hit<Result> extends RankedResult<Result> {
  provider: string;
  score: number;
}

export function fuse<Result extends ProviderResult>(
  lists: readonly RankedList<Result>[],
  options: FuseOptions,
): Fused<Result>[] {
  const groups = [...groupHits(lists, options).values()];
  const fused = groups.map(
    (hits): Fused<Result> => ({
      result: merge(inPreference(hits, options.preferred)),
      score: hits.reduce((sum, { score }) => sum + score, 0),
      given: hits.map(({ provider, rank }) => ({ provider, rank })),
    }),
  );
  // Both sorts are stable: ties keep the order of the lists, so the result is deterministic.
  fused.sort((a, b) => b.score - a.score);
  if (options.sortByDate) fused.sort((a, b) => timeOf(b) - timeOf(a));
  return fused.slice(0, options.limit);
}

/** Groups hits of the same page; each list counts once, with its best rank. */
function groupHits<Result extends ProviderResult>(
  lists: readonly RankedList<Result>[],
  { keyOf, by = 'url' }: FuseOptions,
): Map<string, Hit<Result>[]> {
  const groups = new Map<string, Hit<Result>[]>();
  for (const { provider, items, weight = 1 } of lists) {
    for (const { result, rank } of items.toSorted((a, b) => a.rank - b.rank)) {
      const key = keyOf(result[by] ?? result.url);
      const group = groups.get(key) ?? [];
      if (group.some((other) => other.provider === provider)) continue;
      group.push({ result, rank, provider, score: weight / (RANK_OFFSET + rank) });
      groups.set(key, group);
    }
  }
  return groups;
}

const inPreference = <Result>(hits: Hit<Result>[], preferred: string | undefined): Result[] =>
  hits
    .toSorted((a, b) => Number(b.provider === preferred) - Number(a.provider === preferred) || b.score - a.score)
    .map(({ result }) => result);

/** The first result, with missing fields filled in from the others. */
function merge<Result extends ProviderResult>(results: Result[]): Result {
  const [first, ...others] = results as [Result, ...Result[]];
  const merged = { ...first };
  for (const other of others) {
    for (const field of Object.keys(other) as (keyof Result)[]) {
      if (merged[field] === undefined || merged[field] === '') merged[field] = other[field];
    }
  }
  merged.url = results.find(({ url }) => url.startsWith('https:'))?.url ?? first.url;
  return merged;
}

const timeOf = ({ result: { date } }: Fused<ProviderResult>): number => date ?? Number.MIN_SAFE_INTEGER;

// Several ranked lists into one: reciprocal rank fusion, what is the same page counted once.
import type { ProviderResult } from './providers/provider.ts';

export interface Ranked<Result> {
  result: Result;
  /** From 1, as its provider has it. */
  rank: number;
}

export interface RankedList<Result> {
  provider: string;
  items: readonly Ranked<Result>[];
  /** How much this list counts; 1 unless told. */
  weight?: number;
}

export interface Fused<Result> {
  result: Result;
  score: number;
  /** Best rank of each list that has it, in the order of the lists. */
  given: { provider: string; rank: number }[];
}

export interface FuseOptions {
  /** What two addresses of one page have in common. */
  keyOf(url: string): string;
  limit: number;
  /** What makes two results the same: pictures are, whatever page shows them. */
  by?: 'url' | 'imageUrl';
  /** The newest first; what has no date follows in the order of the fusion. */
  sortByDate?: boolean;
  /** The list whose own words are shown where it has a result: its descriptions were made for the query. */
  preferred?: string;
}

/** Of the method: how little the first ranks stand out from those after them. */
const FLATNESS = 60;

interface Hit<Result> extends Ranked<Result> {
  provider: string;
  score: number;
}

export function fuse<Result extends ProviderResult>(
  lists: readonly RankedList<Result>[],
  options: FuseOptions,
): Fused<Result>[] {
  const groups = [...groupHits(lists, options).values()];
  const fused = groups.map(
    (sightings): Fused<Result> => ({
      result: merge(inPreference(sightings, options.preferred)),
      score: sightings.reduce((sum, { score }) => sum + score, 0),
      given: sightings.map(({ provider, rank }) => ({ provider, rank })),
    }),
  );
  // Both sorts are stable: equal results stay in the order of the lists, so the same lists always give the same answer.
  fused.sort((a, b) => b.score - a.score);
  if (options.sortByDate) fused.sort((a, b) => timeOf(b) - timeOf(a));
  return fused.slice(0, options.limit);
}

/** The same pages together, each list at most once and with its best rank. */
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
      group.push({ result, rank, provider, score: weight / (FLATNESS + rank) });
      groups.set(key, group);
    }
  }
  return groups;
}

const inPreference = <Result>(sightings: Hit<Result>[], preferred: string | undefined): Result[] =>
  sightings
    .toSorted((a, b) => Number(b.provider === preferred) - Number(a.provider === preferred) || b.score - a.score)
    .map(({ result }) => result);

/** The first of them, with whatever it lacks from those after it. */
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

// The result of an agent while it grows. A model adds what it finds; it may also write the whole anew.
import { hashOf } from '../../util/hash.ts';
import { leavesOf } from '../json/citations.ts';
import type { ClaimedSource, RecordInput } from './agent-tools.ts';

/** What a model says about where a value stands. Values move when lists grow, so that the claim names the value itself. */
export interface SourceClaim {
  value: string;
  url: string;
  quote: string;
}

export interface Draft {
  data: Record<string, unknown> | undefined;
  /** The latest first. */
  claims: readonly SourceClaim[];
}

export const EMPTY_DRAFT: Draft = { data: undefined, claims: [] };

const MAX_CHARACTERS = 1_000_000;
const MAX_CLAIMS = 5_000;

/** Undefined if it would become too large. In a correction, a list takes the place of the old one. */
export function addToDraft(
  draft: Draft,
  { data, sources, replace }: RecordInput,
  { isCorrection = false } = {},
): Draft | undefined {
  const lists = isCorrection ? latest : joined;
  const isWhole = replace || draft.data === undefined;
  const merged = isWhole ? data : (merge(draft.data, data, lists) as Record<string, unknown>);
  if (JSON.stringify(merged).length > MAX_CHARACTERS) return undefined;
  return { data: merged, claims: [...claimsOf(data, sources), ...draft.claims].slice(0, MAX_CLAIMS) };
}

/** The name of the field and its value, which stay the same wherever the value moves. */
export const claimedValue = (path: string, leaf: unknown): string =>
  `${path
    .replaceAll(/\[\d+\]/g, '')
    .split('.')
    .at(-1)}=${JSON.stringify(leaf)}`;

/** A source of an object or a list is one of everything in it. */
export function claimsOf(data: unknown, sources: readonly ClaimedSource[]): SourceClaim[] {
  const leaves = leavesOf(data);
  return sources.flatMap(({ path, url, quote }) => {
    const wanted = path.replace(/^(?:\$\.?|data\.|json\.)/, '');
    return leaves
      .filter((leaf) => leaf.path === wanted || isBelow(leaf.path, wanted))
      .map((leaf) => ({ value: claimedValue(leaf.path, leaf.leaf), url, quote }));
  });
}

const isBelow = (path: string, above: string): boolean =>
  above === '' || path.startsWith(`${above}.`) || path.startsWith(`${above}[`);

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The new value counts, unless both are objects or lists, or it says nothing. */
function merge(old: unknown, added: unknown, lists: typeof joined): unknown {
  if (added === null || added === undefined) return old;
  if (Array.isArray(old) && Array.isArray(added)) return lists(old, added);
  if (!isFields(old) || !isFields(added)) return added;
  return Object.fromEntries([
    ...Object.entries(old),
    ...Object.entries(added).map(([name, value]) => [
      name,
      Object.hasOwn(old, name) ? merge(old[name], value, lists) : value,
    ]),
  ]);
}

const latest = (_old: readonly unknown[], added: readonly unknown[]): unknown[] => [...added];

/** Models repeat entries: one that was there before with fewer fields takes the new ones, an equal one is not added. */
function joined(old: readonly unknown[], added: readonly unknown[]): unknown[] {
  const list = [...old];
  const places = new Map(list.map((entry, at) => [firstField(entry), at]));
  for (const entry of added) {
    const at = places.get(firstField(entry));
    if (at !== undefined && isPartOf(list[at], entry)) list[at] = entry;
    else if (at === undefined || !isPartOf(entry, list[at])) places.set(firstField(entry), list.push(entry) - 1);
  }
  return list;
}

/** Entries that may be the same are found by their first field. */
const firstField = (entry: unknown): string => (isFields(entry) ? hashOf(Object.entries(entry)[0]) : hashOf(entry));

function isPartOf(small: unknown, large: unknown): boolean {
  if (!isFields(small) || !isFields(large)) return hashOf(small) === hashOf(large);
  return Object.entries(small).every(
    ([name, value]) => Object.hasOwn(large, name) && hashOf(large[name]) === hashOf(value),
  );
}

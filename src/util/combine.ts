// Merges objects into one and rejects duplicate keys: no part may silently replace another.
import { assert } from './assert.ts';

/** Intersection of the members of a union type. */
export type Intersection<Union> = (Union extends unknown ? (part: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** Each part, with every key of an earlier part typed `never`. */
type Disjoint<Parts extends readonly object[], Taken = never> = Parts extends readonly [
  infer First extends object,
  ...infer Rest extends readonly object[],
]
  ? [First & Record<keyof First & Taken, never>, ...Disjoint<Rest, Taken | keyof First>]
  : [];

/** A duplicate key does not compile; where types are lost, it throws. */
export function combine<const Parts extends readonly object[]>(
  ...parts: Parts & Disjoint<Parts>
): Intersection<Parts[number]> {
  const combined: Record<string, unknown> = {};
  for (const part of parts) {
    for (const [name, value] of Object.entries(part)) {
      assert(!(name in combined), `Two parts have the key "${name}".`);
      combined[name] = value;
    }
  }
  return combined as Intersection<Parts[number]>;
}

// Puts parts together into one object, and refuses two parts of the same name: neither may silently replace the other.
import { assert } from './assert.ts';

type Intersection<Union> = (Union extends unknown ? (part: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** Each part, with every name that an earlier part has turned into something that nothing can be. */
type Disjoint<Parts extends readonly object[], Taken = never> = Parts extends readonly [
  infer First extends object,
  ...infer Rest extends readonly object[],
]
  ? [First & Record<keyof First & Taken, never>, ...Disjoint<Rest, Taken | keyof First>]
  : [];

/** A name that two parts share does not compile; where types were lost, it throws. */
export function combine<const Parts extends readonly object[]>(
  ...parts: Parts & Disjoint<Parts>
): Intersection<Parts[number]> {
  const combined: Record<string, unknown> = {};
  for (const part of parts) {
    for (const [name, value] of Object.entries(part)) {
      assert(!(name in combined), `Two parts are called "${name}".`);
      combined[name] = value;
    }
  }
  return combined as Intersection<Parts[number]>;
}

// How similar two templates are, by samples of their names.
import type { Template } from '../../../page/selector-programs.ts';

/** How many names a template keeps: the ones with the lowest hashes, which are a fair sample. */
const SKETCH = 64;

export const sketchOf = (names: Iterable<number>): Template => [...names].sort((a, b) => a - b).slice(0, SKETCH);

/** The share of names that two templates have in common, 0 to 1. */
export function likeness(one: Template, other: Template): number {
  const [first, second] = [new Set(one), new Set(other)];
  const all = sketchOf(new Set([...one, ...other]));
  return all.length === 0 ? 1 : all.filter((name) => first.has(name) && second.has(name)).length / all.length;
}

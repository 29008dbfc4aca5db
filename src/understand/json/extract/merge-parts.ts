// Puts together what a model found in the parts of a page: lists are joined, of other values the first counts.
import { hashOf } from '../../../util/hash.ts';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function mergeParts(values: readonly unknown[]): unknown {
  return values.reduce((all, value) => merge(all, value));
}

function merge(a: unknown, b: unknown): unknown {
  if (isEmpty(a)) return b;
  if (Array.isArray(a) && Array.isArray(b)) return withoutRepeats([...a, ...b]);
  if (!isObject(a) || !isObject(b)) return a;
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return Object.fromEntries(
    names.map((name) => {
      const [ours, theirs] = [own(a, name), own(b, name)];
      return [name, theirs === undefined ? ours : merge(ours, theirs)];
    }),
  );
}

/** Names are those of schemas and pages: every object has a `constructor`, but not as a value. */
export const own = (value: Record<string, unknown>, name: string): unknown =>
  Object.hasOwn(value, name) ? value[name] : undefined;

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

/** Parts overlap in what they say: the same row counts once. */
function withoutRepeats(list: unknown[]): unknown[] {
  const seen = new Set<string>();
  return list.filter((each) => {
    const key = hashOf(each);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

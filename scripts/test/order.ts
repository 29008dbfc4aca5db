// The order in which test files run: the slow ones first, so that none of them starts last and runs alone.
import slowFiles from './slow-files.json' with { type: 'json' };

export function slowFirst(files: readonly string[], slow: readonly string[] = slowFiles): string[] {
  const rank = new Map(slow.map((file, index) => [file, index]));
  return files.toSorted(
    (a, b) => (rank.get(a) ?? slow.length) - (rank.get(b) ?? slow.length) || (a < b ? -1 : a > b ? 1 : 0),
  );
}

// The known word that is most like one that was mistyped.

/** Longer words are not compared: nobody mistypes them, and the work grows with the square. */
const MAX_LENGTH = 60;

export function suggest(typed: string, known: readonly string[]): string | undefined {
  if (typed.length > MAX_LENGTH) return undefined;
  const word = simplified(typed);
  const ranked = known
    .map((candidate) => ({ candidate, distance: distanceTo(word, simplified(candidate)) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best && best.distance <= (word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 3)))
    ? best.candidate
    : undefined;
}

const simplified = (word: string): string => word.toLowerCase().replaceAll(/[-_.]/g, '');

function distanceTo(typed: string, known: string): number {
  // The beginning of a word is often all that is remembered of it.
  if (typed.length >= 3 && (known.startsWith(typed) || typed.startsWith(known))) return 1;
  return editDistance(typed, known);
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}

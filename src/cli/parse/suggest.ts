// The known word that is most like one that was mistyped.
import { editDistance } from '../../text/edit-distance.ts';

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

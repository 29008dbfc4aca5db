// Cities, regions and countries by the lists of the project and the platform, for the modes without a model.
import type { Finding } from '../finding.ts';
import { placeNames } from '../gazetteers.ts';
import { type Word, wordsOf } from '../words.ts';

/** Words after which a name is a place: in Nice, near Reading, aus Essen. */
const BEFORE_PLACE = new Set(
  'in from near to at aus nach bei à a en de desde hacia da ad presso vicino uit naar te bij around visit city of'.split(
    ' ',
  ),
);

export function findPlaceMentions(text: string): Finding[] {
  const words = wordsOf(text);
  const found: Finding[] = [];
  for (let at = 0; at < words.length; at++) {
    if (!words[at]!.isCapital && words[at]!.text !== "'s") continue;
    const last = longestName(words, at, text);
    if (last === undefined) continue;
    const { start, end } = { start: words[at]!.start, end: words[last]!.end };
    const isAmbiguous = last === at && placeNames().ambiguous.has(words[at]!.text);
    const isAfterPreposition = BEFORE_PLACE.has(words[at - 1]?.text ?? '') && words[at]!.isNext;
    found.push({
      start,
      end,
      entity: 'LOCATION',
      rule: 'place-name',
      score: isAmbiguous && !isAfterPreposition ? 0.3 : 0.6,
    });
    at = last;
  }
  return found;
}

function longestName(words: readonly Word[], at: number, text: string): number | undefined {
  const { names, maxWords } = placeNames();
  let last: number | undefined;
  for (let end = at; end < Math.min(words.length, at + maxWords); end++) {
    if (end > at && !words[end]!.isNext) break;
    if (names.has(text.slice(words[at]!.start, words[end]!.end))) last = end;
  }
  return last;
}

// What the goal of a monitor says about changes, without a language model: the words it asks for, and those it wants ignored.
import { stemEnglish } from '../../../text/words/stemmer.ts';
import { wordsOf } from '../../../text/words/tokenizer.ts';
import { noiseWords } from './noise-words.ts';

export interface Goal {
  wanted: ReadonlySet<string>;
  ignored: ReadonlySet<string>;
}

export const NO_GOAL: Goal = { wanted: new Set(), ignored: new Set() };

/** "Alert me when the price changes. Ignore ratings and view counts." */
export function readGoal(text: string | undefined): Goal {
  if (text === undefined || text.trim() === '') return NO_GOAL;
  const wanted = new Set<string>();
  const ignored = new Set<string>();
  const { ignoring } = noiseWords();
  for (const clause of text.toLowerCase().split(/[.;!?\n]|,? but /)) {
    let target = wanted;
    for (const word of wordsOf(clause.replaceAll("don't", 'dont'))) {
      if (ignoring.has(word)) target = ignored;
      else if (word.length > 2 && !COMMON.has(word)) target.add(stemEnglish(word));
    }
  }
  for (const word of wanted) ignored.delete(word);
  return { wanted, ignored };
}

/** Words of any goal: they say nothing about its subject. */
const COMMON = new Set(
  'the and for are any all when with that this from page site changes change changed changing alert notify tell report watch monitor track about like such only other minor small new just into has have been was were its their them they'.split(
    ' ',
  ),
);

export const wants = ({ wanted }: Goal, ...words: string[]): boolean => mentions(wanted, words);
export const ignores = ({ ignored }: Goal, text: string): boolean =>
  ignored.size > 0 && mentions(ignored, wordsOf(text.toLowerCase()));

const mentions = (known: ReadonlySet<string>, words: readonly string[]): boolean =>
  known.size > 0 && words.some((word) => known.has(stemEnglish(word.toLowerCase())));

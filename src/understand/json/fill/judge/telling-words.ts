// Which words of a field's name tell it from the other fields of its schema.
import { stemEnglish } from '../../../../text/words/stemmer.ts';
import type { Range } from '../../../reading/readable-text.ts';
import type { FieldName } from '../field-names.ts';

/** Stems. */
export interface TellingWords {
  /** All that say something. */
  all: readonly string[];
  /** Those that no other field has. */
  own: readonly string[];
}

export interface MatchedPlace extends Range {
  /** How well the words beside it speak of the field, 0 to 1. */
  match: number;
}

/** Words of names that say how a value is given, not what it is. */
const GENERIC = new Set(
  'in of the a an per and for to by is at on date number no value total name text amount'.split(' '),
);

export function tellingWords({ words }: FieldName, shared: ReadonlySet<string>): TellingWords {
  const all = words.filter((word) => !GENERIC.has(word)).map(stemEnglish);
  return { all, own: all.filter((stem) => !shared.has(stem)) };
}

/** The share of the words that stand there. */
export const coverage = (words: readonly string[], stems: { has(stem: string): boolean }): number =>
  words.filter((stem) => stems.has(stem)).length / words.length;

/** Stems that several names of a schema have. */
export function sharedStems(names: readonly FieldName[]): Set<string> {
  const stems = names.map(({ words }) => new Set(words.map(stemEnglish)));
  const counts = Map.groupBy(
    stems.flatMap((each) => [...each]),
    (stem) => stem,
  );
  return new Set([...counts].filter(([, { length }]) => length > 1).map(([stem]) => stem));
}

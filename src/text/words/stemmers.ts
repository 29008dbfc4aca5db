// Snowball stemmers by language, each loaded with the first word in its language. Stems of different languages look alike,
// so those that are not English carry a mark.
import { createRequire } from 'node:module';
import { lazy } from '../../util/lazy.ts';

type Stem = (word: string) => string;

/** The package's names of languages written in Latin letters. */
const LATIN = {
  de: 'german',
  fr: 'french',
  es: 'spanish',
  it: 'italian',
  pt: 'portuguese',
  nl: 'dutch',
  sv: 'swedish',
  da: 'danish',
  no: 'norwegian',
  fi: 'finnish',
  hu: 'hungarian',
  ro: 'romanian',
  tr: 'turkish',
};
export const STEMMERS = { ...LATIN, ru: 'russian', el: 'greek' };

export type StemmedLanguage = keyof typeof STEMMERS;

export const STEMMED_LATIN = Object.keys(LATIN) as (keyof typeof LATIN)[];

export function createStemmer(language: StemmedLanguage): Stem {
  const load = lazy((): Stem => {
    const { stemmer } = createRequire(import.meta.url)(`@orama/stemmers/${STEMMERS[language]}`) as { stemmer: Stem };
    return stemmer;
  });
  return (word) => load()(word) || word;
}

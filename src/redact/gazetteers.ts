// The lists of names in data/, loaded on first use. Modes `fast` and `aggressive` use them; `accurate` does not.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lazy } from '../util/lazy.ts';

const DATA = join(import.meta.dirname, '../../data');
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl'];

interface NamesFile {
  given: Record<string, string>;
  surnames: Record<string, string>;
  ambiguous: string;
}

interface PlacesFile {
  cities: string;
  regions: string;
  ambiguous: string;
}

const read = <T>(file: string): T => JSON.parse(readFileSync(join(DATA, file), 'utf8')) as T;
const wordsOf = (lists: Record<string, string>): Set<string> =>
  new Set(Object.values(lists).flatMap((list) => list.split(' ')));

export const personNames = lazy(() => {
  const { given, surnames, ambiguous } = read<NamesFile>('person-names.json');
  return { given: wordsOf(given), surnames: wordsOf(surnames), ambiguous: new Set(ambiguous.split(' ')) };
});

export const placeNames = lazy(() => {
  const { cities, regions, ambiguous } = read<PlacesFile>('place-names.json');
  const names = new Set([...cities.split(' | '), ...regions.split(' | '), ...countryNames()]);
  return { names, ambiguous: new Set(ambiguous.split(' ')), maxWords: Math.max(...[...names].map(countWords)) };
});

const countWords = (name: string): number => name.split(/[ -]/).length;

/** Names of all countries in the languages of the lists, from the platform. */
function countryNames(): string[] {
  const codes = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].flatMap((a) => [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((b) => a + b));
  return LANGUAGES.flatMap((language) => {
    const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
    return codes.flatMap((code) => names.of(code) ?? []);
  }).filter((name) => /^[\p{L}\p{M}' -]{4,40}$/u.test(name) && /^\p{Lu}/u.test(name));
}

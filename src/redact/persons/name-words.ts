// The small words in and between names: `von` and `de la` belong to one, `and` and `y` join two.

const PARTICLES = new Set('von van de der den del della di da dos du la le ter ten zu zur vom het bin al'.split(' '));
/** Joins the two surnames of one person, `Ortega y Gasset`, as often as two persons. */
const BETWEEN_SURNAMES = 'y';

const LANGUAGE = /^[a-z]{2}$/;

export const canBeginName = (word: string): boolean => PARTICLES.has(word);

export const canStandInName = (word: string): boolean => PARTICLES.has(word) || word === BETWEEN_SURNAMES;

/** The words for `and` and `or`, as the platform knows them for each language. */
export function joiningWords(language: string): ReadonlySet<string> {
  const isKnown = LANGUAGE.test(language) && Intl.ListFormat.supportedLocalesOf(language).length > 0;
  const types = isKnown ? (['conjunction', 'disjunction'] as const) : [];
  return new Set(types.map((type) => joined(language, type)));
}

function joined(language: string, type: 'conjunction' | 'disjunction'): string {
  const parts = new Intl.ListFormat(language, { type }).formatToParts(['A', 'B']);
  return parts
    .filter((part) => part.type === 'literal')
    .map(({ value }) => value.trim())
    .join('');
}

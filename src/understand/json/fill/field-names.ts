// What a name means: `productPrice` in a schema, "Preis" beside a value, `price--current` in a class, `offers.price` in
// JSON-LD are all the price. The words are in data/field-concepts.json.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldLatin } from '../../../text/words/fold-letters.ts';
import { stemEnglish } from '../../../text/words/stemmer.ts';
import { lazy } from '../../../util/lazy.ts';

export interface FieldName {
  /** Words in lower case, without accents and plural endings. */
  words: readonly string[];
  /** How sure it is that the name means a concept: 0 to 1. */
  concepts: ReadonlyMap<string, number>;
  /** Words of a compound name that its concept leaves out: the `ceo` of `ceoName` is no name of the page. */
  rest?: readonly string[];
}

const FILE = join(import.meta.dirname, '../../../../data/field-concepts.json');
const MAX_NAME = 200;
const MAX_WORDS = 8;

interface Concepts {
  /** By the words of a phrase in alphabetical order. */
  byPhrase: ReadonlyMap<string, readonly string[]>;
  /** By the path in an item of schema.org, with its place in the list of the concept. */
  byPath: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

const concepts = lazy((): Concepts => {
  const table = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, { words: string; paths: string }>;
  const byPhrase = new Map<string, string[]>();
  const byPath = new Map<string, Map<string, number>>();
  for (const [concept, { words, paths }] of Object.entries(table)) {
    for (const phrase of words.split(';').flatMap(spellings)) {
      const key = phraseKey(nameWords(phrase));
      const known = byPhrase.get(key) ?? [];
      if (!known.includes(concept)) byPhrase.set(key, [...known, concept]);
    }
    for (const [rank, path] of paths.split(';').entries()) {
      const known = byPath.get(path.trim()) ?? new Map<string, number>();
      byPath.set(path.trim(), known.set(concept, rank));
    }
  }
  return { byPhrase, byPath };
});

/** Names in programs have no umlauts: `waehrung`. */
const spellings = (phrase: string): string[] =>
  /[äöü]/i.test(phrase)
    ? [phrase, phrase.replace(/ä/gi, 'ae').replace(/ö/gi, 'oe').replace(/ü/gi, 'ue').replace(/ß/g, 'ss')]
    : [phrase];

/** Words that say where a value is or what kind of page this is, not what the value means. */
const CONTEXT = new Set(
  'the a an of de la le el du d des der die das and und et y value info information field data item product article event recipe post entry listing card main detail page js wrapper container block box span div first default is has your our this number no nr details result record object my get meta pdp single view big small primary current new itemprop numero anzahl num count total cantidad how many profile'.split(
    ' ',
  ),
);
const OTHER_LINKS = new Set(
  'video audio pdf map podcast facebook twitter instagram linkedin youtube github download avatar trailer rss feed social privacy term datasheet manual document'.split(
    ' ',
  ),
);
const STOP = new Set(
  'the a an of de la le el du d des der die das am le les los las il per di della do da on in at to by for'.split(' '),
);

export function nameWords(name: string): string[] {
  return name
    .slice(0, MAX_NAME)
    .normalize('NFKC')
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS)
    .map((word) => singular(foldLatin(word)));
}

/** Whether a text says the words of a name, in any form: "anticipada" for `anticipado`. */
export function saysWords(text: string, words: readonly string[]): boolean {
  const said = nameStems(text);
  return words.every((word) => said.some((other) => isFormOf(stemEnglish(word), other)));
}

const MIN_SHARED = 6;

const isFormOf = (a: string, b: string): boolean => {
  const shared = Math.min(a.length, b.length) - 1;
  return a === b || (shared >= MIN_SHARED && Math.abs(a.length - b.length) <= 1 && a.startsWith(b.slice(0, shared)));
};

/** The stems of all words of a text, however long it is. */
export const nameStems = (text: string): string[] =>
  text.split(/\s+/).flatMap((part) => nameWords(part).map(stemEnglish));

function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.length > 3 && /[^sui]s$/.test(word) ? word.slice(0, -1) : word;
}

const phraseKey = (words: readonly string[]): string =>
  words
    .filter((word, _at, all) => all.length === 1 || !STOP.has(word))
    .toSorted()
    .join(' ');

export const fieldName = (name: string): FieldName => namedBy(nameWords(name));

export function namedBy(words: readonly string[]): FieldName {
  const rest: string[] = [];
  const concepts = conceptsOf(words, rest);
  return { words, concepts, ...(rest.length > 0 && { rest }) };
}

/** Whether the name, or all but words such as "value", is one that pages use for something. */
export const isPhrase = (name: string): boolean => {
  const { concepts: meant, rest } = fieldName(name);
  return rest === undefined && Math.max(0, ...meant.values()) >= 0.9;
};

/** The name of a value in an item: known paths mean their concepts; others mean what their last parts say. */
export function pathName(path: readonly string[]): { name: FieldName; isKnown: boolean } {
  const known = concepts().byPath.get(path.join('.'));
  if (!known) return { name: namedBy(nameWords(path.join(' '))), isKnown: false };
  const sure = new Map([...known].map(([concept, rank]) => [concept, 1 - rank * 0.02] as const));
  return { name: { words: nameWords(path.at(-1)!), concepts: sure }, isKnown: true };
}

/** `rest` gets the words of a compound that its concept leaves out. */
function conceptsOf(words: readonly string[], rest: string[] = []): Map<string, number> {
  if (words.length === 0) return new Map();
  // "Calories per serving" are calories.
  const per = words.findIndex((word, at) => at > 0 && (word === 'per' || word === 'pro'));
  if (per > 0 && !concepts().byPhrase.has(phraseKey(words))) return conceptsOf(words.slice(0, per));
  const bare = words.filter((word) => !CONTEXT.has(word));
  const exact = lookUp(words, 1) ?? partAmongContext(words) ?? (bare.length > 0 ? lookUp(bare, 0.93) : undefined);
  if (exact) return exact;
  const compound = bare.length === 1 ? lastPartOfCompound(bare[0]!) : undefined;
  if (compound) return compound;
  // The name of the author is the author; their URL is not.
  const [last, before] = [bare.at(-1), bare.slice(0, -1)];
  if (before.length > 0 && (last === 'name' || last === 'title')) {
    const owner = lookUp(before, 0.9);
    if (owner && !owner.has('name')) return owner;
  }
  if (before.length > 0 && (last === 'url' || last === 'link' || last === 'href')) {
    const owner = lookUp(before, 0.9);
    if (owner) return new Map([...owner].map(([concept, sure]) => [`${concept} link`, sure]));
    // The address of a video is not that of the page.
    const other = before.find((word) => OTHER_LINKS.has(word));
    if (other !== undefined) return new Map([[`${other} link`, 0.9]]);
  }
  return longestPart(bare, rest);
}

/** "Item model number" is the model number: what is left says nothing. */
function partAmongContext(words: readonly string[]): Map<string, number> | undefined {
  for (let length = words.length - 1; length > 0; length--) {
    for (let start = words.length - length; start >= 0; start--) {
      const rest = [...words.slice(0, start), ...words.slice(start + length)];
      if (!rest.every((word) => CONTEXT.has(word))) continue;
      const found = lookUp(words.slice(start, start + length), 0.95);
      if (found) return found;
    }
  }
  return undefined;
}

const MIN_PART = 4;
const MIN_BEFORE = 3;

/** German writes "Kaufpreis" in one word; its last part says what it is. */
function lastPartOfCompound(word: string): Map<string, number> | undefined {
  for (let start = MIN_BEFORE; start <= word.length - MIN_PART; start++) {
    const found = lookUp([word.slice(start)], 0.75);
    if (found) return found;
  }
  return undefined;
}

function lookUp(words: readonly string[], sure: number): Map<string, number> | undefined {
  const found = concepts().byPhrase.get(phraseKey(words));
  return found && new Map(found.map((concept, at) => [concept, sure - 0.02 * at]));
}

/** The concept of the longest run of words that is a known phrase; of equal ones the last, which is the noun in English. */
function longestPart(words: readonly string[], rest: string[]): Map<string, number> {
  for (let length = words.length - 1; length > 0; length--) {
    for (let start = words.length - length; start >= 0; start--) {
      const found = lookUp(words.slice(start, start + length), 0.5 + (0.4 * length) / words.length);
      if (!found) continue;
      rest.push(...[...words.slice(0, start), ...words.slice(start + length)].filter((word) => !STOP.has(word)));
      return found;
    }
  }
  return new Map();
}

/** How well a name of the page fits a name of the schema: 0 to 1. */
export function nameMatch(wanted: FieldName, found: FieldName): number {
  let best = 0;
  for (const [concept, sure] of wanted.concepts) best = Math.max(best, sure * (found.concepts.get(concept) ?? 0));
  if (best > 0.9) return best;
  const shared = wordMatch(wanted.words, found.words);
  if (shared >= SAME_WORDS) return Math.max(best, shared);
  // Two names that mean different things do not fit because they share a word.
  if (wanted.concepts.size > 0 && found.concepts.size > 0) return best;
  return Math.max(best, shared);
}

const ALL_WORDS = 0.97;
const SAME_WORDS = 0.75;

function wordMatch(wanted: readonly string[], found: readonly string[]): number {
  const ours = new Set(wanted.filter((word) => !STOP.has(word)).map(stemEnglish));
  const theirs = new Set(found.filter((word) => !STOP.has(word)).map(stemEnglish));
  if (ours.size === 0 || theirs.size === 0) return 0;
  let shared = 0;
  for (const word of ours) if (theirs.has(word)) shared += 1;
  const [fewer, more] = [Math.min(ours.size, theirs.size), Math.max(ours.size, theirs.size)];
  if (shared === more) return ALL_WORDS;
  // "Standing screen display size" is a screen size.
  if (shared === fewer && fewer > 1) return SAME_WORDS;
  if (shared / more > 0.5) return 0.7 * (shared / more);
  const [word, label] = [[...ours][0]!, [...theirs][0]!];
  if (
    shared === 1 &&
    fewer === 1 &&
    more === 2 &&
    [...ours].some((each) => theirs.has(each) && each.length > 4 && !CONTEXT.has(each))
  )
    return 0.62;
  return more === 1 && label.length > word.length + 2 && word.length > 2 && label.endsWith(word) ? 0.65 : 0;
}

/** Whether a description speaks about what the page calls `found`. */
export function describes(description: readonly string[], found: FieldName): boolean {
  const words = found.words.filter((word) => !STOP.has(word) && !CONTEXT.has(word));
  return words.length > 0 && words.every((word) => word.length > 2 && description.includes(word));
}

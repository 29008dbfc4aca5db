// Finds values again that were found somewhere on the page, however they are written there: `Jane Doe` also in
// `jane.doe@example.com`, `/team/jane-doe` and `JANE DOE`.
import type { RedactedEntity } from '../../contracts/scrape/redaction.ts';
import type { Finding } from '../finding.ts';
import type { IsLikelyName } from './unlikely-words.ts';

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const OUTSIDE_ASCII = /[^\u0020-\u007f]/;
const PREFIX = 3;
/** What may stand between two words of a value. */
const MAX_GAP = 4;
/** Shorter ones would be found in many other words and numbers. */
const MIN_KEY = 5;
const MIN_DIGITS = 6;
const MAX_EXACT = 200;
/** Shorter parts, such as `Al` and `Lee`, are too often something else. */
const NAME_PART = /^\p{Lu}[\p{L}\p{M}]{3,}$/u;

interface KnownValue {
  entity: RedactedEntity;
  /** Set for single words: they count only as they were written, since `rose` is not `Rose`. */
  spelling?: Set<string>;
}

export class KnownValues {
  /** By all letters and digits of the value, folded. */
  readonly #values = new Map<string, KnownValue>();
  /** By the first letters of the keys: the length of the longest. */
  readonly #longest = new Map<string, number>();
  /** Values that begin or end inside of a word. */
  readonly #exact = new Map<string, RedactedEntity>();

  readonly #isLikelyName: IsLikelyName;

  constructor(isLikelyName: IsLikelyName) {
    this.#isLikelyName = isLikelyName;
  }

  /** The value of a finding at its place in a text. */
  add(text: string, { start, end, entity }: Finding): void {
    const value = text.slice(start, end);
    if (isLetterOrDigit(text, start - 1, start) || isLetterOrDigit(text, end - 1, end)) {
      if (value.length >= MIN_KEY && this.#exact.size < MAX_EXACT) this.#exact.set(value, entity);
      return;
    }
    const words = value.match(WORD) ?? [];
    const key = words.map(fold).join('');
    if (key === '') return;
    const isWord = words.length === 1 && (entity === 'PERSON' || entity === 'LOCATION');
    if (!isWord && (key.length < MIN_KEY || (/^\d+$/.test(key) && key.length < MIN_DIGITS))) return;
    this.#addKey(key, entity, isWord ? words[0] : undefined);
    if (isWord) return;
    if (entity === 'PERSON') this.#addNameParts(words);
    if (UMLAUT.test(value)) this.#addKey(words.map(foldUmlauts).join(''), entity, undefined);
    // `Doe, Jane`
    if (entity === 'PERSON')
      this.#addKey(fold(words.at(-1)!) + words.slice(0, -1).map(fold).join(''), entity, undefined);
  }

  /** `Jane Doe` is called `Jane` or `Doe` elsewhere. */
  #addNameParts(words: readonly string[]): void {
    for (const word of words) {
      if (NAME_PART.test(word) && this.#isLikelyName(word)) this.#addKey(fold(word), 'PERSON', word);
    }
  }

  #addKey(key: string, entity: RedactedEntity, spelling: string | undefined): void {
    const value = this.#values.get(key) ?? { entity, ...(spelling !== undefined && { spelling: new Set<string>() }) };
    if (spelling === undefined) delete value.spelling;
    else value.spelling?.add(spelling);
    this.#values.set(key, value);
    // The first word of a text may be shorter than a prefix: `de la Cruz`.
    for (let length = 1; length <= PREFIX; length++) {
      const prefix = key.slice(0, length);
      this.#longest.set(prefix, Math.max(key.length, this.#longest.get(prefix) ?? 0));
    }
  }

  /** Sorted; may overlap if values begin or end inside of words. */
  find(text: string): Finding[] {
    const found = this.#findWords(text);
    for (const [value, entity] of this.#exact) {
      for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + value.length)) {
        found.push(known(at, at + value.length, entity));
      }
    }
    return found;
  }

  #findWords(text: string): Finding[] {
    const found: Finding[] = [];
    if (this.#values.size === 0) return found;
    const words = [...text.matchAll(WORD)].map(({ index, 0: word }) => ({
      start: index,
      end: index + word.length,
      word,
    }));
    for (let first = 0; first < words.length; first++) {
      const match = this.#matchAt(words, first);
      if (!match) continue;
      found.push(known(words[first]!.start, words[match.last]!.end, match.entity));
      first = match.last;
    }
    return found;
  }

  /** The longest value whose words begin here. */
  #matchAt(words: readonly TextWord[], first: number): { last: number; entity: RedactedEntity } | undefined {
    let key = fold(words[first]!.word);
    const longest = this.#longest.get(key.slice(0, PREFIX)) ?? 0;
    let best: { last: number; entity: RedactedEntity } | undefined;
    for (let last = first; key.length <= longest; ) {
      const value = this.#values.get(key);
      if (value && (!value.spelling || (last === first && value.spelling.has(words[first]!.word)))) {
        best = { last, entity: value.entity };
      }
      const next = words[last + 1];
      if (!next || next.start - words[last]!.end > MAX_GAP) break;
      key += fold(next.word);
      last += 1;
    }
    return best;
  }
}

interface TextWord {
  start: number;
  end: number;
  word: string;
}

const known = (start: number, end: number, entity: RedactedEntity): Finding => ({
  start,
  end,
  entity,
  rule: 'same-value',
  score: 1,
});

/** In lower case and without accents, as slugs and email addresses write names. */
export function fold(word: string): string {
  const lower = word.toLowerCase();
  return OUTSIDE_ASCII.test(lower) ? lower.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss') : lower;
}

/** `Müller` is `mueller` in email addresses. */
const foldUmlauts = (word: string): string =>
  fold(word.toLowerCase().replace(/[äöü]/g, (letter) => `${UMLAUTS[letter]}`));
const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' };
const UMLAUT = /[äöü]/i;

/** Whether both characters belong to one word. */
function isLetterOrDigit(text: string, before: number, after: number): boolean {
  return before >= 0 && after < text.length && WORD_PAIR.test(text.slice(before, after + 1));
}
const WORD_PAIR = /^[\p{L}\p{M}\p{N}]{2}$/u;

// Finds the phrases of a table in a text, whatever their case, accents and hyphens. Where several fit, the longest counts:
// "not available" hides "available".

export interface FoundPhrase<Kind extends string> {
  kind: Kind;
  /** In the folded text. */
  start: number;
  end: number;
}

export type PhraseFinder<Kind extends string> = (folded: string) => FoundPhrase<Kind>[];

/** In scripts without spaces a phrase may stand anywhere. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}×○◎△]/u;
const EDGE_BEFORE = '(?<!\\p{L})';
const EDGE_AFTER = '(?!\\p{L})';

/** Words that ran together, where pages have blocks without a space between them, stand apart again: "priceSale". */
export const foldForPhrases = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{Mn}+/gu, '')
    .replace(/(?<=\p{Ll})(?=\p{Lu}\p{Ll})/gu, ' ')
    .toLowerCase()
    .replace(/[’ʼ`´]/gu, "'")
    .replace(/[‐‑]/gu, '-')
    .replace(/\s+/gu, ' ')
    .trim();

/** `#` in a phrase stands for a number. A phrase in two lists has the kind of the first. */
export function createPhraseFinder<Kind extends string>(
  table: Readonly<Partial<Record<Kind, readonly string[]>>>,
): PhraseFinder<Kind> {
  const kinds = new Map<string, Kind>();
  for (const kind of Object.keys(table) as Kind[]) {
    for (const phrase of table[kind] ?? []) {
      const key = keyOf(foldForPhrases(phrase));
      if (!kinds.has(key)) kinds.set(key, kind);
    }
  }
  const patterns = new Map(
    [...Map.groupBy(kinds.keys(), beginning)].map(([begin, keys]) => {
      const longestFirst = keys.sort((a, b) => b.length - a.length);
      return [begin, new RegExp(`(?:${longestFirst.map(patternOf).join('|')})`, 'uy')];
    }),
  );
  return (folded) => {
    const found: FoundPhrase<Kind>[] = [];
    for (let at = 0; at < folded.length; at++) {
      const pattern = patterns.get(beginning(folded.slice(at, at + 2)));
      if (!pattern) continue;
      pattern.lastIndex = at;
      const text = pattern.exec(folded)?.[0];
      if (text === undefined) continue;
      found.push({ kind: kinds.get(keyOf(text))!, start: at, end: at + text.length });
      at += text.length - 1;
    }
    return found;
  };
}

/** Phrases that can begin at a place of the text; a table has hundreds of others. */
const beginning = (text: string): string => (/^[#\d]/.test(text) ? '#' : text.slice(0, 2));

const keyOf = (folded: string): string => folded.replace(/\d+/g, '#').replaceAll('-', ' ');

function patternOf(phrase: string): string {
  const literal = phrase
    .replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
    .replaceAll(' ', '[ -]')
    .replaceAll('#', '\\d{1,6}');
  const isSpaced = (character: string): boolean => !UNSPACED.test(character);
  return `${isSpaced(phrase[0]!) ? EDGE_BEFORE : ''}${literal}${isSpaced(phrase.at(-1)!) ? EDGE_AFTER : ''}`;
}

// The Porter stemmer for English (1980), with the two rules its author revised later (-bli, -logi): five steps that remove
// suffixes if enough of the word is left.

type Rule = readonly [suffix: string, replacement: string];
/** By the last letter of the suffix, which rules out most words. */
type Rules = ReadonlyMap<string, readonly Rule[]>;

const byLastLetter = (rules: readonly Rule[]): Rules => Map.groupBy(rules, ([ending]) => ending.at(-1)!);

const STEP_2 = byLastLetter([
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['logi', 'log'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
]);
const STEP_3 = byLastLetter([
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
]);
// Longer suffixes first.
const STEP_4 = Map.groupBy(
  [
    'ement',
    'ance',
    'ence',
    'able',
    'ible',
    'ment',
    'ant',
    'ent',
    'ism',
    'ate',
    'iti',
    'ous',
    'ive',
    'ize',
    'ion',
    'al',
    'er',
    'ic',
    'ou',
  ],
  (ending) => ending.at(-1)!,
);

const VOWELS = Uint8Array.from({ length: 128 }, (_, code) => ('aeiou'.includes(String.fromCharCode(code)) ? 1 : 0));
const Y = 0x79;
const SMALL_LETTERS = /^[a-z]{3,}$/;

/** The stem of a word in lower-case ASCII letters; other words are returned unchanged. */
export function stemEnglish(word: string): string {
  if (!SMALL_LETTERS.test(word)) return word;
  let stem = withoutParticiple(withoutPlural(word));
  if (stem.endsWith('y') && hasVowel(stem.slice(0, -1))) stem = `${stem.slice(0, -1)}i`;
  stem = replaced(replaced(stem, STEP_2), STEP_3);
  return withoutLastE(withoutSuffix(stem));
}

function withoutPlural(word: string): string {
  if (!word.endsWith('s') || word.endsWith('ss')) return word;
  return word.slice(0, word.endsWith('sses') || word.endsWith('ies') ? -2 : -1);
}

function withoutParticiple(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const ending = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0;
  const stem = word.slice(0, word.length - ending);
  if (ending === 0 || !hasVowel(stem)) return word;
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (endsInDoubleConsonant(stem)) return /[lsz]$/.test(stem) ? stem : stem.slice(0, -1);
  return measure(stem) === 1 && endsInShortSyllable(stem) ? `${stem}e` : stem;
}

/** Only the longest matching suffix is considered. */
function replaced(word: string, rules: Rules): string {
  let found: Rule | undefined;
  for (const rule of rules.get(word.at(-1)!) ?? []) {
    if (word.endsWith(rule[0]) && (found === undefined || rule[0].length > found[0].length)) found = rule;
  }
  if (found === undefined) return word;
  const stem = word.slice(0, -found[0].length);
  return measure(stem) > 0 ? stem + found[1] : word;
}

function withoutSuffix(word: string): string {
  const suffix = STEP_4.get(word.at(-1)!)?.find((ending) => word.endsWith(ending));
  if (suffix === undefined) return word;
  const stem = word.slice(0, -suffix.length);
  if (measure(stem) < 2 || (suffix === 'ion' && !/[st]$/.test(stem))) return word;
  return stem;
}

function withoutLastE(word: string): string {
  let stem = word;
  if (word.endsWith('e')) {
    const shorter = word.slice(0, -1);
    const syllables = measure(shorter);
    if (syllables > 1 || (syllables === 1 && !endsInShortSyllable(shorter))) stem = shorter;
  }
  return stem.endsWith('ll') && measure(stem) > 1 ? stem.slice(0, -1) : stem;
}

/** Porter's measure: the m of [C](VC)^m[V]. */
function measure(stem: string): number {
  let count = 0;
  let wasVowel = false;
  for (let at = 0; at < stem.length; at += 1) {
    // A y after a consonant is a vowel.
    const code = stem.charCodeAt(at);
    const isVowel: boolean = VOWELS[code] === 1 || (code === Y && at > 0 && !wasVowel);
    if (wasVowel && !isVowel) count += 1;
    wasVowel = isVowel;
  }
  return count;
}

function isConsonant(word: string, at: number): boolean {
  let isY = false;
  let from = at;
  // In a run of y's every second one is a vowel, since each depends on the one before.
  while (word.charCodeAt(from) === Y && from > 0) {
    isY = !isY;
    from -= 1;
  }
  const isPlain = VOWELS[word.charCodeAt(from)] === 0;
  return isY ? !isPlain : isPlain;
}

function hasVowel(stem: string): boolean {
  for (let at = 0; at < stem.length; at += 1) if (!isConsonant(stem, at)) return true;
  return false;
}

const endsInDoubleConsonant = (stem: string): boolean =>
  stem.length > 1 && stem.at(-1) === stem.at(-2) && isConsonant(stem, stem.length - 1);

/** Consonant, vowel, consonant other than w, x or y. */
function endsInShortSyllable(stem: string): boolean {
  const last = stem.length - 1;
  return (
    last >= 2 &&
    isConsonant(stem, last) &&
    !isConsonant(stem, last - 1) &&
    isConsonant(stem, last - 2) &&
    !/[wxy]$/.test(stem)
  );
}

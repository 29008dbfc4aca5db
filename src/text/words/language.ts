// Detects the language of a text: by script, then by letters that only some languages have, then by stop words. A declared
// language wins if the script allows it, unless the words clearly contradict it: many templates declare `en` regardless.
import { stopWordLanguages } from './stop-words.ts';
import { wordsOf } from './tokenizer.ts';

const SAMPLE = 4_000;
/** Share of letters outside Latin from which another script is considered. */
const MIN_SHARE = 0.2;
/** Fewer stop words than this prove nothing. */
const MIN_STOP_WORDS = 2;
/** This many stop words of another language, with this much more weight, overrule the declared one. */
const OVERRULE_COUNT = 10;
const OVERRULE_RATIO = 5;

/** In the order they are checked: kana before Han, since Japanese has both. Languages by number of writers. */
const SCRIPTS: readonly [name: string, letters: RegExp, languages: string][] = [
  ['kana', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu, 'ja'],
  ['hangul', /\p{Script=Hangul}/gu, 'ko'],
  ['han', /\p{Script=Han}/gu, 'zh ja'],
  ['cyrillic', /\p{Script=Cyrillic}/gu, 'ru uk bg be sr mk kk ky mn tg tt uz ab av ba ce cv kv os'],
  ['arabic', /\p{Script=Arabic}/gu, 'ar fa ur ps sd ug ku ks dv'],
  ['devanagari', /\p{Script=Devanagari}/gu, 'hi mr ne sa'],
  ['greek', /\p{Script=Greek}/gu, 'el'],
  ['hebrew', /\p{Script=Hebrew}/gu, 'he yi iw'],
  ['thai', /\p{Script=Thai}/gu, 'th'],
  ['lao', /\p{Script=Lao}/gu, 'lo'],
  ['khmer', /\p{Script=Khmer}/gu, 'km'],
  ['burmese', /\p{Script=Myanmar}/gu, 'my'],
  ['bengali', /\p{Script=Bengali}/gu, 'bn as'],
  ['tamil', /\p{Script=Tamil}/gu, 'ta'],
  ['telugu', /\p{Script=Telugu}/gu, 'te'],
  ['kannada', /\p{Script=Kannada}/gu, 'kn'],
  ['malayalam', /\p{Script=Malayalam}/gu, 'ml'],
  ['gujarati', /\p{Script=Gujarati}/gu, 'gu'],
  ['gurmukhi', /\p{Script=Gurmukhi}/gu, 'pa'],
  ['odia', /\p{Script=Oriya}/gu, 'or'],
  ['sinhala', /\p{Script=Sinhala}/gu, 'si'],
  ['georgian', /\p{Script=Georgian}/gu, 'ka'],
  ['armenian', /\p{Script=Armenian}/gu, 'hy'],
  ['ethiopic', /\p{Script=Ethiopic}/gu, 'am ti'],
  ['tibetan', /\p{Script=Tibetan}/gu, 'bo dz'],
];
/** Written in Latin script as well as in one of those above. */
const ALSO_LATIN = new Set('sr uz ku mn tt kk az'.split(' '));
const WITHOUT_LATIN = new Set(
  SCRIPTS.flatMap(([, , languages]) => languages.split(' ')).filter((code) => !ALSO_LATIN.has(code)),
);
const LATIN_LANGUAGES = new Set(
  (
    'en de fr es it pt nl sv da no nb nn fi is fo pl cs sk hu ro sl hr bs sq lt lv et mt ga gd cy br eu ca gl oc co la eo af lb ' +
    'tr az id ms jv su tl vi sw so ha yo ig zu xh st tn rw ln mg mi sm to fj ht qu gn ay wa fy rm sc io ia vo se kl ' +
    [...ALSO_LATIN].join(' ')
  ).split(' '),
);

/** Letters that identify a language within its script. The first language with enough of them wins. */
const TELLING: Record<string, readonly [language: string, letters: RegExp][]> = {
  cyrillic: [
    ['be', /ў/giu],
    ['uk', /[іїєґ]/giu],
    ['sr', /[љњћђџј]/giu],
    ['ru', /[ыэё]/giu],
  ],
  arabic: [
    ['ur', /[ٹڈڑںےہھ]/gu],
    ['fa', /[پچژگکی]/gu],
  ],
};
const TELLING_SHARE = 0.01;
/** Minimum share of Vietnamese letters among all characters. */
const VIETNAMESE_SHARE = 0.05;
const VIETNAMESE = /[ơư\u1ea0-\u1ef9]/giu;

/** Two lower-case letters, or '' if unknown. */
export function guessLanguage(text: string, declared?: string): string {
  const sample = text.slice(0, SAMPLE);
  const script = scriptOf(sample);
  const code = declared === undefined ? '' : codeOf(declared);
  if (script === undefined) return code;
  const named = fits(code, script) ? code : '';
  return script === 'latin' ? latinLanguage(sample, named) : named || otherLanguage(sample, script);
}

/** The two letters of `de-AT`, `en_US` or `deu`; '' for anything that is not a language. */
function codeOf(declared: string): string {
  const tag = /^\s*([a-z]{2,3})(?![a-z])/i.exec(declared)?.[1];
  if (tag === undefined) return '';
  const lower = tag.toLowerCase();
  if (isKnown(lower)) return lower;
  const [code = ''] = Intl.getCanonicalLocales(lower);
  return isKnown(code) ? code : '';
}

const isKnown = (code: string): boolean => LATIN_LANGUAGES.has(code) || WITHOUT_LATIN.has(code);

/** The script of most letters; undefined if there are no letters. */
function scriptOf(sample: string): string | undefined {
  const letters = sample.match(/\p{L}+/gu)?.join('') ?? '';
  if (letters === '') return undefined;
  const others = letters.replace(/\p{Script=Latin}+/gu, '');
  const latin = letters.length - others.length;
  if (others.length < letters.length * MIN_SHARE) return 'latin';
  let best: string | undefined;
  let most = 0;
  for (const [name, characters] of SCRIPTS) {
    const count = countOf(others, characters);
    // A little kana among much Han is Japanese; otherwise the most frequent script wins.
    if (name === 'kana' && count >= others.length * 0.1) return name;
    if (count > most) [best, most] = [name, count];
  }
  // Words take fewer characters in some scripts, and Latin names occur in all of them.
  return most * 2 > latin ? best : 'latin';
}

function fits(code: string, script: string): boolean {
  if (script === 'latin') return LATIN_LANGUAGES.has(code);
  return SCRIPTS.some(([name, , languages]) => name === script && languages.split(' ').includes(code));
}

function otherLanguage(sample: string, script: string): string {
  const telling = TELLING[script]?.find(([, letters]) => countOf(sample, letters) >= sample.length * TELLING_SHARE);
  if (telling !== undefined) return telling[0];
  const languages = SCRIPTS.find(([name]) => name === script)![2].split(' ');
  return mostCommon(countStops(sample, new Set(languages))) || languages[0]!;
}

function latinLanguage(sample: string, named: string): string {
  if (countOf(sample, VIETNAMESE) >= sample.length * VIETNAMESE_SHARE) return 'vi';
  const found = countStops(sample, LATIN_LANGUAGES);
  const best = mostCommon(found);
  if (named === '') return best;
  const [own, other] = [found.get(named), found.get(best)];
  const isOverruled = own && other && other.count >= OVERRULE_COUNT && other.score > OVERRULE_RATIO * own.score;
  return isOverruled ? best : named;
}

interface StopCount {
  count: number;
  /** Words that few languages share count more. */
  score: number;
}

function countStops(sample: string, languages: ReadonlySet<string>): Map<string, StopCount> {
  const found = new Map<string, StopCount>();
  for (const word of wordsOf(sample)) {
    const having = stopWordLanguages(word).filter((language) => languages.has(language));
    for (const language of having) {
      const { count, score } = found.get(language) ?? { count: 0, score: 0 };
      found.set(language, { count: count + 1, score: score + 1 / having.length });
    }
  }
  return found;
}

/** '' if there are too few words to tell. */
function mostCommon(found: ReadonlyMap<string, StopCount>): string {
  let best = '';
  for (const [language, { count, score }] of found) {
    if (count >= MIN_STOP_WORDS && score > (found.get(best)?.score ?? 0)) best = language;
  }
  return best;
}

const countOf = (text: string, characters: RegExp): number => text.match(characters)?.length ?? 0;

// Undoes disguises of text: invisible characters, look-alike letters, spaced letters, text in tag characters and in base64.
import { lookAlikes } from './injection-phrases.ts';

/** Format characters, variation selectors, fillers. */
const INVISIBLE = /\p{Cf}|[\u{fe00}-\u{fe0f}]|[\u{e0100}-\u{e01ef}]|[\u{115f}\u{1160}\u{3164}\u{ffa0}\u{2800}]/gu;
const WORD = /[\p{L}\p{N}'’]+/gu;
const SPACED = /(?<![\p{L}\p{N}])(?:\p{L}[ .·_*|-]{1,2}){7,}\p{L}(?![\p{L}\p{N}])/gu;
const TAG_CHARACTERS = /[\u{e0020}-\u{e007e}]{8,2000}/gu;
const TAG_BASE = 0xe0000;
const BASE64 = /(?<![\w+/])(?:[A-Za-z0-9+/]{32,8192}={0,2})(?![\w+/])/g;
const MAX_BASE64 = 100;

/** The text that a model reads where a person sees something else. The same string if nothing was disguised. */
export function revealed(text: string): string {
  const visible = text.replace(INVISIBLE, '');
  return visible.replace(WORD, (word) => plainWord(word)).replace(SPACED, (letters) => joined(letters));
}

const ASCII = /^[\x20-\x7e]*$/;
/** Digits stand for letters only inside of a word: d1sregard, but not 3rd or mp3. */
const DIGITS_INSIDE = /^[a-z]+(?:[013457][a-z]+)+$/i;

/** Letters instead of what looks like them. */
function plainWord(word: string): string {
  const mayMix = ASCII.test(word) ? DIGITS_INSIDE.test(word) : /[a-z]/i.test(word);
  if (!mayMix) return word;
  return [...word].map((letter) => lookAlikes().get(letter.toLowerCase()) ?? letter).join('');
}

/** Two separators end a word; where there are none, the words are not told apart. */
const joined = (letters: string): string =>
  letters.replace(/(\p{L})[ .·_*|-](?=\p{L})/gu, '$1').replace(/[ .·_*|-]{2}/g, ' ');

/** Texts that are only there for programs: written in tag characters, or encoded as base64. */
export function encodedTexts(text: string): string[] {
  const tagged = [...text.matchAll(TAG_CHARACTERS)].map(([run]) =>
    String.fromCodePoint(...[...run].map((character) => character.codePointAt(0)! - TAG_BASE)),
  );
  const encoded: string[] = [];
  for (const [run] of text.matchAll(BASE64)) {
    if (encoded.length === MAX_BASE64) break;
    const decoded = Buffer.from(run, 'base64').toString('utf8');
    if (isProse(decoded)) encoded.push(decoded);
  }
  return [...tagged, ...encoded];
}

/** Words with spaces between them, and next to nothing else. */
function isProse(text: string): boolean {
  const letters = text.match(/[\p{L}\p{N}\s.,:;!?'"()\-/]/gu)?.length ?? 0;
  return letters >= [...text].length * 0.95 && /\p{L}+\s+\p{L}+/u.test(text);
}

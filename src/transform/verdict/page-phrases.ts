// Words and phrases: how much is written on a page, and whether it says one of the phrases of a list.

/** Lower case, straight quotes, single spaces: the form in which phrases and page texts are compared. */
export function normalise(text: string): string {
  return text
    .toLowerCase()
    .replace(/[\u200b-\u200f\u2060\ufeff\u00ad]/g, '')
    .replace(/[‘’ʼ´`]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Scripts that put no spaces between words: about two characters make a word there. */
function isUnspaced(code: number): boolean {
  return (
    (code >= 0x3040 && code <= 0x30ff) ||
    (code >= 0x3400 && code <= 0x9fff) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0x0e00 && code <= 0x0e7f)
  );
}

const isSpace = (code: number) => code <= 32 || code === 0xa0 || code === 0x3000;
const isAsciiLetterOrDigit = (code: number) =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);

/** Separators such as "|" or "•" are no words; a run that holds a letter or a digit is one. */
export function countWords(text: string): number {
  let words = 0;
  let unspaced = 0;
  let inWord = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isSpace(code)) inWord = false;
    else if (isUnspaced(code)) {
      unspaced += 1;
      inWord = false;
    } else if (!inWord && (isAsciiLetterOrDigit(code) || (code >= 0xc0 && (code < 0x2000 || code > 0x2bff)))) {
      words += 1;
      inWord = true;
    }
  }
  return words + Math.ceil(unspaced / 2);
}

export function saysAny(text: string, phrases: readonly string[]): boolean {
  return text !== '' && phrases.some((phrase) => text.includes(phrase));
}

/** Does a title say one of the phrases, and in that part of it not much more? */
export function titleSays(title: string, phrases: readonly string[]): boolean {
  return titleParts(title).some((part) => isMostly(part, phrases));
}

/** Headings seldom hold the name of the site: they are split by sentences only. */
export function headingSays(heading: string, phrases: readonly string[]): boolean {
  return heading.split(/[.!?…。！？|]+/).some((sentence) => isMostly(sentence.trim(), phrases));
}

/** "Page not found | The Shop - Home" in its parts, each of which is a statement of its own. */
export function titleParts(title: string): string[] {
  return title
    .split(/\s+[-~/]+\s+|[|·•»›:：｜–—!]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

// A heading that says "page not found" has little else in it; one that talks about such pages has more.
const MAX_SLACK = 24;

function isMostly(statement: string, phrases: readonly string[]): boolean {
  return phrases.some((phrase) => {
    const slack = Math.min(MAX_SLACK, phrase.length);
    return statement.length <= phrase.length + slack && hasWhole(statement, phrase);
  });
}

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** Inside a longer word a phrase means nothing; scripts without spaces have no such border. */
function hasWhole(text: string, phrase: string): boolean {
  const at = text.indexOf(phrase);
  if (at < 0) return false;
  if (isUnspaced(phrase.charCodeAt(0))) return true;
  const before = text[at - 1];
  const after = text[at + phrase.length];
  return !(before && LETTER_OR_DIGIT.test(before)) && !(after && LETTER_OR_DIGIT.test(after));
}

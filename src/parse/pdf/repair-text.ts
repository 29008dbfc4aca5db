// Mends text: ligatures, soft hyphens, stray control characters, and words that lines have cut.

const LIGATURES: Readonly<Record<string, string>> = { ﬀ: 'ff', ﬁ: 'fi', ﬂ: 'fl', ﬃ: 'ffi', ﬄ: 'ffl', ﬅ: 'st', ﬆ: 'st' };

export function repairText(text: string): string {
  return text
    .replaceAll(/[\uFB00-\uFB06]/g, (ligature) => LIGATURES[ligature]!)
    .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\u00AD\u200B\uFEFF\uFFFE\uFFFF]/g, '')
    .trim();
}

/** Joins the words that a line has cut, `exam- ple`, where the joined word stands elsewhere as one. */
export const joinHyphenated = (text: string, words: ReadonlySet<string>): string =>
  text.replaceAll(/(\p{L}{2,40})- (\p{Ll}{2,40})/gu, (cut, first: string, second: string) =>
    words.has((first + second).toLowerCase()) ? first + second : cut,
  );

export function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/\p{L}+/gu));
}

/**
 * Markdown up to and including its n-th letter or digit, to the end of that word, and what comes after. Addresses of links do
 * not count. Undefined where a word goes on there.
 */
export function cutAfterLetters(markdown: string, letters: number): [string, string] | [undefined, ''] {
  let at = 0;
  for (let left = letters; at < markdown.length && left > 0; ) {
    if (isLetter(markdown, at)) left--;
    at = next(markdown, at);
  }
  for (; at < markdown.length && !/\s/.test(markdown[at]!); at = next(markdown, at)) {
    if (isLetter(markdown, at)) return [undefined, ''];
  }
  const [before, after] = [markdown.slice(0, at).trim(), markdown.slice(at).trim()];
  if (before === '' || after === '') return [undefined, ''];
  return isClosed(before) ? [before, after] : [withoutEmphasis(before), withoutEmphasis(after)];
}

/** The place of the next character; the address of a link counts as one. */
function next(markdown: string, at: number): number {
  const end = markdown.startsWith('](', at) ? markdown.indexOf(')', at) : -1;
  if (end !== -1) return end + 1;
  return at + (markdown.codePointAt(at)! > 0xffff ? 2 : 1);
}

const isLetter = (text: string, at: number): boolean =>
  /[\p{L}\p{N}]/u.test(String.fromCodePoint(text.codePointAt(at)!));

const isClosed = (markdown: string): boolean => (markdown.match(/(?<!\\)\*+/g)?.length ?? 0) % 2 === 0;

export const withoutEmphasis = (markdown: string): string => markdown.replaceAll(/(?<!\\)\*+/g, '');

/** Whether it is the rest of a sentence: it begins with a small letter that is no mark of a list, as in `a. Apples`. */
export const beginsWithin = (text: string): boolean => /^\p{Ll}(?![.)])/u.test(text);

// Repairs extracted text: ligatures, soft hyphens, control characters, words broken at line ends.

const LIGATURES: Readonly<Record<string, string>> = { ﬀ: 'ff', ﬁ: 'fi', ﬂ: 'fl', ﬃ: 'ffi', ﬄ: 'ffl', ﬅ: 'st', ﬆ: 'st' };

export function repairText(text: string): string {
  return text
    .replaceAll(/[\uFB00-\uFB06]/g, (ligature) => LIGATURES[ligature]!)
    .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\u00AD\u200B\uFEFF\uFFFE\uFFFF]/g, '')
    .trim();
}

/** Joins words broken at a line end (`exam- ple`) if the joined word occurs elsewhere. */
export const joinHyphenated = (text: string, words: ReadonlySet<string>): string =>
  text.replaceAll(/(\p{L}{2,40})- (\p{Ll}{2,40})/gu, (cut, first: string, second: string) =>
    words.has((first + second).toLowerCase()) ? first + second : cut,
  );

export function lowerCaseWords(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/\p{L}+/gu));
}

/**
 * Cuts Markdown after its n-th letter or digit; link URLs do not count. Undefined if that would split a word or leave
 * one side empty.
 */
export function cutAfterLetters(markdown: string, letters: number): [string, string] | [undefined, ''] {
  let at = 0;
  for (let left = letters; at < markdown.length && left > 0; ) {
    if (isLetter(markdown, at)) left--;
    at = nextPosition(markdown, at);
  }
  for (; at < markdown.length && !/\s/.test(markdown[at]!); at = nextPosition(markdown, at)) {
    if (isLetter(markdown, at)) return [undefined, ''];
  }
  const [before, after] = [markdown.slice(0, at).trim(), markdown.slice(at).trim()];
  if (before === '' || after === '') return [undefined, ''];
  return hasPairedEmphasis(before) ? [before, after] : [stripEmphasis(before), stripEmphasis(after)];
}

/** Position of the next character; the URL of a link counts as one. */
function nextPosition(markdown: string, at: number): number {
  const end = markdown.startsWith('](', at) ? markdown.indexOf(')', at) : -1;
  if (end !== -1) return end + 1;
  return at + (markdown.codePointAt(at)! > 0xffff ? 2 : 1);
}

const isLetter = (text: string, at: number): boolean =>
  /[\p{L}\p{N}]/u.test(String.fromCodePoint(text.codePointAt(at)!));

const hasPairedEmphasis = (markdown: string): boolean => (markdown.match(/(?<!\\)\*+/g)?.length ?? 0) % 2 === 0;

export const stripEmphasis = (markdown: string): string => markdown.replaceAll(/(?<!\\)\*+/g, '');

/** Whether it begins with a lower-case letter that is not a list marker, as in `a. Apples`. */
export const continuesSentence = (text: string): boolean => /^\p{Ll}(?![.)])/u.test(text);

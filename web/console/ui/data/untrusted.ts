// Values and texts that come from the web or from any JSON: read without trust, and cut before they are shown.

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object without members if it is anything else. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

export interface CutText {
  text: string;
  /** The length of the whole text, if this is only its beginning. */
  wholeLength?: number;
}

/** The beginning of a text, whose last character is whole. */
export function cutText(text: string, max: number): CutText {
  if (text.length <= max) return { text };
  const end = /[\ud800-\udbff]/.test(text[max - 1] ?? '') ? max - 1 : max;
  return { text: text.slice(0, end), wholeLength: text.length };
}

const LINE_BREAKS = /\n/g;

/** The beginning of a text: at most so many characters and so many lines. */
export function cutLines(text: string, maxLength: number, maxLines: number): CutText {
  const cut = cutText(text, maxLength);
  let lines = 0;
  for (const { index } of cut.text.matchAll(LINE_BREAKS)) {
    lines += 1;
    if (lines === maxLines && index + 1 < text.length)
      return { text: cut.text.slice(0, index), wholeLength: text.length };
  }
  return cut;
}

// Characters that change the order of what follows, or that are not seen at all.
const DECEIVING = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u0000-\u0008\u000e-\u001f\u007f]/g;

/** Makes characters visible that would let a title or an address look like another one. */
export const plainLine = (text: string, max = 500): string =>
  cutText(text, max).text.replace(DECEIVING, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);

export const isWebUrl = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text);

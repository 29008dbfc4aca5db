// Reads fields of untrusted answers. Missing fields and wrong types count as empty; nothing here throws.
import { decodeHTMLStrict } from 'entities';

const MAX_TEXT = 1000;
const MAX_URL_LENGTH = 8192;
// No brackets within a tag, so that "a < b" stays and matching is linear.
const TAG = /<[a-z/!][^<>]*>/gi;
const INLINE = /^<\/?(?:a|abbr|b|bdi|code|em|font|i|mark|s|small|span|strong|sub|sup|u|wbr)[\s/>]/i;
const BLANKS = /[\s\u0000-\u001f\u007f]+/g;

export const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Text with possible markup as plain text: tags removed, entities decoded, whitespace collapsed, cut at a word. */
export const text = (value: unknown, maxLength = MAX_TEXT): string =>
  tidy(
    raw(value, maxLength).replace(TAG, (tag) => (INLINE.test(tag) ? '' : ' ')),
    maxLength,
  );

/** For providers that send plain text, where `List<String>` is not markup. */
export const plainText = (value: unknown, maxLength = MAX_TEXT): string => tidy(raw(value, maxLength), maxLength);

/** An absolute http(s) URL without credentials, normalised. */
export function httpUrl(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_URL_LENGTH) return undefined;
  const trimmed = value.trim();
  const url = URL.parse(trimmed.startsWith('//') ? `https:${trimmed}` : trimmed);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.username || url.password) return undefined;
  return url.href;
}

/** A whole number above zero, also from text. */
export function positive(value: unknown): number | undefined {
  const number =
    typeof value === 'number' || (typeof value === 'string' && value !== '') ? Math.round(Number(value)) : 0;
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/** Markup can be much longer than its text, so cut at a multiple of the length. */
function raw(value: unknown, maxLength: number): string {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value.slice(0, maxLength * 20) : '';
}

function tidy(marked: string, maxLength: number): string {
  const whole = decodeHTMLStrict(marked).replace(BLANKS, ' ').trim().toWellFormed();
  if (whole.length <= maxLength) return whole;
  const cut = whole.slice(0, maxLength + 1);
  const space = cut.lastIndexOf(' ');
  // Scripts without spaces are cut anywhere, but not within a surrogate pair.
  return space > maxLength / 2 ? cut.slice(0, space) : cut.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
}

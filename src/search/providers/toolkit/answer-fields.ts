// Reading an answer that may hold anything: what is missing or of another type counts as empty, nothing here throws.
import { decodeHTMLStrict } from 'entities';

const MAX_TEXT = 1000;
const MAX_URL_LENGTH = 8192;
// No bracket within a tag: "a < b" stays, and no input is walked twice.
const TAG = /<[a-z/!][^<>]*>/gi;
const INLINE = /^<\/?(?:a|abbr|b|bdi|code|em|font|i|mark|s|small|span|strong|sub|sup|u|wbr)[\s/>]/i;
const BLANKS = /[\s\u0000-\u001f\u007f]+/g;

export const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Plain text of what may hold markup: tags stripped, entities decoded, whitespace collapsed, cut at a word. */
export const text = (value: unknown, maxLength = MAX_TEXT): string =>
  tidy(
    raw(value, maxLength).replace(TAG, (tag) => (INLINE.test(tag) ? '' : ' ')),
    maxLength,
  );

/** Of a provider that sends plain text, in which `List<String>` is what the page says and no markup. */
export const plainText = (value: unknown, maxLength = MAX_TEXT): string => tidy(raw(value, maxLength), maxLength);

/** An absolute address of a page or a picture, as the URL parser writes it. */
export function httpUrl(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_URL_LENGTH) return undefined;
  const trimmed = value.trim();
  const url = URL.parse(trimmed.startsWith('//') ? `https:${trimmed}` : trimmed);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.username || url.password) return undefined;
  return url.href;
}

/** A whole number above zero, also when it is written as text. */
export function positive(value: unknown): number | undefined {
  const number =
    typeof value === 'number' || (typeof value === 'string' && value !== '') ? Math.round(Number(value)) : 0;
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/** Markup may take many times the room of the text in it, but not without end. */
function raw(value: unknown, maxLength: number): string {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value.slice(0, maxLength * 20) : '';
}

function tidy(marked: string, maxLength: number): string {
  const whole = decodeHTMLStrict(marked).replace(BLANKS, ' ').trim().toWellFormed();
  if (whole.length <= maxLength) return whole;
  const cut = whole.slice(0, maxLength + 1);
  const space = cut.lastIndexOf(' ');
  // Scripts without spaces are cut anywhere but within a character.
  return space > maxLength / 2 ? cut.slice(0, space) : cut.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
}

// Checks that what a model says about a page stands on it. What a schema demands in another form counts if the page says
// the same: numbers, dates, addresses, codes of currencies and countries, values that are joined from several places.
import { decodeHTML } from 'entities';
import { resolveUrl } from '../../markup/html/page-urls.ts';
import type { PageText } from '../../page/understanding.ts';
import { guessLanguage } from '../../text/words/language.ts';
import { lazy } from '../../util/lazy.ts';
import { folded } from './item-values.ts';
import { datesOf } from './page-dates.ts';
import { numbersOf, wholeReadings } from './page-numbers.ts';
import { codeNames, currencySigns } from './written-codes.ts';

export type StandsOnPage = (value: string | number) => boolean;

const LINK = /!?\[([^[\]]{0,300})\]\([^()\s]{0,2000}(?:\s"[^"]{0,300}")?\)/g;
const TAG = /<\/?[a-z][^<>]{0,300}>/gi;
const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;
const ADDRESS = /(?:\]\(\s?|\]:\s?|<)([^\s()<>]{1,2000})|https?:\/\/[^\s<>()"'\]]{1,2000}/gi;
const ADDRESS_VALUE = /^(?:https?:)?\/\/\S+$|^www\.\S+$|^\.{0,2}\/\S*$/i;
const PHONE_VALUE = /^(?:tel:)?[+(\d][\d\s()./+-]{5,24}$/;
const PHONE = /[+(\d][\d\s()./+\u00a0-]{5,24}\d/g;
const AMOUNT_VALUE = /^([^\d]{0,12}?)\s?([-−]?\d[\d.,'’\u00a0\u202f]*?(?: \d{3})*)[.,]?\s?([^\d]{0,20})$/u;
/** Not within numbers, times and dates. */
const SEPARATOR = /\s*(?:[,;:/](?!\d)|[|·•()[\]\n]|\s[-–—]\s)\s*/u;
/** Scripts that do not separate words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;
const MIN_JOINED = 4;
const MAX_JOINED = 100;
const MIN_PHONE = 6;

/** Compares letters and digits; case, accents, blanks and punctuation do not matter. */
export function standsOnPage(page: PageText): StandsOnPage {
  const { markdown, title = '', url, language } = page;
  const raw = decodeHTML(markdown).replace(INVISIBLE, '');
  const shown = raw.replace(LINK, '$1').replace(LINK, '$1').replace(TAG, ' ');
  const text = createPageWords(`${title}\n${shown}`, `${url}\n${raw}`);
  const tongue = lazy(() => language ?? guessLanguage(markdown));
  const numbers = lazy(() => numbersOf(`${title}\n${shown}`));
  const dates = lazy(() => datesOf(`${title}\n${shown}`, tongue(), (words) => text.placeOf(words) >= 0));
  const addresses = lazy(() => addressesOf(raw, url));
  const phones = lazy(() => [...raw.matchAll(PHONE)].map(([phone]) => nationalDigits(phone)));

  const hasPhone = (value: string): boolean => {
    const wanted = nationalDigits(value);
    return wanted.length >= MIN_PHONE && phones().some((phone) => phone.endsWith(wanted) || isTail(wanted, phone));
  };
  const hasCode = (value: string): boolean =>
    currencySigns(value, tongue()).some((sign) => shows(shown, sign)) ||
    codeNames(value, tongue()).some((name) => text.has(name)) ||
    (/^[a-z]{2}(?:-[A-Z]{2})?$/.test(value) && (language ?? '').slice(0, 2) === value.slice(0, 2));
  /** "EUR 49.90" where the page has "49,90 €". */
  const hasAmount = (value: string): boolean => {
    const [, before, number, behind] = AMOUNT_VALUE.exec(value) ?? [];
    if (number === undefined) return false;
    return (
      wholeReadings(number).some((each) => numbers()(each)) &&
      [before!, behind!].every((word) => folded(word) === '' || text.has(word) || hasCode(word.trim()))
    );
  };
  const hasPart = (value: string): boolean => text.isJoined(value) || hasAmount(value) || hasCode(value);
  const hasParts = (value: string): boolean => {
    const parts = value.split(SEPARATOR).filter((part) => folded(part) !== '');
    let from = 0;
    return (
      parts.length > 1 &&
      parts.every((part) => {
        const place = text.placeOf(folded(part), from);
        if (place >= 0) from = place;
        // What stands elsewhere only is in another order.
        return place >= 0 || (!text.has(part) && (hasPart(part) || dates().says(part) === true));
      })
    );
  };
  const hasText = (given: string): boolean => {
    const value = decodeHTML(given).replace(INVISIBLE, '').trim();
    // A sign, such as stars or a currency.
    if (folded(value) === '') return value === '' || shown.includes(value) || hasCode(value);
    if (text.has(value)) return true;
    if (ADDRESS_VALUE.test(value)) return addresses().has(sameAddress(value, url));
    const isSaid = dates().says(value);
    if (isSaid !== undefined) return isSaid;
    return hasPart(value) || (PHONE_VALUE.test(value) && hasPhone(value)) || hasParts(value);
  };

  const known = new Map<string | number, boolean>();
  return (value) => {
    const before = known.get(value);
    if (before !== undefined) return before;
    const stands = typeof value === 'number' ? numbers()(value) : hasText(value);
    known.set(value, stands);
    return stands;
  };
}

interface PageWords {
  has(text: string): boolean;
  /** Where a folded text stands in what is shown; below 0 if nowhere. */
  placeOf(words: string, from?: number): number;
  /** The same with blanks elsewhere: "TP204" for "TP-204". */
  isJoined(text: string): boolean;
}

/** `all` has the targets of links as well. */
function createPageWords(shown: string, all: string): PageWords {
  const page = ` ${folded(shown)} `;
  const whole = ` ${folded(all)} `;
  const joined = lazy(() => page.replaceAll(' ', ''));
  return {
    has: (text) => {
      const words = folded(text);
      return words !== '' && (placeIn(page, words) >= 0 || placeIn(whole, words) >= 0);
    },
    placeOf: (words, from) => placeIn(page, words, from),
    isJoined(text) {
      const letters = folded(text).replaceAll(' ', '');
      if (letters.length < MIN_JOINED || letters.length > MAX_JOINED || !joined().includes(letters)) return false;
      return new RegExp(`(?<= )${[...letters].join(' ?')}(?= )`, 'u').test(page);
    },
  };
}

function placeIn(page: string, words: string, from = 0): number {
  const start = UNSPACED.test(words[0] ?? '') ? '' : ' ';
  const end = UNSPACED.test(words.at(-1) ?? '') ? '' : ' ';
  return page.indexOf(`${start}${words}${end}`, from);
}

function addressesOf(text: string, url: string): Set<string> {
  const found = [...text.matchAll(ADDRESS)].map(([whole, target]) => target ?? whole);
  return new Set([url, ...found].map((each) => sameAddress(each, url)));
}

/** Whatever the protocol, `www` and the last slash. */
function sameAddress(given: string, base: string): string {
  const whole = /^www\./i.test(given) ? `https://${given}` : given;
  const resolved = resolveUrl(whole, base) ?? whole;
  return resolved.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/[/#]+$/, '');
}

/** Without the sign, the zeros and the "(0)" that the number of another country begins with. */
const nationalDigits = (phone: string): string => phone.replace('(0)', '').replace(/[^\d]/g, '').replace(/^0+/, '');

/** Only the code of the country may be more. */
const isTail = (long: string, short: string): boolean =>
  short.length >= MIN_PHONE && long.length - short.length <= 3 && long.endsWith(short);

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
const shows = (text: string, sign: string): boolean =>
  text.includes(sign) && new RegExp(`(?<!\\p{L})${escaped(sign)}(?!\\p{L})`, 'u').test(text);

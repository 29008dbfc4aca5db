// Phone numbers: international ones by their country code, national ones by label or shape in the countries that the text
// is about. libphonenumber decides which numbers exist.
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { isOfOneWord, labelPosition, urlBefore } from '../context.ts';
import type { Finding } from '../finding.ts';
import { type PhoneCandidate, phoneCandidates } from './phone-candidates.ts';
import {
  CALL_BEFORE,
  isOtherShape,
  looksLikeQuantity,
  OTHER_NUMBER_LABEL,
  PHONE_LABEL,
  PHONE_SIGN,
} from './phone-shapes.ts';

/** National numbers are tried in this many countries; with a label in all that the language suggests. */
const COUNTRIES_WITHOUT_LABEL = 3;
/** A second number after the same label: "Tel. 030 1234567 / 7654321". */
const SHARED_LABEL_REACH = 8;
const BETWEEN_NUMBERS = /^[\s,;/|]*(?:or|and|oder|und|bzw\.|ou|et|y|o|e|of|en)?\s*$/;
const EXTENSION =
  /^[ ,]{0,2}(?:ext(?:ension|\.)?|x|durchwahl|dw|poste|int(?:erno|\.)?|toestel|anexo)[ .:]{0,2}\d{1,5}(?!\d)/i;
/** Elsewhere, a national number that is written in full begins with zero. */
const WITHOUT_TRUNK_ZERO = new Set<CountryCode>([
  'ES',
  'IT',
  'PT',
  'PL',
  'DK',
  'NO',
  'CZ',
  'GR',
  'LU',
  'HK',
  'SG',
  'MX',
  'CL',
  'CO',
  'PE',
  'US',
  'CA',
  'CN',
]);
const US_SHAPE = /^(?:1[-. ])?(?:\(\d{3}\) ?|\d{3}[-. ])\d{3}[-. ]\d{4}$/;
/** American toll-free numbers in letters: 1-800-FLOWERS. */
const VANITY =
  /(?<![\w-])1[-. ]8(?:00|33|44|55|66|77|88)[-. ](?=[A-Z0-9-]{0,10}[A-Z]{3})[A-Z0-9](?:-?[A-Z0-9]){6,9}(?![\w-])/g;
/** URLs whose path or parameter is a phone number. */
const PHONE_URL = /(?:wa\.me\/|whatsapp\.com\/send\/?\?phone=|[?&](?:phone|tel)=)\+?$/i;

interface Surroundings {
  isLabelled: boolean;
  isOther: boolean;
  countries: readonly CountryCode[];
}

export function findPhones(text: string, expected: readonly string[]): Finding[] {
  const countries = expected.filter((code): code is CountryCode => isSupportedCountry(code));
  const found: Finding[] = [];
  for (const candidate of phoneCandidates(text)) {
    const previous = found.at(-1);
    const sharesLabel =
      previous !== undefined &&
      candidate.start - previous.end <= SHARED_LABEL_REACH &&
      BETWEEN_NUMBERS.test(text.slice(previous.end, candidate.start));
    const surroundings = look(text, candidate, sharesLabel, countries);
    if (surroundings) found.push(...readNumbers(text, candidate, surroundings));
  }
  for (const { 0: number, index: start } of text.matchAll(VANITY)) {
    found.push({ start, end: start + number.length, entity: 'PHONE', rule: 'vanity-number', score: 0.8 });
  }
  return found;
}

function look(text: string, { start, end }: PhoneCandidate, sharesLabel: boolean, countries: readonly CountryCode[]) {
  if (isOfOneWord(text[end])) return undefined;
  const before = text.slice(Math.max(0, start - 12), start);
  const phone = labelPosition(text, start, PHONE_LABEL);
  const other = labelPosition(text, start, OTHER_NUMBER_LABEL);
  const url = urlBefore(text, start);
  if (url !== undefined && !PHONE_URL.test(url)) return undefined;
  if (/[=&]$/.test(before) && url === undefined && !/(?:phone|tel)[a-z]*=$/i.test(before)) return undefined;
  const asksToCall = CALL_BEFORE.test(text.slice(Math.max(0, start - 48), start));
  const isSigned = PHONE_SIGN.test(before) || url !== undefined || asksToCall;
  const isLabelled = isSigned || sharesLabel || (phone >= 0 && phone > other);
  if (isOtherShape(text, start, end, isLabelled)) return undefined;
  return { isLabelled, isOther: !isLabelled && other >= 0, countries };
}

/** The whole run, or the numbers that it consists of: the longest prefix that is a number, then what follows it. */
function readNumbers(text: string, { start, groups }: PhoneCandidate, surroundings: Surroundings): Finding[] {
  const found: Finding[] = [];
  let from = 0;
  while (from < groups.length) {
    const begin = from === 0 ? start : openingOf(text, groups[from]!.start);
    const last = lastGroupOf(text, begin, groups, from, surroundings);
    if (!last) break;
    found.push(withExtension(text, { start: begin, end: groups[last.index]!.end, score: last.score }));
    from = last.index + 1;
  }
  return found;
}

/** The position of the bracket or plus that opens a number in the middle of a run. */
function openingOf(text: string, at: number): number {
  let begin = at;
  while (text[begin - 1] === '(' || text[begin - 1] === '+') begin--;
  return begin;
}

function lastGroupOf(
  text: string,
  begin: number,
  groups: PhoneCandidate['groups'],
  from: number,
  surroundings: Surroundings,
): { index: number; score: number } | undefined {
  for (let index = groups.length - 1; index >= from; index--) {
    const score = scoreOf(text.slice(begin, groups[index]!.end), surroundings);
    if (score > 0) return { index, score };
    // Without a label or a country code, a part of a longer run proves nothing.
    if (!surroundings.isLabelled && text[begin] !== '+') return undefined;
  }
  return undefined;
}

function scoreOf(run: string, { isLabelled, isOther, countries }: Surroundings): number {
  const digits = run.replace(/\D/g, '');
  if (digits.length < 6 || /^(\d)\1+$/.test(digits)) return 0;
  if (/^[([]?\+/.test(run)) {
    const number = parsePhoneNumberFromString(plain(run), { extract: false });
    if (number?.isValid()) return isOther ? 0.6 : 0.95;
    return isLabelled && digits.length >= 8 && digits.length <= 15 ? 0.6 : 0;
  }
  if (digits.startsWith('00') && parsePhoneNumberFromString(`+${digits.slice(2)}`, { extract: false })?.isValid()) {
    return isOther ? 0 : isLabelled ? 0.9 : 0.7;
  }
  return isLabelled ? labelledScore(run, digits, countries) : isOther ? 0 : unlabelledScore(run, digits, countries);
}

/** Without the trunk zero in brackets, which only counts inside the country: +49 (0)30. */
const plain = (run: string): string => run.replace(/\\/g, '').replace(/^[([]/, '').replace(/\(0\)/, ' ');

function labelledScore(run: string, digits: string, countries: readonly CountryCode[]): number {
  // Local numbers without an area code have six digits or more, but so have other things.
  if (digits.length >= 7 && isValidIn(run, countries)) return 0.9;
  // Links to messengers have the country code without a plus.
  if (digits.length >= 10 && parsePhoneNumberFromString(`+${digits}`, { extract: false })?.isValid()) return 0.85;
  return /\D/.test(run) && digits.length >= 6 && digits.length <= 13 && !looksLikeQuantity(run) ? 0.55 : 0;
}

function unlabelledScore(run: string, digits: string, countries: readonly CountryCode[]): number {
  const likely = countries.slice(0, COUNTRIES_WITHOUT_LABEL);
  const isGrouped = /\D/.test(run);
  if (!isValidIn(run, likely)) return isWrittenLikeNational(run, digits, likely) ? 0.5 : 0;
  if (US_SHAPE.test(run) && likely.some((country) => country === 'US' || country === 'CA')) return 0.7;
  if (digits.startsWith('0') && digits.length >= 9) return isGrouped ? 0.65 : 0.4;
  if (run.startsWith('(') && digits.length >= 9) return 0.6;
  if (looksLikeQuantity(run) || digits.length < 9) return isNineDigits(run, likely) ? 0.5 : 0;
  if (!likely.some((country) => WITHOUT_TRUNK_ZERO.has(country))) return 0;
  return isGrouped ? 0.5 : 0.35;
}

/** Spain has no trunk zero, and 612 345 678 is how people write a mobile number. */
const isNineDigits = (run: string, countries: readonly CountryCode[]): boolean =>
  countries[0] === 'ES' && /^[6-9]\d{2} \d{3} \d{3}$/.test(run);

/** Numbers of ranges that are not assigned, such as those that films and manuals use. */
const isWrittenLikeNational = (run: string, digits: string, countries: readonly CountryCode[]): boolean =>
  /^\(?0\d{2,4}\)?[ /-]/.test(run) &&
  digits.length >= 10 &&
  digits.length <= 11 &&
  countries.some((country) => parsePhoneNumberFromString(plain(run), { defaultCountry: country })?.isPossible());

const isValidIn = (run: string, countries: readonly CountryCode[]): boolean =>
  countries.some((defaultCountry) =>
    parsePhoneNumberFromString(plain(run), { defaultCountry, extract: false })?.isValid(),
  );

function withExtension(text: string, { start, end, score }: { start: number; end: number; score: number }): Finding {
  const extension = EXTENSION.exec(text.slice(end, end + 24))?.[0] ?? '';
  // An opening bracket belongs to the number only if it is closed inside it.
  const isOpen = text[start] === '(' && !text.slice(start, end).includes(')');
  return { start: isOpen ? start + 1 : start, end: end + extension.length, entity: 'PHONE', rule: 'phone', score };
}

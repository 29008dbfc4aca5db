// Numbers as pages write them: "1.299,00 €", "$1,299", "4.5 out of 5", "12k", "1 h 30 min".

const NUMBER = /(?<![\p{L}\d.,])[-−+]?\d(?:[\d.,'’\u00a0\u202f\u2009]|[ ](?=\d{3}(?!\d)))*/u;
const MAX_TEXT = 400;
/** Languages in which a comma separates decimals. */
const COMMA_DECIMALS =
  /^(?:de|fr|es|it|pt|nl|da|sv|nb|no|fi|pl|cs|sk|hu|ro|bg|hr|sl|el|ru|uk|tr|id|vi|ca|eu|gl|lt|lv|et|is)\b/i;
const FACTORS: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, tsd: 1e3, mio: 1e6, million: 1e6 };
const CURRENCY = /[$€£¥₹₽₺₩₫₪฿]|\b(?:USD|EUR|GBP|CHF|JPY|CAD|AUD|SEK|NOK|DKK|PLN|CZK|INR|BRL|MXN|kr|zł|Kč|Fr)\b/i;

export interface FoundNumber {
  value: number;
  /** As it stands in the text. */
  text: string;
  at: number;
}

/** The first number of a text. */
export function findNumber(text: string, language = 'en'): FoundNumber | undefined {
  const searched = text.slice(0, MAX_TEXT);
  const match = NUMBER.exec(searched);
  if (!match) return undefined;
  const written = match[0].replace(/[.,'’\s]+$/u, '');
  const isMoney = CURRENCY.test(searched);
  const value = parseNumber(written, language, isMoney);
  return value === undefined ? undefined : { value, text: written, at: match.index };
}

/** The first number, with a suffix such as k or million. */
export function findCount(text: string, language = 'en'): FoundNumber | undefined {
  const found = findNumber(text, language);
  if (!found) return undefined;
  const suffix = /^(?:([km])(?![\p{L}\d²³])|\s?(tsd|mio|million)\b\.?)/iu.exec(
    text.slice(found.at + found.text.length),
  );
  if (!suffix) return found;
  const value = Math.round(found.value * FACTORS[(suffix[1] ?? suffix[2])!.toLowerCase()]! * 1000) / 1000;
  return { ...found, value, text: found.text + suffix[0].trimEnd() };
}

export function parseNumber(written: string, language = 'en', isMoney = false): number | undefined {
  const sign = /^[-−]/.test(written) ? -1 : 1;
  const digits = written.replace(/^[-−+]/, '').replace(/['’\s]/gu, '');
  const plain = withPoint(digits, COMMA_DECIMALS.test(language), isMoney);
  const value = Number(plain);
  return plain === '' || !Number.isFinite(value) ? undefined : sign * value;
}

function withPoint(digits: string, hasCommaDecimals: boolean, isMoney: boolean): string {
  const lastComma = digits.lastIndexOf(',');
  const lastPoint = digits.lastIndexOf('.');
  if (lastComma >= 0 && lastPoint >= 0) {
    return lastComma > lastPoint ? digits.replaceAll('.', '').replace(',', '.') : digits.replaceAll(',', '');
  }
  const mark = lastComma >= 0 ? ',' : lastPoint >= 0 ? '.' : undefined;
  if (mark === undefined) return digits;
  const parts = digits.split(mark);
  // A repeated mark can only group thousands.
  if (parts.length > 2) return parts.slice(1).every((part) => part.length === 3) ? parts.join('') : '';
  const canBeThousands = parts[1]!.length === 3 && parts[0]!.length <= 3 && !/^0/.test(parts[0]!);
  const isThousandsMark = (mark === ',') !== hasCommaDecimals;
  // Prices have two decimals: three digits after the mark are thousands, whatever the language.
  if (canBeThousands && (isMoney || isThousandsMark)) return parts.join('');
  return parts.join('.');
}

const UNIT_MINUTES: readonly [RegExp, number][] = [
  [/^(?:d|days?|tage?n?|jours?|días?|giorn[oi])(?!\p{L})/iu, 1440],
  [/^(?:h|hrs?|hours?|std|stunden?|heures?|horas?|or[ae])(?!\p{L})/iu, 60],
  [/^(?:m|mins?|minutes?|minuten?|minutos?|minut[oi])(?!\p{L})/iu, 1],
  [/^(?:s|secs?|seconds?|sekunden?|secondes?|segundos?)(?!\p{L})/iu, 1 / 60],
];
const ISO_DURATION =
  /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+(?:[.,]\d+)?)H)?(?:(\d+(?:[.,]\d+)?)M)?(?:(\d+(?:[.,]\d+)?)S)?)?$/i;

/** Minutes of "PT1H30M", "1 h 30 min", "1:30 h", "45 Minuten". */
export function findMinutes(text: string): number | undefined {
  const trimmed = text.trim().slice(0, MAX_TEXT);
  const iso = ISO_DURATION.exec(trimmed);
  if (iso) {
    const [, , , weeks, days, hours, minutes, seconds] = iso.map((part) => Number((part ?? '0').replace(',', '.')));
    return weeks! * 10_080 + days! * 1440 + hours! * 60 + minutes! + seconds! / 60;
  }
  const clock = /(?<!\d)(\d{1,2}):(\d\d)\s?(?:h|hrs?|hours?|std|stunden)\b/i.exec(trimmed);
  if (clock) return Number(clock[1]) * 60 + Number(clock[2]);
  let total: number | undefined;
  for (const match of trimmed.matchAll(/(\d+(?:[.,]\d+)?(?:\s?[½¼¾])?|[½¼¾])\s?(?=\p{L})/gu)) {
    const rest = trimmed.slice(match.index + match[0].length);
    const unit = UNIT_MINUTES.find(([pattern]) => pattern.test(rest));
    if (unit) total = (total ?? 0) + fraction(match[1]!) * unit[1];
    // "1h30": the minutes have no unit of their own.
    const bare = unit?.[1] === 60 ? /^\p{L}+\s?(\d{1,2})(?!\d|\s?\p{L})/u.exec(rest) : undefined;
    if (bare) total = total! + Number(bare[1]);
  }
  return total;
}

const FRACTIONS: Readonly<Record<string, number>> = { '½': 0.5, '¼': 0.25, '¾': 0.75 };
const fraction = (text: string): number =>
  Number(text.replace(/[½¼¾]/, '').replace(',', '.').trim()) + (FRACTIONS[text.at(-1)!] ?? 0);

const AMOUNT =
  /(?:[$€£¥₹₽₺₩₫₪฿]|\b(?:USD|EUR|GBP|CHF|CAD|AUD|Rs\.?|Fr\.?))\s?\d(?:[\d.,'’\u00a0\u202f]|[ ](?=\d{3}(?!\d)))*(?:\s(?:USD|CAD|AUD|NZD|SGD|HKD|MXN)\b)?|(?<![\p{L}\d.,])(?:\d{1,3}(?:[ ]\d{3})+(?!\d)|\d)[\d.,'’\u00a0\u202f]*(?:,[-–—]+)?\s?(?:[$€£¥₹₽₺₩₫₪฿]|(?:USD|EUR|GBP|CHF|CAD|AUD|PLN|zł|kr|Kč)(?!\p{L}))/u;

/** The first amount of money in a text, as it stands there. */
export const findAmount = (text: string): string | undefined => AMOUNT.exec(text)?.[0].trim();

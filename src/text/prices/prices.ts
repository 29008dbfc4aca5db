// Numbers and prices as people write them: 1.299,00 €, $1,299.00, 1 299 kr, CHF 1'299.-, １２００円.
import { localeRegion } from './locale-region.ts';

export interface WrittenPrice {
  amount: number;
  /** ISO 4217. A symbol of several currencies is decided by the language and the host of the page. */
  currency?: string;
  /** As it stands in the text. */
  formatted: string;
}

export interface PriceContext {
  /** As in `<html lang>`. */
  language?: string;
  url?: string;
}

const MAX_TEXT = 500;
const NUMBER = /\d{1,15}(?:[ '’]\d{3}(?!\d)|[.,]\d{1,15}){0,8}/.source;
const AFTER_NUMBER = /(?:[.,]?[-–—]{1,2}(?![\d\p{L}]))?/u.source;

/** Symbols and words of one currency. Longer ones come first where one contains another. */
const SYMBOLS: readonly [pattern: string, currency: string][] = [
  ['US ?\\$|USD', 'USD'],
  ['CA ?\\$|C\\$|CAD', 'CAD'],
  ['AU ?\\$|A\\$|AUD', 'AUD'],
  ['NZ ?\\$|NZD', 'NZD'],
  ['HK ?\\$|HKD', 'HKD'],
  ['S\\$|SGD', 'SGD'],
  ['NT ?\\$|TWD', 'TWD'],
  ['MX ?\\$|MXN', 'MXN'],
  ['R\\$|BRL', 'BRL'],
  ['€|EUR|Euros?', 'EUR'],
  ['£|GBP', 'GBP'],
  ['CHF|SFr\\.?|Fr\\.', 'CHF'],
  ['CN¥|RMB|CNY|元', 'CNY'],
  ['JPY|円', 'JPY'],
  ['₩|KRW|원', 'KRW'],
  ['₹|INR|Rs\\.?', 'INR'],
  ['₽|RUB|руб\\.?', 'RUB'],
  ['₴|UAH|грн\\.?', 'UAH'],
  ['₺|TRY|TL', 'TRY'],
  ['zł|PLN', 'PLN'],
  ['Kč|CZK', 'CZK'],
  ['Ft|HUF', 'HUF'],
  ['lei|RON', 'RON'],
  ['лв\\.?|BGN', 'BGN'],
  ['₪|ILS', 'ILS'],
  ['฿|THB', 'THB'],
  ['₫|VND', 'VND'],
  ['₱|PHP', 'PHP'],
  ['SEK', 'SEK'],
  ['NOK', 'NOK'],
  ['DKK', 'DKK'],
  ['ISK', 'ISK'],
  ['ZAR', 'ZAR'],
  ['AED', 'AED'],
  ['SAR', 'SAR'],
];
/** Symbols of several currencies, by region; the first is the one without a hint. */
const SHARED: readonly [pattern: string, usual: string, byRegion: Readonly<Record<string, string>>][] = [
  [
    '\\$',
    'USD',
    { CA: 'CAD', AU: 'AUD', NZ: 'NZD', SG: 'SGD', HK: 'HKD', TW: 'TWD', MX: 'MXN', AR: 'ARS', CL: 'CLP', CO: 'COP' },
  ],
  ['¥|￥', 'JPY', { CN: 'CNY' }],
  ['kr\\.?', 'SEK', { NO: 'NOK', DK: 'DKK', IS: 'ISK', SE: 'SEK' }],
];

const ALL = [...SYMBOLS.map(([pattern]) => pattern), ...SHARED.map(([pattern]) => pattern)].join('|');
/** A letter may stand before a sign, which texts that ran together have: "price$38". */
const EDGE_BEFORE = '(?<!\\p{N})(?:(?<!\\p{L})|(?!\\p{L}))';
const EDGE_AFTER = '(?![\\p{L}\\p{N}])';
const WITH_SYMBOL = new RegExp(
  `${EDGE_BEFORE}(${ALL}) ?(${NUMBER}${AFTER_NUMBER})|(?<![\\p{N}.,])(${NUMBER}${AFTER_NUMBER}) ?(${ALL})${EDGE_AFTER}`,
  'gu',
);
const ANY_SYMBOL = new RegExp(`${EDGE_BEFORE}(?:${ALL})${EDGE_AFTER}`, 'u');
const ONLY_NUMBER = new RegExp(`^${NUMBER}${AFTER_NUMBER}$`, 'u');
const CODE_BEHIND = /^ ?([A-Z]{3})(?![\p{L}\p{N}])/u;
const CODES: ReadonlySet<string> = new Set(SYMBOLS.map(([, currency]) => currency));
interface Currency {
  test: RegExp;
  usual: string;
  byRegion?: Readonly<Record<string, string>>;
}
const exactly = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`, 'u');
const CURRENCIES: readonly Currency[] = [
  ...SYMBOLS.map(([pattern, usual]) => ({ test: exactly(pattern), usual })),
  ...SHARED.map(([pattern, usual, byRegion]) => ({ test: exactly(pattern), usual, byRegion })),
];

/** All prices with a currency in a text, in order. */
export const readPrices = (text: string, context: PriceContext = {}): WrittenPrice[] =>
  placedPrices(normalisePrices(text), context).map(({ price }) => price);

export interface PlacedPrice {
  price: WrittenPrice;
  start: number;
  end: number;
}

/** The same with their places in a text that is already normalised. */
export function placedPrices(normalised: string, context: PriceContext): PlacedPrice[] {
  const prices: PlacedPrice[] = [];
  for (const match of normalised.matchAll(WITH_SYMBOL)) {
    const [formatted, symbolBefore, after, before, symbolAfter] = match;
    const amount = readNumber(after ?? before ?? '');
    const currency = currencyOf(symbolBefore ?? symbolAfter ?? '', context);
    if (amount === undefined) continue;
    const end = match.index + formatted.length;
    // "$38.00 CAD": the code says which dollar it is.
    const code = symbolBefore === undefined ? undefined : CODE_BEHIND.exec(normalised.slice(end, end + 6));
    const known = code && CODES.has(code[1]!) ? code : undefined;
    const named = known?.[1] ?? currency;
    const price = {
      amount,
      ...(named !== undefined && { currency: named }),
      formatted: (formatted + (known?.[0] ?? '')).trim(),
    };
    prices.push({ price, start: match.index, end: end + (known?.[0].length ?? 0) });
  }
  return prices;
}

/** The first price in a text; a bare number counts if it is all there is. */
export function readPrice(text: string, context: PriceContext = {}): WrittenPrice | undefined {
  const [price] = readPrices(text, context);
  if (price) return price;
  const bare = normalisePrices(text).trim();
  const amount = ONLY_NUMBER.test(bare) ? readNumber(bare) : undefined;
  return amount === undefined ? undefined : { amount, formatted: bare };
}

/** The currency that a symbol, word or code means. */
export function currencyOf(symbol: string, context: PriceContext = {}): string | undefined {
  const text = symbol.trim();
  for (const { test, usual, byRegion } of CURRENCIES) {
    if (test.test(text)) return byRegion?.[localeRegion(context) ?? ''] ?? usual;
  }
  return /^[A-Z]{3}$/.test(text) ? text : undefined;
}

/** The currency that a text names, by a price or by itself. */
export function findCurrency(text: string, context: PriceContext = {}): string | undefined {
  const [price] = readPrices(text, context);
  if (price?.currency !== undefined) return price.currency;
  const symbol = ANY_SYMBOL.exec(normalisePrices(text))?.[0];
  return symbol === undefined ? undefined : currencyOf(symbol, context);
}

/** A number with any separators for thousands and decimals. */
export function readNumber(text: string): number | undefined {
  const written = normalisePrices(text)
    .trim()
    .replace(/[.,]?[-–—]{1,2}$/, '')
    .replace(/[ '’]/g, '');
  if (!/^-?\d[\d.,]*$/.test(written)) return undefined;
  const decimal = decimalSeparator(written);
  const plain =
    decimal === undefined
      ? written.replace(/[.,]/g, '')
      : written.replaceAll(decimal === '.' ? ',' : '.', '').replace(decimal, '.');
  const number = Number(plain);
  return Number.isFinite(number) ? number : undefined;
}

/** The last of two kinds is the decimal one. A single one is, unless exactly three digits follow a number from 1 to 999. */
function decimalSeparator(written: string): '.' | ',' | undefined {
  const dot = written.lastIndexOf('.');
  const comma = written.lastIndexOf(',');
  if (dot === -1 && comma === -1) return undefined;
  const [last, sign, other] = dot > comma ? [dot, '.' as const, comma] : [comma, ',' as const, dot];
  const isRepeated = written.indexOf(sign) !== last;
  if (other !== -1) return isRepeated ? undefined : sign;
  if (isRepeated) return undefined;
  return written.length - last - 1 === 3 && /^[1-9]\d{0,2}[.,]/.test(written) ? undefined : sign;
}

/** Digits of other scripts and unusual spaces become plain ones. */
export function normalisePrices(text: string): string {
  return text
    .slice(0, MAX_TEXT)
    .normalize('NFKC')
    .replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
    .replace(/\s+/gu, ' ');
}

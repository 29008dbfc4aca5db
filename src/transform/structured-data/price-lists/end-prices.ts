// The prices at the end of a line: "Tomato soup ..... 6.50", "Ale half 3.20 | pint 6.00", "Schnitzel 14,90 € (A, C)". Only
// money has a currency, two decimals or a dash for them; a bare number is a price by the lines around it.
import type { ListPrice } from '../../../page/structured-data.ts';
import { readPrices } from '../../../text/prices/prices.ts';

export interface EndPrices {
  /** What stands before the prices, with tabs between its parts. Empty if the line has nothing else. */
  name: string;
  prices: ListPrice[];
  /** Cells behind the prices that have a dash instead of one. */
  skipped?: number;
  /** Marks behind the prices, such as "(A, C)". */
  marks?: string;
  /** Written as only money is. */
  isMoney: boolean;
  /** Set apart from the name: by leaders, in an element or cell of its own, by a currency. */
  isApart: boolean;
}

const MAX_PRICES = 6;
/** The end of a line in which its last price is looked for. */
const MAX_END = 32;
const MAX_LABEL = 20;
const NUMBER = /(?:\d{1,3}(?:[.,'’]\d{3})+(?:[.,]\d{1,2})?|\d{1,5}(?:[.,]\d{1,2})?)(?:[.,]?[-–—]{1,2})?/.source;
const SYMBOL = /\p{Sc}|\p{Lu}{1,3}\p{Sc}|\p{L}{2,4}\.?/u.source;
const LAST = new RegExp(
  `^(?<before>.*?)(?<sign>(?<![\\p{L}\\p{N}])(?:${SYMBOL})[ \\t]?)?(?<number>(?<![\\p{L}\\p{N}.,:'’+-])${NUMBER})(?<unit>[ \\t]?(?:${SYMBOL}|Euros?))?$`,
  'su',
);
const LEADERS = /[ \t]*(?:[.·•…_‥․-][ \t]?){3,}[ \t]*$|[ \t]*…[ \t]*$/u;
const MARKS = /[ \t]*(\([^()]{1,40}\)|\*{1,3})$/u;
const NO_PRICE = /(?:\t[-–—]+)+$/u;
const SEPARATOR = /[ \t]*[/|·][ \t]*$/u;
const AMOUNT = /(?:^|[ \t])(\d{1,3}(?:[.,]\d{1,2})?[ \t]?(?:cl|ml|dl|l|kg|g|oz|cm)\.?)$/iu;
const WORD = /(?:^|[ \t])(\(?\p{L}[\p{L}.]{0,15}\)?)$/u;
/** "11.30-", "13.00 bis": the number goes on. */
const RANGE = /\d(?:[ \t]?[-–—:+/.,][ \t]?|[ \t]\p{Ll}{1,3}[ \t])$/u;

export function endPrices(line: string): EndPrices | undefined {
  const cells = line.trim();
  const text = cells.replace(NO_PRICE, '');
  if (text !== cells) return withSkipped(read(text), cells.slice(text.length).split('\t').length - 1);
  const marks = MARKS.exec(text);
  return read(text) ?? (marks ? withMarks(read(text.slice(0, marks.index)), marks[1]!) : undefined);
}

const withSkipped = (found: EndPrices | undefined, skipped: number): EndPrices | undefined =>
  found && { ...found, skipped };

const withMarks = (found: EndPrices | undefined, marks: string): EndPrices | undefined => found && { ...found, marks };

interface Taken {
  before: string;
  value: string;
  hasCurrency: boolean;
  isMoney: boolean;
}

function read(text: string): EndPrices | undefined {
  const last = takePrice(text);
  if (!last) return undefined;
  const prices: ListPrice[] = [{ value: last.value }];
  let { before, isMoney, hasCurrency } = last;
  let isApart = hasCurrency;
  for (; prices.length < MAX_PRICES; ) {
    const found = priceBefore(before);
    if (!found) break;
    if (found.label !== undefined) prices[0]!.label = found.label;
    prices.unshift({ value: found.taken.value });
    isMoney &&= found.taken.isMoney;
    hasCurrency ||= found.taken.hasCurrency;
    before = found.taken.before;
  }
  if (prices.length > 1) before = takeLabel(before, prices);
  else before = takeWord(before, prices);
  const isLed = LEADERS.test(before);
  isApart ||= isLed || /\t *$/.test(before) || before.trim() === '';
  // The end of a time, a date or a telephone number.
  if (!hasCurrency && !isLed && isPartOfNumber(before, isApart, isMoney)) return undefined;
  const name = before.replace(LEADERS, '').replace(/[ \t:,;|–—-]+$/u, '');
  if (name !== '' && !/\p{L}{2}/u.test(name)) return undefined;
  return { name, prices, isMoney: isMoney || hasCurrency || isLed, isApart };
}

function isPartOfNumber(before: string, isApart: boolean, isMoney: boolean): boolean {
  if (RANGE.test(before) && !AMOUNT.test(before.trimEnd())) return true;
  return !isApart && /\d[ \t]*$/.test(before) && !(isMoney && /\p{L}[ \t]\d{1,4}[ \t]*$/u.test(before));
}

function takePrice(text: string): Taken | undefined {
  const end = text.slice(-MAX_END);
  if (!/\d/.test(end)) return undefined;
  const { before: near, sign = '', number, unit = '' } = LAST.exec(end)?.groups ?? {};
  if (near === undefined || number === undefined) return undefined;
  const before = text.slice(0, -end.length) + near;
  const isAfter = unit !== '' && isCurrency(unit);
  if (unit !== '' && !isAfter) return undefined;
  const isBefore = !isAfter && sign !== '' && isCurrency(sign);
  return {
    before: isBefore ? before : before + sign,
    value: `${isBefore ? sign : ''}${number}${unit}`.replace(/\t/g, '').trim(),
    hasCurrency: isAfter || isBefore,
    isMoney: isAfter || isBefore || /[.,]\d\d$|[-–—]$/u.test(number),
  };
}

/** The table of currencies decides whether a word is one. */
const isCurrency = (text: string): boolean => /\p{Sc}/u.test(text) || readPrices(`${text.trim()} 1`).length > 0;

/** Another price before the last one: beside it, behind a separator, or with the label of the last one between them. */
function priceBefore(text: string): { taken: Taken; label?: string } | undefined {
  const shown = text.replace(/[ \t:]+$/u, '');
  const label = (AMOUNT.exec(shown) ?? WORD.exec(shown))?.[1];
  const rest = label === undefined ? text : text.slice(0, text.lastIndexOf(label));
  const isSeparated = SEPARATOR.test(rest) || /\t *$/.test(rest);
  const isAmount = label !== undefined && /\d/.test(label);
  if (label !== undefined && (label.length > MAX_LABEL || !(isSeparated || isAmount))) return undefined;
  const taken = takePrice(rest.replace(SEPARATOR, '').trimEnd());
  if (!taken || !(taken.isMoney || isSeparated) || isPartOfNumber(taken.before, true, false)) return undefined;
  // What stands in a cell of its own behind the number of a dish is its name.
  if (label !== undefined && !isAmount && !taken.isMoney && !SEPARATOR.test(rest)) return undefined;
  // A number that ends the name or its codes is no price, if only a border stands between them.
  const isInName = /\S *$/.test(taken.before) && !/\t *$/.test(taken.before);
  if (label === undefined && !SEPARATOR.test(rest) && isInName) return undefined;
  return { taken, ...(label !== undefined && { label: label.replace(/^\(|\)$/g, '') }) };
}

/** The label of the first price, if the others have one. */
function takeLabel(before: string, prices: ListPrice[]): string {
  if (!prices.slice(1).every(({ label }) => label !== undefined)) return before;
  const isAmount = /\d/.test(prices[1]!.label!);
  const label = (isAmount ? AMOUNT : WORD).exec(before.replace(/[ \t:]+$/u, ''))?.[1];
  if (label === undefined) return before;
  prices[0]!.label = label.replace(/^\(|\)$/g, '');
  return before.slice(0, before.lastIndexOf(label));
}

/** A word in the element of the price, such as "from 12.00", belongs to it. */
function takeWord(before: string, prices: ListPrice[]): string {
  const word = /(?<=\t)\p{Ll}{1,6}\.?(?= *$)/u.exec(before)?.[0];
  if (word === undefined) return before;
  prices[0]!.value = `${word} ${prices[0]!.value}`;
  return before.slice(0, before.lastIndexOf(word));
}

/** Dishes that stand one after the other in a line: "Goulash 12,50 Schnitzel 14,90". */
export function splitAtPrices(text: string): string[] {
  const pieces: string[] = [];
  if (!/[.,]\d\d.*[.,]\d\d/.test(text)) return [text];
  let start = 0;
  for (const { index, 0: found } of text.matchAll(
    /(?<=\s)\p{Sc}?[ ]?\d{1,3}[.,]\d\d(?:[ ]?\p{Sc})?(?=[ \t]+\p{Lu}\p{L})/gu,
  )) {
    const end = index + found.length;
    const piece = text.slice(start, end).trim();
    if (!/^\p{L}/u.test(piece) || !endPrices(piece)) return [text];
    pieces.push(piece);
    start = end;
  }
  const rest = text.slice(start).trim();
  return pieces.length > 0 && endPrices(rest) ? [...pieces, rest] : [text];
}

// What each of the prices of a text is: the one to pay, the one before a reduction, the price of a kilogram or a month, or
// another amount such as a saving. Lines through a price and the words around it say so; the words are in data.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lazy } from '../../util/lazy.ts';
import { createPhraseFinder, foldForPhrases } from '../words/phrase-table.ts';
import { normalisePrices, type PriceContext, placedPrices, readNumber, type WrittenPrice } from './prices.ts';

const FILE = join(import.meta.dirname, '../../../data/price-words.json');

/** `unit`: of a kilogram or a month, or without tax; it is the price only where there is no other. */
export type PriceRole = 'current' | 'former' | 'unit' | 'other';

export interface RolePrice extends WrittenPrice {
  role: PriceRole;
  /** The upper end of a range, whose lower end is the amount. */
  upTo?: number;
  /** Something says the role; without it, a price is the current one. */
  isSaid: boolean;
}

export interface PricedText {
  text: string;
  /** The parts of it that are struck through, in order. */
  struck?: readonly string[];
  /** A label in front of it. */
  label?: string;
}

interface Words
  extends Record<'former' | 'current' | 'other' | 'saving' | 'aside' | 'net' | 'units' | 'per' | 'to', string[]> {
  /** "van 89 voor 59": the first word says former if the second follows. */
  pairs: [former: string, current: string][];
}

/** From a word to the price that it is about. */
const MAX_LEAD = 25;

const words = lazy(() => {
  const lists = JSON.parse(readFileSync(FILE, 'utf8')) as Words;
  const oneOf = (list: readonly string[]): string =>
    list
      .map((word) => foldForPhrases(word).replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
      .sort((a, b) => b.length - a.length)
      .join('|');
  const unit = `(?:\\d{1,5}(?:[.,]\\d{1,3})? ?)?(?:${oneOf(lists.units)})(?!\\p{sc=Latin}|\\p{N})`;
  return {
    lead: createPhraseFinder({ unit: lists.net, former: lists.former, other: lists.other, current: lists.current }),
    trail: createPhraseFinder({ net: lists.net, saving: lists.saving, former: lists.former, aside: lists.aside }),
    pairs: lists.pairs,
    perUnit: new RegExp(`^[ )]{0,2}(?:/|(?:${oneOf(lists.per)}) ) ?${unit}`, 'u'),
    unitBefore: new RegExp(`(?:(?<![\\p{L}\\p{N}])${unit} ?=|${unit} ?(?:あたり|当たり|につき)) ?$`, 'u'),
    to: new RegExp(`^ ?(?:${oneOf(lists.to)}) ?$`, 'u'),
  };
});

/** All prices with a currency, in order; a range is one of them. */
export function readPriceRoles({ text, struck = [], label = '' }: PricedText, context: PriceContext = {}): RolePrice[] {
  const normal = normalisePrices(text);
  const ranges = struckRanges(normal, struck);
  const placed = placedPrices(normal, context);
  const found: RolePrice[] = [];
  for (const [index, { price, start, end }] of placed.entries()) {
    const from = placed[index - 1]?.end ?? 0;
    const lead = normal.slice(from, start);
    const trail = normal.slice(end, placed[index + 1]?.start);
    const last = found.at(-1);
    if (last && last.upTo === undefined && last.amount < price.amount && words().to.test(foldForPhrases(lead))) {
      last.upTo = price.amount;
      last.formatted = normal.slice(placed[index - 1]!.start, end).trim();
      continue;
    }
    const isStruck = ranges.some((range) => range.start <= start && end <= range.end);
    const range = rangeOf(price, lead, trail);
    const around = { lead: index === 0 ? `${label} ${lead}` : lead, trail, isLast: index === placed.length - 1 };
    const role = isStruck ? 'former' : roleOf(around, range.amount !== undefined);
    found.push({ ...price, ...range, role: role ?? 'current', isSaid: role !== undefined });
  }
  return found;
}

interface Around {
  /** The text since the price before it, and up to the next one. */
  lead: string;
  trail: string;
  isLast: boolean;
}

function struckRanges(text: string, struck: readonly string[]): { start: number; end: number }[] {
  let from = 0;
  return struck.flatMap((part) => {
    const wanted = normalisePrices(part).trim();
    const start = wanted === '' ? -1 : text.indexOf(wanted, from);
    if (start < 0) return [];
    from = start + wanted.length;
    return [{ start, end: from }];
  });
}

function roleOf({ lead, trail, isLast }: Around, isRange: boolean): PriceRole | undefined {
  const before = foldForPhrases(lead.slice(-120));
  const after = foldForPhrases(trail.slice(0, 60));
  const { perUnit, unitBefore, pairs } = words();
  if (perUnit.test(after) || unitBefore.test(before)) return 'unit';
  if (!isRange && (/(?:^|[ (])[-−–+]$/u.test(lead) || SEVERAL.test(before))) return 'other';
  const said = words()
    .lead(before)
    .findLast(({ end }) => before.length - end <= MAX_LEAD);
  if (said) return said.kind;
  const beside = words()
    .trail(after)
    .find(({ start }) => /^[ (]{0,2}$/.test(after.slice(0, start)));
  if (beside?.kind === 'net') return 'unit';
  // "59 € UVP 89 €": between two prices, such a word is about the second.
  if (beside?.kind === 'former' && isLast) return 'former';
  if (beside?.kind === 'saving' || (beside?.kind === 'aside' && /^\W*$/u.test(after.slice(beside.end)))) return 'other';
  const isPair = !isLast && pairs.some(([old, now]) => isLastWord(before, old) && isLastWord(after, now));
  return isPair ? 'former' : undefined;
}

/** "12 x 9,99 €", "2 for 5 €". */
const SEVERAL = /\d ?[x×]$|(?<![\d.,])\d (?:for|fur|pour|por|per|voor)$/u;

const isLastWord = (text: string, word: string): boolean => new RegExp(`(?:^|[^\\p{L}])${word}:?$`, 'u').test(text);

/** "19 – 49 €" and "$19–49": only one end has the currency. */
function rangeOf(price: WrittenPrice, lead: string, trail: string): Partial<RolePrice> {
  const { amount, formatted } = price;
  const before = /(?<![\p{L}\p{N}.,])(\d[\d.,]{0,12}) ?[–—~〜-] ?$/u.exec(lead);
  const low = readNumber(before?.[1] ?? '');
  if (low !== undefined && low < amount) return { amount: low, upTo: amount, formatted: before![0] + formatted };
  const after = /^ ?[–—~〜-] ?(\d{1,9}(?:[.,]\d{1,3}){0,3})(?![\p{L}\p{N}%])/u.exec(trail);
  const high = readNumber(after?.[1] ?? '');
  return high !== undefined && high > amount ? { upTo: high, formatted: formatted + after![0] } : {};
}

/** A text that is nothing but a word about the price beside it: "Was", "UVP:". */
export function isPriceLabel(text: string): boolean {
  const folded = foldForPhrases(text).replace(/[:*\s]+$/u, '');
  const [first] = words().lead(folded);
  return first?.start === 0 && first.end === folded.length;
}

// What a page offers beside its main heading: the price to pay and the one before, whether it is in stock, and whether there
// is a button to buy it. Other products, sections with headings of their own and sentences do not count.
import type { StructuredData, Subject, SubjectLine } from '../../page/structured-data.ts';
import type { PageSource } from '../../page/understanding.ts';
import { isPriceLabel, type RolePrice, readPriceRoles } from '../../text/prices/price-roles.ts';
import type { PriceContext } from '../../text/prices/prices.ts';
import { isStockLabel, isSurer, isWayToBuy, readStock, type Stock } from '../../text/stock/stock.ts';

export interface Offer {
  price?: RolePrice;
  original?: RolePrice;
  /** All amounts that the page shows for its subject, whatever they are. */
  amounts: number[];
  /** Nothing else could be the price. */
  isOnlyPrice: boolean;
  stock?: Stock;
  /** There is a button to buy it, which may be off. */
  isForSale: boolean;
  canBuy: boolean;
}

interface LinePrice {
  price: RolePrice;
  line: SubjectLine;
  at: number;
  /** The line says little else. */
  isPlain: boolean;
}

const NO_SUBJECT: Subject = { lines: [], pairs: [] };
const PRICE_NAME = /price|preis|prix|precio|prezzo|prijs|\bpris\b|preço|\bcena\b|цена|価格/i;
const OTHER_PRICE =
  /shipping|delivery|versand|cart|total|unit|per |save|saving|discount|filter|range|installment|monthly|tax|deposit/i;
const STOCK_NAME = /stock|availab|verfügbar|lieferbar|inventory|dispo|voorraad/i;
const MAX_WORDS = 8;
const MAX_LABEL = 40;
/** Lines between a price and the one before it. */
const MAX_APART = 6;

export const pageOffer = ({ data, url, language }: PageSource): Offer =>
  data
    ? readOffer(data, { url, ...(language !== undefined && { language }) })
    : { amounts: [], isOnlyPrice: false, isForSale: false, canBuy: false };

function readOffer({ subject = NO_SUBJECT, pairs }: StructuredData, context: PriceContext): Offer {
  const { lines } = subject;
  const heading = Math.max(
    0,
    lines.findIndex(({ text }) => text === subject.title),
  );
  const ways = lines.filter(({ text }) => isWayToBuy(text));
  const isAllowed = allowedSections(ways);
  const buttons = ways.filter(({ section }) => isAllowed(section));
  const prices = lines.flatMap((line, at) => (line.button ? [] : pricesOf(line, at, lines, context)));
  const chosen = choosePrice(
    prices.filter(({ line }) => isAllowed(line.section)),
    heading,
  );
  const current = prices.filter(({ price, isPlain }) => price.role === 'current' && isPlain && price.amount > 0);
  const near = current.filter(({ line }) => line.section === chosen?.line.section);
  const stock = readShownStock(lines, chosen, current) ?? stockOfPairs([...pairs, ...subject.pairs]);
  const original = chosen && originalOf(chosen, prices);
  return {
    ...(chosen && { price: chosen.price }),
    ...(original && { original }),
    amounts: prices.flatMap(({ price: { amount, upTo } }) => (upTo === undefined ? [amount] : [amount, upTo])),
    isOnlyPrice: new Set(near.map(({ price }) => price.amount)).size === 1,
    ...(stock && { stock }),
    isForSale: buttons.length > 0,
    canBuy: buttons.some(({ button }) => button !== 'off'),
  };
}

/** A statement with more words that it is in stock may be about something beside the product. */
const MAX_WORDS_IN_STOCK = 1;

/** The stock that readers see, if they would say that the data are wrong. */
export const stockAgainst = (inStock: boolean, { stock }: Offer): Stock | undefined =>
  stock && stock.inStock !== inStock && (!stock.inStock || stock.otherWords <= MAX_WORDS_IN_STOCK) ? stock : undefined;

/** The price that readers see, if the data have the crossed-out one, or one that is not shown beside the only one that is. */
export function priceAgainst(stated: { amount: number; currency?: string }, offer: Offer): RolePrice | undefined {
  const { price, original, amounts, isOnlyPrice, canBuy } = offer;
  if (price?.role !== 'current' || price.amount === stated.amount) return undefined;
  if (stated.currency !== undefined && price.currency !== stated.currency) return undefined;
  const isAgainst = stated.amount === original?.amount || (isOnlyPrice && canBuy && !amounts.includes(stated.amount));
  return isAgainst ? price : undefined;
}

/** A section with a heading of its own counts if something can be bought there and nowhere else. */
function allowedSections(ways: readonly SubjectLine[]): (section: number | undefined) => boolean {
  const sections = new Set(ways.map(({ section }) => section));
  return (section) => section === undefined || (sections.size === 1 && sections.has(section));
}

function pricesOf(line: SubjectLine, at: number, lines: readonly SubjectLine[], context: PriceContext): LinePrice[] {
  const { text, struck } = line;
  if (!/\d/.test(text)) return [];
  const before = lines[at - 1];
  const label = before && before.text.length <= MAX_LABEL && isPriceLabel(before.text) ? before.text : undefined;
  const isPlain = (text.match(/\p{L}{2,}/gu)?.length ?? 0) <= MAX_WORDS;
  return readPriceRoles({ text, ...(struck && { struck }), ...(label !== undefined && { label }) }, context).map(
    (price) => ({ price, line, at, isPlain }),
  );
}

const isNamed = ({ name }: SubjectLine): boolean => PRICE_NAME.test(name) && !OTHER_PRICE.test(name);

/** The nearest one below the heading, those first whose markup says that they are prices. */
function choosePrice(prices: readonly LinePrice[], heading: number): LinePrice | undefined {
  const possible = prices.filter(({ price, isPlain }) => isPlain && price.amount > 0);
  const rank = ({ line, at, price }: LinePrice): number[] => [
    Number(price.role === 'unit'),
    Number(line.section !== undefined),
    Number(!isNamed(line)),
    line.distance,
    Number(at < heading),
    at,
  ];
  return possible
    .filter(({ price }) => price.role === 'current' || price.role === 'unit')
    .sort((a, b) => compare(rank(a), rank(b)))[0];
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : a[at]! - b[at]!;
}

/** The nearest higher price that is struck through or called the former one. */
function originalOf(chosen: LinePrice, prices: readonly LinePrice[]): RolePrice | undefined {
  return prices
    .filter(
      ({ price, line, at }) =>
        price.role === 'former' &&
        price.amount > chosen.price.amount &&
        price.currency === chosen.price.currency &&
        line.section === chosen.line.section &&
        Math.abs(at - chosen.at) <= MAX_APART,
    )
    .sort((a, b) => Math.abs(a.at - chosen.at) - Math.abs(b.at - chosen.at))[0]?.price;
}

/** A plain statement beside the heading or the price. */
function readShownStock(
  lines: readonly SubjectLine[],
  chosen: LinePrice | undefined,
  prices: readonly LinePrice[],
): Stock | undefined {
  let best: { stock: Stock; line: SubjectLine } | undefined;
  const hasWayToBuy = lines.some(({ button, text }) => button === 'on' && isWayToBuy(text));
  for (const [at, line] of lines.entries()) {
    if (line.section !== undefined && line.section !== chosen?.line.section) continue;
    const stock = readStock(line.text);
    // Beside a button to buy, one that says more is another choice: "XL sold out".
    if (!stock || (line.button && stock.otherWords > 0 && (stock.inStock || hasWayToBuy))) continue;
    if (chosen && isOfOtherPrice(at, line, chosen, prices)) continue;
    const isNearer = !best || compare(rankOf(line), rankOf(best.line)) < 0;
    const isSame = best && compare(rankOf(line), rankOf(best.line)) === 0;
    if (isNearer || (isSame && isSurer(stock, best!.stock))) best = { stock, line };
  }
  return best?.stock;
}

const rankOf = ({ name, distance }: SubjectLine): number[] => [Number(!STOCK_NAME.test(name)), distance];

/** Farther from the heading than the price, and below another price: the card of another product. */
const isOfOtherPrice = (
  at: number,
  { distance }: SubjectLine,
  chosen: LinePrice,
  prices: readonly LinePrice[],
): boolean =>
  distance > chosen.line.distance &&
  prices.some(
    ({ line, price, at: other }) =>
      line.distance === distance && price.amount !== chosen.price.amount && other < at && other > chosen.at,
  );

function stockOfPairs(pairs: StructuredData['pairs']): Stock | undefined {
  for (const { label, value } of pairs) {
    const stock = isStockLabel(label) ? (readStock(value) ?? readStock(`${label}: ${value}`)) : undefined;
    if (stock) return { ...stock, text: value };
  }
  return undefined;
}

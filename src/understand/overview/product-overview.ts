// A product page: what is sold, for how much, whether it can be had, and the first sentence about it.
import type { Product } from '../../contracts/formats/product.ts';
import { readPrices } from '../../text/prices/prices.ts';
import type { PassageSpan } from '../passages/find-passages.ts';
import { readAvailability } from '../product/availability.ts';
import { findProduct } from '../product/product.ts';
import { priceContext } from '../product/product-draft.ts';
import type { OverviewPage } from './overview-page.ts';
import { type Overview, overviewOf, type Places, type SaidPart, SENTENCE } from './places.ts';

/** Prices and stock stand in short lines; in long ones they are mentioned. */
const SHORT = 120;
const NEAR_UNITS = 60;
const SHORT_STOCK = 60;
const WORD = /[\p{L}\p{N}]/u;

export function productOverview(page: OverviewPage): Overview | undefined {
  const { source, places } = page;
  const product = findProduct(source);
  const name = product && places.of(product.title);
  if (!product || !name) return undefined;
  const price = priceOn(page, product, name.end);
  const stock = stockOn(page, product, typeof price === 'object' && price.start > name.end ? price : name);
  const facts = [price, stock].filter((span) => span !== undefined);
  if (facts.length === 0) return undefined;
  const said = places.sentencesOf(product.description, 1);
  const pieces: SaidPart[] = [
    { before: '', span: name },
    ...facts.map((span, at) => ({ before: at === 0 ? ': ' : ', ', span })),
    ...said.map((span) => ({ before: SENTENCE, span })),
  ];
  return overviewOf(places.markdown, pieces);
}

/** As the page writes it, also where its data has only the number. */
function priceOn({ source, places }: OverviewPage, product: Product, from: number): PassageSpan | string | undefined {
  const price = product.variants[0]?.price;
  if (!price?.amount) return undefined;
  const context = priceContext(source);
  const pricesLike = (text: string) =>
    readPrices(text, context).filter(({ amount, currency }) => amount === price.amount && currency !== undefined);
  for (const { start, end } of nearUnits(places.units(), from)) {
    const text = places.markdown.slice(start, end);
    const [read] = pricesLike(text);
    const at = read && places.of(read.formatted, start);
    if (at && at.end <= end) return at;
  }
  const shown = (source.data?.parts ?? []).filter(({ text, isRepeated }) => text.length < SHORT && !isRepeated);
  return places.of(price.formatted) ?? shown.flatMap(({ text }) => pricesLike(text))[0]?.formatted;
}

/** Often it stands right behind the price. */
function stockOn(
  { source, places }: OverviewPage,
  product: Product,
  last: PassageSpan,
): PassageSpan | string | undefined {
  const { availability } = product.variants[0]!;
  const stated = places.of(availability.text, last.end) ?? places.of(availability.text);
  if (stated) return stated;
  const saysSo = (text: string) =>
    text.length < SHORT_STOCK && readAvailability(text)?.inStock === availability.inStock;
  const near = [last, ...nearUnits(places.units(), last.end)]
    .map((unit) => (unit === last ? restOf(places, last) : unit))
    .find(({ start, end }) => saysSo(places.markdown.slice(start, end)));
  return near ?? source.data?.parts.find(({ text, isRepeated }) => !isRepeated && saysSo(text))?.text;
}

/** The line after the price, without the markup at its ends. */
function restOf({ markdown }: Places, { end }: PassageSpan): PassageSpan {
  const rest = markdown.slice(end).split('\n', 1)[0]!;
  const [first, last] = [rest.search(WORD), rest.search(/[\p{L}\p{N}][^\p{L}\p{N}]*$/u)];
  return first < 0 ? { start: end, end } : { start: end + first, end: end + last + 1 };
}

const nearUnits = <Unit extends PassageSpan>(units: readonly Unit[], from: number): Unit[] =>
  units.filter(({ start, end }) => start >= from && end - start < SHORT).slice(0, NEAR_UNITS);

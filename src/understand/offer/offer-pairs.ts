// What a page offers beside its heading, as labels with values, for formats that fill in fields by their names.
import type { LabelledValue } from '../../page/structured-data.ts';
import type { PageSource } from '../../page/understanding.ts';
import { pageOffer } from './offer.ts';

/** The same page; if it sells something, its price and its stock come before all other labels. */
export function withOffer(source: PageSource): PageSource {
  if (!source.data) return source;
  const pairs = offerPairs(source);
  return pairs.length === 0 ? source : { ...source, data: { ...source.data, pairs: [...pairs, ...source.data.pairs] } };
}

function offerPairs(source: PageSource): LabelledValue[] {
  const { price, original, stock, isForSale } = pageOffer(source);
  // A price alone may be that of a ticket, a room or a car.
  if (!stock && !(price && (isForSale || original))) return [];
  return [
    ...(price ? [{ label: 'price', value: price.formatted }] : []),
    ...(original ? [{ label: 'original price', value: original.formatted }] : []),
    // The term serves fields whose own name begins the text: "Disponible en 24 horas" for `disponible`.
    ...(stock ? [stock.text, stock.inStock ? 'InStock' : 'OutOfStock'].map(availability) : []),
  ];
}

const availability = (value: string): LabelledValue => ({ label: 'availability', value });

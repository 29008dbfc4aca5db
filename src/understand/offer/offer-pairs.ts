// What a page offers beside its heading, as labels with values and in its data, for formats that fill in fields by names.
import type { DataItem, LabelledValue } from '../../page/structured-data.ts';
import type { PageSource } from '../../page/understanding.ts';
import { readNumber } from '../../text/prices/prices.ts';
import { readStock } from '../../text/stock/stock.ts';
import { itemsOf, textOf } from '../data/item-values.ts';
import { chooseProductItems } from '../product/choose-product-item.ts';
import { type Offer, pageOffer, priceAgainst, stockAgainst } from './offer.ts';

/** The same page; if it sells something, its price and its stock come before all other labels, and correct its data. */
export function withOffer(source: PageSource): PageSource {
  if (!source.data) return source;
  const offer = pageOffer(source);
  const pairs = offerPairs(offer);
  if (pairs.length === 0) return source;
  const { data } = source;
  return { ...source, data: { ...data, items: correctedItems(source, offer), pairs: [...pairs, ...data.pairs] } };
}

/** What readers see corrects the only offer of the product. */
function correctedItems(source: PageSource, offer: Offer): DataItem[] {
  const items = source.data?.items ?? [];
  const [chosen] = chooseProductItems(source);
  const offers = chosen ? itemsOf(chosen, 'offers') : [];
  const [stated] = offers;
  if (!chosen || !stated || offers.length > 1 || itemsOf(chosen, 'hasVariant').length > 0) return items;
  const amount = readNumber(textOf(stated, 'price') ?? '');
  const currency = textOf(stated, 'priceCurrency');
  const price =
    amount === undefined ? undefined : priceAgainst({ amount, ...(currency !== undefined && { currency }) }, offer);
  const said = readStock(textOf(stated, 'availability') ?? '');
  const stock = said && stockAgainst(said.inStock, offer);
  if (!price && !stock) return items;
  const properties = {
    ...stated.properties,
    ...(price && { price: [price.amount] }),
    ...(stock && { availability: [stock.inStock ? 'InStock' : 'OutOfStock'] }),
  };
  const corrected = { ...chosen, properties: { ...chosen.properties, offers: [{ ...stated, properties }] } };
  return items.map((item) => (item === chosen ? corrected : item));
}

function offerPairs({ price, original, stock, isForSale }: Offer): LabelledValue[] {
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

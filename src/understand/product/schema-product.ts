// A product as schema.org describes it: Product or ProductGroup, with offers, variants and prices.
import type { DataItem } from '../../page/structured-data.ts';
import type { PageSource } from '../../page/understanding.ts';
import type { PriceContext } from '../../text/prices/prices.ts';
import { imagesOf, itemsOf, known, nameOf, textOf, textsOf, valuesOf } from '../data/item-values.ts';
import { readAvailability } from './availability.ts';
import { chooseProductItems } from './choose-product-item.ts';
import { type ProductDraft, priceContext, priceOf, type VariantDraft } from './product-draft.ts';

const MAX_TITLE = 500;
/** Properties that tell variants apart. */
const DIFFERENCES = [
  'color',
  'size',
  'material',
  'pattern',
  'flavor',
  'width',
  'height',
  'suggestedAge',
  'suggestedGender',
];
const BEFORE_SALE = /ListPrice|StrikethroughPrice|SRP|MSRP|RegularPrice/i;

/** One draft for each item that describes the product of the page. */
export function schemaProducts(source: PageSource): ProductDraft[] {
  const context = priceContext(source);
  return chooseProductItems(source).map((item) => ({
    title: (nameOf(item) ?? '').slice(0, MAX_TITLE),
    ...known({
      url: textOf(item, 'url'),
      brand: textOf(item, 'brand', 'manufacturer'),
      category: textOf(item, 'category'),
      description: textOf(item, 'description'),
      images: imagesOf(item, 'image', 'images', 'photo'),
    }),
    variants: variantsOf(item, context),
  }));
}

function variantsOf(item: DataItem, context: PriceContext): VariantDraft[] {
  const listed = itemsOf(item, 'hasVariant', 'model').filter(
    (variant) => itemsOf(variant, 'offers').length > 0 || nameOf(variant) !== undefined,
  );
  if (listed.length > 0) return listed.map((variant) => variantOf(variant, offersOf(variant)[0], context));
  const offers = offersOf(item);
  const distinct = [...new Map(offers.map((offer) => [offerKey(offer), offer])).values()];
  // Offers that nothing but the seller tells apart are one variant; the first counts.
  if (distinct.length < 2) return [variantOf(item, offers[0], context)];
  return distinct.map((offer) => {
    const [offered] = itemsOf(offer, 'itemOffered');
    return variantOf(offered ?? offer, offer, context);
  });
}

/** Offers of an AggregateOffer count in its place. */
const offersOf = (item: DataItem): DataItem[] =>
  itemsOf(item, 'offers', 'offer').flatMap((offer) => {
    const inner = itemsOf(offer, 'offers');
    return inner.length > 0 ? inner : [offer];
  });

const offerKey = (offer: DataItem): string => {
  const [offered] = itemsOf(offer, 'itemOffered');
  return [offer, ...(offered ? [offered] : [])]
    .flatMap((each) => [textOf(each, 'sku', 'mpn', 'gtin13', 'gtin', 'productID'), nameOf(each)])
    .join('\n');
};

function variantOf(item: DataItem, offer: DataItem | undefined, context: PriceContext): VariantDraft {
  const price = offer && offerPrice(offer, context);
  const original = offer && priceBeforeSale(offer, context);
  const differences = Object.fromEntries([
    ...DIFFERENCES.flatMap((name) => {
      const text = textOf(item, name);
      return text === undefined ? [] : [[name, text]];
    }),
    ...itemsOf(item, 'additionalProperty').flatMap((property) => {
      const [name, value] = [nameOf(property), textOf(property, 'value')];
      return name === undefined || value === undefined || name === '__proto__'
        ? []
        : [[name.slice(0, 100), value.slice(0, 500)]];
    }),
  ]);
  const isOffer = item === offer;
  return known({
    id: textOf(item, 'productID', 'identifier') ?? textOf(item, 'gtin13', 'gtin', 'gtin14', 'gtin12', 'gtin8', 'isbn'),
    sku: textOf(item, 'sku', 'mpn') ?? (offer && textOf(offer, 'sku', 'mpn')),
    title: isOffer ? nameOf(item) : ((offer && nameOf(offer)) ?? nameOf(item)),
    values: Object.keys(differences).length > 0 ? differences : undefined,
    price,
    sale: original && { originalPrice: original },
    availability: offer && readAvailability(textOf(offer, 'availability', 'itemAvailability')),
    images: isOffer ? undefined : imagesOf(item, 'image'),
  });
}

const specificationsOf = (offer: DataItem): DataItem[] => itemsOf(offer, 'priceSpecification');
const isBeforeSale = (specification: DataItem): boolean => BEFORE_SALE.test(textOf(specification, 'priceType') ?? '');

function offerPrice(offer: DataItem, context: PriceContext) {
  const specification = specificationsOf(offer).find((each) => !isBeforeSale(each));
  const currency = textOf(offer, 'priceCurrency') ?? (specification && textOf(specification, 'priceCurrency'));
  const code = currency === undefined ? undefined : currency.trim().toUpperCase().slice(0, 3);
  const from = (item: DataItem, ...names: string[]) => {
    const [value] = names.flatMap((name) => valuesOf(item, name)).filter((each) => typeof each !== 'object');
    return priceOf(value, code, context);
  };
  return (
    from(offer, 'price', 'lowPrice') ??
    (specification && from(specification, 'price', 'minPrice')) ??
    from(offer, 'highPrice')
  );
}

function priceBeforeSale(offer: DataItem, context: PriceContext) {
  const specification = specificationsOf(offer).find(isBeforeSale);
  if (!specification) return undefined;
  const currency = textOf(specification, 'priceCurrency') ?? textOf(offer, 'priceCurrency');
  const [price] = textsOf(specification, 'price');
  return priceOf(price, currency, context);
}

// A product as one of the sources states it, before gaps are filled from the next.
import type { Product, ProductImage, ProductPrice, ProductVariant } from '../../contracts/formats/product.ts';
import type { PageSource } from '../../page/understanding.ts';
import { type PriceContext, readPrice } from '../../text/prices/prices.ts';
import { folded, known } from '../data/item-values.ts';
import type { Offer } from '../offer/offer.ts';
import { availabilityOf } from './availability.ts';

export interface VariantDraft extends Omit<ProductVariant, 'availability'> {
  availability?: ProductVariant['availability'];
}

export interface ProductDraft {
  title: string;
  url?: string;
  brand?: string;
  category?: string;
  description?: string;
  images?: ProductImage[];
  variants: VariantDraft[];
}

const MAX_VARIANTS = 500;
const MAX_DESCRIPTION = 10_000;

export const priceContext = ({ url, language }: PageSource): PriceContext => ({
  url,
  ...(language !== undefined && { language }),
});

/** A price from what may be a number, a text with or without a symbol, or nothing. */
export function priceOf(value: unknown, currency: string | undefined, context: PriceContext): ProductPrice | undefined {
  if (typeof value === 'number')
    return Number.isFinite(value) && value >= 0 ? known({ amount: value, currency }) : undefined;
  if (typeof value !== 'string') return undefined;
  const read = readPrice(value, context);
  if (!read) return undefined;
  const isPlain = /^[\d.,\s]+$/.test(read.formatted);
  return known({
    amount: read.amount,
    currency: currency ?? read.currency,
    formatted: isPlain ? undefined : read.formatted,
  });
}

/** The same thing by its name; one may be longer ("Lamp" and "Lamp, oak"). */
export function isSameTitle(a: string, b: string): boolean {
  const [first, second] = [folded(a), folded(b)];
  return (
    first !== '' &&
    second !== '' &&
    (first === second || first.startsWith(`${second} `) || second.startsWith(`${first} `))
  );
}

/** What the first draft leaves open is taken from the others, if they are about the same thing. */
export function mergeDrafts(
  [first, ...others]: readonly ProductDraft[],
  source: PageSource,
  offer: Pick<Offer, 'stock' | 'canBuy'>,
): { product: Product; isStockAssumed: boolean } | undefined {
  if (!first) return undefined;
  const drafts = [first, ...others.filter(({ title }) => isSameTitle(title, first.title))];
  const find = <T>(read: (draft: ProductDraft) => T | undefined): T | undefined => {
    for (const draft of drafts) {
      const value = read(draft);
      if (value !== undefined && value !== '') return value;
    }
    return undefined;
  };
  // The first source that tells variants apart lists them best.
  const listed = drafts.find(({ variants }) => variants.length > 1) ?? first;
  const [only] = listed.variants;
  const variants =
    listed.variants.length > 1
      ? listed.variants
      : [
          mergeVariants(
            only ?? {},
            drafts.flatMap((draft) => draft.variants.slice(0, 1)),
          ),
        ];
  const images = find(({ images: list }) => (list && list.length > 0 ? list : undefined));
  // What the page says beside its heading holds for all variants that say nothing themselves.
  const said = availabilityOf(offer.stock);
  const kept = variants
    .slice(0, MAX_VARIANTS)
    .map((variant): VariantDraft => (variant.availability || !said ? variant : { ...variant, availability: said }));
  const product = known({
    title: first.title,
    url: find(({ url }) => url) ?? source.url,
    brand: find(({ brand }) => brand),
    category: find(({ category }) => category),
    description: find(({ description }) => description)?.slice(0, MAX_DESCRIPTION),
    variants: kept.map((variant, index) => finished(variant, offer.canBuy, index === 0 ? images : undefined)),
  }) as Product;
  return { product, isStockAssumed: kept.some(({ availability }) => availability === undefined) };
}

function mergeVariants(variant: VariantDraft, others: readonly VariantDraft[]): VariantDraft {
  const merged: VariantDraft = Object.assign({}, ...[...others].reverse().map(known), known(variant));
  const { price: stated } = merged;
  const same = stated && others.find(({ price }) => price?.amount === stated.amount && price.currency !== undefined);
  if (stated && same && isSameCurrency(stated, same.price!)) merged.price = { ...same.price, ...stated };
  // A price before the sale means something only beside a lower price in the same currency.
  const { sale, price } = merged;
  const isSale = sale && price && sale.originalPrice.amount > price.amount && isSameCurrency(sale.originalPrice, price);
  if (!isSale) delete merged.sale;
  return merged;
}

const isSameCurrency = (a: ProductPrice, b: ProductPrice): boolean =>
  a.currency === undefined || b.currency === undefined || a.currency === b.currency;

/** Where nothing is said, what has a price and a way to buy is in stock. */
function finished(variant: VariantDraft, canBuy: boolean, images: ProductImage[] | undefined): ProductVariant {
  const { availability, ...rest } = variant;
  return known({
    ...rest,
    availability: availability ?? { inStock: canBuy && variant.price !== undefined },
    images: variant.images ?? images,
  }) as ProductVariant;
}

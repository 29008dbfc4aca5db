// Fills the gaps of a product with what a model read on the page. What the data of the page say is never changed, and what
// does not stand on the page is not taken.
import type { Product, ProductVariant } from '../../contracts/formats/product.ts';
import type { PageSource } from '../../page/understanding.ts';
import { known } from '../data/item-values.ts';
import { type Fields, fieldOf, isFields, listIn } from '../data/json-fields.ts';
import { standsOnPage } from '../data/stands-on-page.ts';
import { pageOffer } from '../offer/offer.ts';
import { readAvailability } from './availability.ts';
import { mergeDrafts, type ProductDraft, priceContext, priceOf, type VariantDraft } from './product-draft.ts';

const MAX_VARIANTS = 200;

/** Is there anything that a model could add? */
export const hasGaps = ({ brand, category, description, variants }: Product): boolean =>
  brand === undefined || category === undefined || description === undefined || variants.some(isIncomplete);

const isIncomplete = ({ price, availability }: ProductVariant): boolean =>
  price === undefined || availability.text === undefined;

/** `answer` is in the form of PRODUCT_SCHEMA, as far as the model kept to it. */
export function completeProduct(source: PageSource, found: Product | undefined, answer: unknown): Product | undefined {
  const read = isFields(answer) ? readAnswer(source, answer) : undefined;
  if (!read) return found;
  const hasPrice = read.variants.some(({ price }) => price !== undefined);
  if (!found)
    return read.title !== '' && hasPrice ? mergeDrafts([read], source, pageOffer(source))?.product : undefined;
  const { brand, category, description } = read;
  const [only, ...more] = found.variants;
  const [variant] = read.variants;
  // With several variants nothing says which one the model means.
  const variants =
    only && variant && more.length === 0 && read.variants.length === 1 ? [fillVariant(only, variant)] : found.variants;
  return { ...known({ brand, category, description }), ...found, variants };
}

function fillVariant(found: ProductVariant, { sku, price, sale, availability }: VariantDraft): ProductVariant {
  const isAssumed = found.availability.text === undefined;
  const filled = { ...known({ sku, price }), ...found, ...(isAssumed && availability && { availability }) };
  const amount = filled.price?.amount;
  const isSale = sale && filled.sale === undefined && amount !== undefined && sale.originalPrice.amount > amount;
  return isSale ? { ...filled, sale } : filled;
}

function readAnswer(source: PageSource, answer: Fields): ProductDraft | undefined {
  if (fieldOf(answer, 'isProductPage') !== true) return undefined;
  const stands = standsOnPage(source);
  const text = (fields: Fields, name: string): string | undefined => {
    const value = fieldOf(fields, name);
    return typeof value === 'string' && stands(value) ? value.trim() : undefined;
  };
  const context = priceContext(source);
  const variants = (listIn(answer, ['variants']) ?? [])
    .filter(isFields)
    .slice(0, MAX_VARIANTS)
    .map((fields): VariantDraft => {
      const original = priceOf(text(fields, 'originalPrice'), undefined, context);
      const values = known({ color: text(fields, 'color'), size: text(fields, 'size') });
      return known({
        sku: text(fields, 'sku'),
        title: text(fields, 'title'),
        values: Object.keys(values).length > 0 ? values : undefined,
        price: priceOf(text(fields, 'price'), undefined, context),
        sale: original && { originalPrice: original },
        availability: readAvailability(text(fields, 'availability')),
      });
    });
  return {
    title: text(answer, 'title') ?? '',
    ...known({
      brand: text(answer, 'brand'),
      category: text(answer, 'category'),
      description: text(answer, 'description'),
    }),
    variants: variants.length > 0 ? variants : [{}],
  };
}

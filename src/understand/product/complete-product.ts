// Fills the gaps of a product with what a model read on the page. What the data of the page say is never changed, and what
// does not stand on the page is not taken.
import type { Product, ProductVariant } from '../../contracts/formats/product.ts';
import type { PageSource } from '../../page/understanding.ts';
import { type AnswerTexts, createAnswerTexts } from '../data/answer-texts.ts';
import { known } from '../data/item-values.ts';
import { type Fields, fieldOf, isFields, listIn } from '../data/json-fields.ts';
import { type LeftOut, leftOutWarnings } from '../json/extract/invented.ts';
import { pageOffer } from '../offer/offer.ts';
import { readAvailability } from './availability.ts';
import { mergeDrafts, type ProductDraft, priceContext, priceOf, type VariantDraft } from './product-draft.ts';

const MAX_VARIANTS = 200;

/** Is there anything that a model could add? */
export const hasGaps = ({ brand, category, description, variants }: Product): boolean =>
  brand === undefined || category === undefined || description === undefined || variants.some(isIncomplete);

const isIncomplete = ({ price, availability }: ProductVariant): boolean =>
  price === undefined || availability.text === undefined;

export interface CompletedProduct {
  product?: Product;
  /** Warnings that name what was missing, and does not stand on the page as the model says it. */
  leftOut: string[];
}

/** `answer` is in the form of PRODUCT_SCHEMA, as far as the model kept to it. */
export function completeProduct(source: PageSource, found: Product | undefined, answer: unknown): CompletedProduct {
  const texts = createAnswerTexts(source);
  const read = isFields(answer) ? readAnswer(source, answer, texts) : undefined;
  const product = read ? withAnswer(source, found, read) : found;
  const left = texts.left.filter((each) => isMissing(found, each));
  return { ...(product && { product }), leftOut: leftOutWarnings('product', left) };
}

function withAnswer(source: PageSource, found: Product | undefined, read: ProductDraft): Product | undefined {
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

/** What the data say is not asked for. */
function isMissing(found: Product | undefined, { path }: LeftOut): boolean {
  if (!found || path === 'brand' || path === 'category' || path === 'description')
    return found?.[path as 'brand'] === undefined;
  const [only, ...more] = found.variants;
  if (!only || more.length > 0) return false;
  if (path === 'variants[0].availability') return only.availability.text === undefined;
  return (
    (path === 'variants[0].sku' && only.sku === undefined) || (path === 'variants[0].price' && only.price === undefined)
  );
}

function fillVariant(found: ProductVariant, { sku, price, sale, availability }: VariantDraft): ProductVariant {
  const isAssumed = found.availability.text === undefined;
  const filled = { ...known({ sku, price }), ...found, ...(isAssumed && availability && { availability }) };
  const amount = filled.price?.amount;
  const isSale = sale && filled.sale === undefined && amount !== undefined && sale.originalPrice.amount > amount;
  return isSale ? { ...filled, sale } : filled;
}

function readAnswer(source: PageSource, answer: Fields, texts: AnswerTexts): ProductDraft | undefined {
  if (fieldOf(answer, 'isProductPage') !== true) return undefined;
  const context = priceContext(source);
  const variants = (listIn(answer, ['variants']) ?? [])
    .filter(isFields)
    .slice(0, MAX_VARIANTS)
    .map((fields, at): VariantDraft => {
      const text = (name: string) => texts.text(fields, name, `variants[${at}].${name}`);
      const original = priceOf(text('originalPrice'), undefined, context);
      const values = known({ color: text('color'), size: text('size') });
      return known({
        sku: text('sku'),
        title: text('title'),
        values: Object.keys(values).length > 0 ? values : undefined,
        price: priceOf(text('price'), undefined, context),
        sale: original && { originalPrice: original },
        availability: readAvailability(text('availability')),
      });
    });
  const text = (name: string) => texts.text(answer, name, name);
  return {
    title: text('title') ?? '',
    ...known({ brand: text('brand'), category: text('category'), description: text('description') }),
    variants: variants.length > 0 ? variants : [{}],
  };
}

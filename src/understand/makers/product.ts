// The format `product`: from the data of the page; a model fills the gaps.
import type { Product } from '../../contracts/formats/product.ts';
import { askAboutPage, cutWarning } from '../data/ask-about-page.ts';
import type { FormatMaker } from '../format-maker.ts';
import type { FoundProduct } from '../product/product-work.ts';
import { PRODUCT_INSTRUCTIONS, PRODUCT_SCHEMA } from '../prompts/pages/product.ts';
import { madeWithoutModel } from '../without-model.ts';

const NOT_FOUND = 'No product found on this page; it does not appear to be a product page.';
const STOCK_NOT_STATED =
  '`product`: availability not stated. `inStock` says whether there is a price together with a way to buy.';

export const product: FormatMaker<'product'> = async (source, { confidence }, { work, model, signal }) => {
  const found = await work.product.find(source, confidence);
  const { citations } = found;
  const chosen = model('extract');
  if ('without' in chosen) {
    const without = madeWithoutModel('product', chosen.without);
    return found.product
      ? { content: { product: found.product }, citations, warnings: [without, ...stockWarnings(found, found.product)] }
      : { content: {}, warnings: [NOT_FOUND, without] };
  }
  if (!found.hasGaps || source.markdown.trim() === '') {
    return found.product
      ? { content: { product: found.product }, citations, warnings: stockWarnings(found, found.product) }
      : { content: {}, warnings: [NOT_FOUND] };
  }
  const question = { instructions: PRODUCT_INSTRUCTIONS, schema: PRODUCT_SCHEMA };
  const { value, isCut } = await askAboutPage(chosen.model, source, question, signal);
  const { product: completed, leftOut, citations: read } = await work.product.complete(source, found.product, value);
  const warnings = [...leftOut, ...(isCut ? [cutWarning('product')] : [])];
  return completed
    ? {
        content: { product: completed },
        citations: { ...read, ...citations },
        warnings: [...stockWarnings(found, completed), ...warnings],
      }
    : { content: {}, warnings: [NOT_FOUND, ...warnings] };
};

/** A variant without a text may still have its stock from the data of the shop. */
const stockWarnings = ({ isStockAssumed }: FoundProduct, { variants }: Product): string[] =>
  isStockAssumed && variants.some(({ availability }) => availability.text === undefined) ? [STOCK_NOT_STATED] : [];

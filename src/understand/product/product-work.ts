// The jobs of the format `product` in the thread.
import type { Product } from '../../contracts/formats/product.ts';
import { type CarriedSource, type Citation, openSource } from '../../page/understanding.ts';
import { citationsOf } from '../json/citations.ts';
import { type CompletedProduct, completeProduct, hasGaps } from './complete-product.ts';
import { findOfferedProduct } from './product.ts';

export interface FoundProduct {
  product?: Product;
  /** Nothing says whether every variant is in stock. */
  isStockAssumed: boolean;
  /** A model could add something; also if nothing was found. */
  hasGaps: boolean;
  /** Where its values stand, and how certain they are. */
  citations: Record<string, Citation>;
}

export interface CitedProduct extends CompletedProduct {
  citations: Record<string, Citation>;
}

export interface ProductWork {
  /** `confidence`: how certain a value must be, 0 to 1. */
  find(source: CarriedSource, confidence: number | undefined): Promise<FoundProduct>;
  /** Adds what a model answered, as far as it stands on the page. */
  complete(source: CarriedSource, found: Product | undefined, answer: unknown): Promise<CitedProduct>;
}

export const productWork: ProductWork = {
  async find(carried, confidence) {
    const source = openSource(carried);
    const found = findOfferedProduct(source, confidence);
    if (!found) return { isStockAssumed: true, hasGaps: true, citations: {} };
    const { product, isStockAssumed, origins } = found;
    return {
      product,
      isStockAssumed,
      hasGaps: hasGaps(product),
      citations: citationsOf(product, source, origins, 'product'),
    };
  },
  async complete(carried, found, answer) {
    const source = openSource(carried);
    const completed = completeProduct(source, found, answer);
    return { ...completed, citations: completed.product ? citationsOf(completed.product, source, {}, 'product') : {} };
  },
};

// The jobs of the format `product` in the thread.
import type { Product } from '../../contracts/formats/product.ts';
import { type CarriedSource, openSource } from '../../page/understanding.ts';
import { type CompletedProduct, completeProduct, hasGaps } from './complete-product.ts';
import { findOfferedProduct } from './product.ts';

export interface FoundProduct {
  product?: Product;
  /** Nothing says whether every variant is in stock. */
  isStockAssumed: boolean;
  /** A model could add something; also if nothing was found. */
  hasGaps: boolean;
}

export interface ProductWork {
  find(source: CarriedSource): Promise<FoundProduct>;
  /** Adds what a model answered, as far as it stands on the page. */
  complete(source: CarriedSource, found: Product | undefined, answer: unknown): Promise<CompletedProduct>;
}

export const productWork: ProductWork = {
  async find(source) {
    const found = findOfferedProduct(openSource(source));
    return found ? { ...found, hasGaps: hasGaps(found.product) } : { isStockAssumed: true, hasGaps: true };
  },
  complete: async (source, found, answer) => completeProduct(openSource(source), found, answer),
};

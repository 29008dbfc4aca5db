// The jobs of the format `product` in the thread.
import type { Product } from '../../contracts/formats/product.ts';
import { type CarriedSource, openSource } from '../../page/understanding.ts';
import { completeProduct, hasGaps } from './complete-product.ts';
import { findProduct } from './product.ts';

export interface FoundProduct {
  product?: Product;
  /** A model could add something; also if nothing was found. */
  hasGaps: boolean;
}

export interface ProductWork {
  find(source: CarriedSource): Promise<FoundProduct>;
  /** Adds what a model answered, as far as it stands on the page. */
  complete(source: CarriedSource, found: Product | undefined, answer: unknown): Promise<Product | undefined>;
}

export const productWork: ProductWork = {
  async find(source) {
    const product = findProduct(openSource(source));
    return product ? { product, hasGaps: hasGaps(product) } : { hasGaps: true };
  },
  complete: async (source, found, answer) => completeProduct(openSource(source), found, answer),
};

// The product of a page: schema.org first, then the data of the shop's program, then what the page shows. Where the page
// contradicts its data, what readers see counts.
import type { Product, ProductVariant } from '../../contracts/formats/product.ts';
import type { PageSource } from '../../page/understanding.ts';
import { hasType, itemsOf, nameOf } from '../data/item-values.ts';
import { type Offer, pageOffer, priceAgainst, stockAgainst } from '../offer/offer.ts';
import { availabilityOf } from './availability.ts';
import { embeddedProducts } from './embedded-product.ts';
import { metaProducts, shownPrice, shownProducts } from './page-product.ts';
import { mergeDrafts, type ProductDraft, type VariantDraft } from './product-draft.ts';
import { schemaProducts } from './schema-product.ts';

const BREADCRUMBS = new Set(['BreadcrumbList']);

export interface OfferedProduct {
  product: Product;
  /** Neither the page nor its data say whether every variant is in stock. */
  isStockAssumed: boolean;
}

export const findProduct = (source: PageSource): Product | undefined => findOfferedProduct(source)?.product;

/** Undefined if the page does not appear to be a product page. */
export function findOfferedProduct(source: PageSource): OfferedProduct | undefined {
  const offer = pageOffer(source);
  const stated = [...schemaProducts(source), ...embeddedProducts(source), ...metaProducts(source)];
  const drafts = stated.map((draft) => corrected(draft, offer));
  const found = mergeDrafts([...drafts, ...shownProducts(source, offer, stated[0]?.title)], source, offer);
  if (!found?.product.variants.some(isForSale)) return undefined;
  const category = found.product.category ?? breadcrumbs(source, found.product.title);
  return category === undefined ? found : { ...found, product: { ...found.product, category } };
}

/** What readers see beside the heading is about one product; of several variants it is about the chosen one. */
function corrected(draft: ProductDraft, offer: Offer): ProductDraft {
  const [variant, ...more] = draft.variants;
  if (!variant || more.length > 0) return draft;
  const { availability } = variant;
  const price = variant.price && priceAgainst(variant.price, offer);
  const stock = availability && stockAgainst(availability.inStock, offer);
  const changed: VariantDraft = {
    ...variant,
    ...(price && { price: shownPrice(price) }),
    ...(stock && { availability: availabilityOf(stock)! }),
  };
  return { ...draft, variants: [changed] };
}

/** Sites also mark their services and themselves as products, but name neither a price nor a number nor a stock. */
const isForSale = ({ price, availability, sku, id }: ProductVariant): boolean =>
  price !== undefined || availability.text !== undefined || sku !== undefined || id !== undefined;

/** The way to the product, without its start and the product itself. */
function breadcrumbs({ data }: PageSource, title: string): string | undefined {
  const list = data?.items.find((item) => hasType(item, BREADCRUMBS));
  if (!list) return undefined;
  const names = itemsOf(list, 'itemListElement').flatMap(
    (entry) => nameOf(entry) ?? itemsOf(entry, 'item').flatMap((item) => nameOf(item) ?? []),
  );
  const way = names.slice(1).filter((name) => name !== title);
  return way.length === 0 ? undefined : way.slice(0, 6).join(' > ');
}

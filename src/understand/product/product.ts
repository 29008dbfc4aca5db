// The product of a page: schema.org first, then the data of the shop's program, then what the page shows. Where the page
// contradicts its data, what readers see counts.
import type { Product, ProductVariant } from '../../contracts/formats/product.ts';
import type { PageSource } from '../../page/understanding.ts';
import { folded, hasType, itemsOf, nameOf } from '../data/item-values.ts';
import { leavesOf, type Origin } from '../json/citations.ts';
import { type Offer, pageOffer, priceAgainst, stockAgainst } from '../offer/offer.ts';
import { availabilityOf } from './availability.ts';
import { embeddedProducts } from './embedded-product.ts';
import { metaProducts, shownPrice, shownProduct } from './page-product.ts';
import { mergeDrafts, type ProductDraft, type VariantDraft } from './product-draft.ts';
import { schemaProducts } from './schema-product.ts';

const BREADCRUMBS = new Set(['BreadcrumbList']);

/** How certain the sources are: what a site states for programs, what it keeps for its own, what readers see. */
const SURE = { schema: 0.95, embedded: 0.9, meta: 0.85, shown: 0.75, mentioned: 0.4 };
/** The name stands on most other pages of the site, too: it may be that of the shop. */
const OF_TEMPLATE = 0.6;
const DEFAULT_CONFIDENCE = 0.5;

export interface OfferedProduct {
  product: Product;
  /** Neither the page nor its data say whether every variant is in stock. */
  isStockAssumed: boolean;
  /** What its values were read from, by their paths. */
  origins: Record<string, Origin>;
}

interface StatedDraft {
  draft: ProductDraft;
  confidence: number;
}

export const findProduct = (source: PageSource): Product | undefined => findOfferedProduct(source)?.product;

/** Undefined if the page does not appear to be a product page. `threshold`: how certain a source must be, 0 to 1. */
export function findOfferedProduct(source: PageSource, threshold = DEFAULT_CONFIDENCE): OfferedProduct | undefined {
  const offer = pageOffer(source);
  const repeated = new Set(source.repeated?.map(folded));
  const from = (sure: number, drafts: readonly ProductDraft[]): StatedDraft[] =>
    drafts
      .map((draft) => ({ draft, confidence: repeated.has(folded(draft.title)) ? sure * OF_TEMPLATE : sure }))
      .filter(({ confidence }) => confidence >= threshold);
  const stated = [
    ...from(SURE.schema, schemaProducts(source)),
    ...from(SURE.embedded, embeddedProducts(source)),
    ...from(SURE.meta, metaProducts(source)),
  ].map(({ draft, confidence }) => ({ draft: corrected(draft, offer), confidence }));
  const shown = shownProduct(source, offer, stated[0]?.draft.title);
  const all = [...stated, ...(shown ? from(shown.isSold ? SURE.shown : SURE.mentioned, [shown.draft]) : [])];
  const drafts = all.map(({ draft }) => draft);
  const found = mergeDrafts(drafts, source, offer);
  if (!found?.product.variants.some(isForSale)) return undefined;
  const category = found.product.category ?? breadcrumbs(source, found.product.title);
  const product = category === undefined ? found.product : { ...found.product, category };
  return { ...found, product, origins: originsOf(product, all, offer) };
}

/** Each value is as certain as the first source that says it. */
function originsOf(product: Product, stated: readonly StatedDraft[], offer: Offer): Record<string, Origin> {
  const said = stated.map(({ draft, confidence }) => ({
    confidence,
    values: new Set(leavesOf(draft).map(({ leaf }) => leaf)),
  }));
  return Object.fromEntries(
    leavesOf(product).flatMap(({ leaf, path }) => {
      const source = said.find(({ values }) => values.has(leaf));
      return source ? [[path, { text: writtenIn(product, path, offer) ?? '', confidence: source.confidence }]] : [];
    }),
  );
}

/** An amount stands on the page with its currency, a stock in words. */
function writtenIn({ variants }: Product, path: string, { price: shown }: Offer): string | undefined {
  const [, at, part] =
    /^variants\[(\d+)\]\.(price\.amount|sale\.originalPrice\.amount|availability\.inStock)$/.exec(path) ?? [];
  if (at === undefined) return undefined;
  const { price, sale, availability } = variants[Number(at)]!;
  if (part === 'availability.inStock') return availability.text;
  if (part !== 'price.amount') return sale?.originalPrice.formatted;
  return price?.formatted ?? (shown?.amount === price?.amount ? shown?.formatted : undefined);
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

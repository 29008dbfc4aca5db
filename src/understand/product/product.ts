// The product of a page: schema.org first, then the data of the shop's program, then what the page shows.
import type { Product, ProductVariant } from '../../contracts/formats/product.ts';
import type { PageSource } from '../../page/understanding.ts';
import { hasType, itemsOf, nameOf } from '../data/item-values.ts';
import { embeddedProducts } from './embedded-product.ts';
import { metaProducts, shownProducts } from './page-product.ts';
import { mergeDrafts } from './product-draft.ts';
import { schemaProducts } from './schema-product.ts';

const BREADCRUMBS = new Set(['BreadcrumbList']);

/** Undefined if the page does not appear to be a product page. */
export function findProduct(source: PageSource): Product | undefined {
  const stated = [...schemaProducts(source), ...embeddedProducts(source), ...metaProducts(source)];
  const product = mergeDrafts([...stated, ...shownProducts(source, stated[0]?.title)], source);
  if (!product?.variants.some(isForSale)) return undefined;
  const category = product.category ?? breadcrumbs(source, product.title);
  return category === undefined ? product : { ...product, category };
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

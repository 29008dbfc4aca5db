// Which of the items of a page is the product that the page sells. Several products make a list, which is no product page.
import type { DataItem } from '../../page/structured-data.ts';
import type { PageSource } from '../../page/understanding.ts';
import { folded, hasType, itemsOf, nameOf, textOf } from '../data/item-values.ts';
import { pageTitles } from '../data/page-titles.ts';

const GROUP = new Set(['ProductGroup']);
const PRODUCT = new Set([
  'Product',
  'ProductGroup',
  'ProductModel',
  'IndividualProduct',
  'SomeProducts',
  'Vehicle',
  'Car',
]);
/** Things that are products only where they are offered. */
const OFFERED = new Set(['Book', 'MusicAlbum', 'MusicRelease', 'VideoGame', 'Game', 'SoftwareApplication', 'Movie']);
const TEXTS = new Set(['Article', 'NewsArticle', 'BlogPosting', 'Review', 'HowTo', 'Recipe', 'TechArticle', 'Report']);

/** All items that describe the product of the page, the most detailed first; empty if the page is about something else. */
export function chooseProductItems(source: PageSource): DataItem[] {
  const items = source.data?.items ?? [];
  const products = items.flatMap(statedProducts).filter((item) => nameOf(item) !== undefined);
  const chosen = chooseProduct(products, source);
  if (!chosen) return [];
  const name = folded(nameOf(chosen)!);
  const same = products.filter((item) => item === chosen || folded(nameOf(item)!) === name);
  const hasOffer = same.some((item) => itemsOf(item, 'offers', 'hasVariant').length > 0);
  // An article about a product describes it too, but offers nothing.
  if (!hasOffer && isText(source)) return [];
  return [chosen, ...same.filter((item) => item !== chosen)];
}

const EVENT = /Event$/;

/** Does the page say that it is an article, a recipe, an event or the like? */
export const isText = ({ data }: PageSource): boolean =>
  data?.meta['og:type'] === 'article' ||
  (data?.items ?? []).some((item) => hasType(item, TEXTS) || item.types.some((type) => EVENT.test(type)));

function statedProducts(item: DataItem): DataItem[] {
  const inner = itemsOf(item, 'mainEntity', 'itemOffered').filter(isProduct);
  return isProduct(item) ? [item] : inner;
}

const isProduct = (item: DataItem): boolean =>
  hasType(item, PRODUCT) || (hasType(item, OFFERED) && itemsOf(item, 'offers').length > 0);

function chooseProduct(products: readonly DataItem[], source: PageSource): DataItem | undefined {
  if (products.length <= 1) return products[0];
  const detailed = [...products].sort((a, b) => detail(b) - detail(a));
  const groups = detailed.filter((item) => hasType(item, GROUP));
  if (groups.length === 1) return groups[0];
  if (new Set(products.map((item) => folded(nameOf(item)!))).size === 1) return detailed[0];
  const own = detailed.filter((item) => isAboutPage(item, source));
  if (own.length > 0 && new Set(own.map((item) => folded(nameOf(item)!))).size === 1) return own[0];
  const titled = detailed.find((item) => isTitle(nameOf(item)!, source));
  if (titled) return titled;
  // Cards of related products are marked in the page, the product itself in a script.
  const inScripts = detailed.filter(({ syntax }) => syntax === 'json-ld');
  return inScripts.length === 1 ? inScripts[0] : undefined;
}

const detail = (item: DataItem): number =>
  Object.keys(item.properties).length + 20 * Math.min(itemsOf(item, 'offers', 'hasVariant').length, 1);

function isAboutPage(item: DataItem, { url, data }: PageSource): boolean {
  const own = new Set([url, data?.meta.canonical, data?.meta['og:url']].flatMap((address) => addressOf(address) ?? []));
  const stated = [textOf(item, 'url'), item.id, textOf(item, 'mainEntityOfPage')];
  return stated.some((address) => own.has(addressOf(address) ?? ''));
}

function addressOf(url: string | undefined): string | undefined {
  const parsed = url === undefined ? null : URL.parse(url);
  return parsed ? `${parsed.host}${parsed.pathname.replace(/\/$/, '')}${parsed.search}` : undefined;
}

function isTitle(name: string, source: PageSource): boolean {
  const wanted = folded(name);
  return pageTitles(source)
    .map(folded)
    .some((text) => text === wanted || text.startsWith(`${wanted} `));
}

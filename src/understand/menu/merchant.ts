// Who offers a menu: the restaurant in the page's data, else the name of the site.
import type { DataItem } from '../../page/structured-data.ts';
import type { PageSource } from '../../page/understanding.ts';
import { hasType, isItem, itemsOf, known, nameOf, textOf, valuesOf } from '../data/item-values.ts';
import { pageTitles } from '../data/page-titles.ts';
import type { Merchant } from './menu-draft.ts';

const EATERIES = new Set(
  'Restaurant FoodEstablishment CafeOrCoffeeShop BarOrPub FastFoodRestaurant Bakery Brewery IceCreamShop Winery Distillery'.split(
    ' ',
  ),
);
const BUSINESSES = new Set(['LocalBusiness', 'Organization', 'Store', 'Hotel']);

export const isEatery = (item: DataItem): boolean => hasType(item, EATERIES);

export function merchantOf(source: PageSource): Merchant {
  const items = (source.data?.items ?? []).flatMap((item) => [
    item,
    ...itemsOf(item, 'publisher', 'provider', 'about', 'mainEntity'),
  ]);
  const found =
    items.find((item) => isEatery(item) && nameOf(item)) ??
    items.find((item) => hasType(item, BUSINESSES) && nameOf(item));
  if (!found) return { name: siteName(source) };
  const type =
    textOf(found, 'servesCuisine') ?? (isEatery(found) ? found.types.find((each) => EATERIES.has(each)) : undefined);
  return { name: nameOf(found)!, ...known({ type, location: locationOf(found) }) };
}

function locationOf(item: DataItem): string | undefined {
  const [address] = [...valuesOf(item, 'address'), ...valuesOf(item, 'location')];
  if (address === undefined) return undefined;
  if (!isItem(address)) return String(address);
  const [inner] = itemsOf(address, 'address');
  const postal = inner ?? address;
  const lines = ['streetAddress', 'postalCode', 'addressLocality', 'addressRegion', 'addressCountry'];
  return lines.flatMap((name) => textOf(postal, name) ?? []).join(', ') || undefined;
}

/** The name of the site, the part of the title that names it, or the host: there is always one. */
function siteName(source: PageSource): string {
  const named = source.data?.meta['og:site_name'];
  if (named !== undefined) return named;
  const parts = (source.title ?? '').split(/\s[|–—-]\s/).map((part) => part.trim());
  const [heading] = pageTitles(source);
  const last = parts.length > 1 ? parts.at(-1) : undefined;
  const host = URL.parse(source.url)?.hostname.replace(/^www\./, '');
  return last || heading || host || 'unknown';
}

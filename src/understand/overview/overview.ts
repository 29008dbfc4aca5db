// What a page is that is no article: a product, a menu, a thread, a mail, a list. Every piece of it stands on the page.
import { type CarriedSource, openSource } from '../../page/understanding.ts';
import { listOverview } from './list-overview.ts';
import { mailOverview } from './mail-overview.ts';
import { menuOverview } from './menu-overview.ts';
import type { OverviewPage } from './overview-page.ts';
import { type Overview, placesIn } from './places.ts';
import { productOverview } from './product-overview.ts';
import { threadOverview } from './thread-overview.ts';

/** In this order: a shop lists other products below the one that it sells, a restaurant shows its dishes as a list. */
const KINDS: readonly ((page: OverviewPage) => Overview | undefined)[] = [
  mailOverview,
  productOverview,
  menuOverview,
  threadOverview,
  listOverview,
];

/** Undefined for pages of any other kind. They are better summed up by their sentences. */
export function findOverview(carried: CarriedSource): Overview | undefined {
  const source = openSource(carried);
  const page = { source, places: placesIn(source.markdown) };
  for (const overview of KINDS) {
    const found = overview(page);
    if (found) return found;
  }
  return undefined;
}

// Which item of the page's data is its subject.

import type { DataItem } from '../../../page/structured-data.ts';
import { squeezed } from '../../../text/words/squeeze.ts';
import { type FieldName, nameMatch } from './field-names.ts';
import { type ById, itemScope, resolved } from './item-scope.ts';
import { isItem } from './scope.ts';

/** These describe the site, the page as such, or parts of it. */
const NOT_SUBJECTS =
  /^(?:WebSite|WebPage|CollectionPage|SearchAction|Organization|BreadcrumbList|ListItem|ImageObject|Person|SiteNavigationElement|ItemList|ItemPage|WPHeader|WPFooter|ReadAction|OfferCatalog|Corporation|NewsMediaOrganization|Store|OnlineStore)$/;
const MAX_ITEMS = 200;

export function mainItem(
  items: readonly DataItem[],
  byId: ById,
  wanted: readonly FieldName[],
  title: string | undefined,
): DataItem | undefined {
  let best: { item: DataItem; score: number } | undefined;
  for (const item of candidates(items, byId)) {
    const { named } = itemScope(item, byId);
    let score = 0;
    for (const name of wanted) {
      score += Math.max(0, ...named.map((each) => (each.owner ? 0 : nameMatch(name, each.name) * each.weight)));
    }
    if (item.types.some((type) => NOT_SUBJECTS.test(type))) score *= 0.4;
    if (isSameName(item, title)) score += 2;
    if (score > (best?.score ?? 0)) best = { item, score };
  }
  return best?.item;
}

/** Items of the page, and the subjects that pages point to. */
function candidates(items: readonly DataItem[], byId: ById): DataItem[] {
  const found = items.slice(0, MAX_ITEMS);
  for (const item of items.slice(0, MAX_ITEMS)) {
    for (const property of ['mainEntity', 'about']) {
      const values = (item.properties[property] ?? []).map((value) => resolved(value, byId)).filter(isItem);
      if (values.length === 1) found.push(values[0]!);
    }
  }
  return found;
}

function isSameName({ properties }: DataItem, title: string | undefined): boolean {
  const name = properties.name?.[0] ?? properties.headline?.[0];
  if (typeof name !== 'string' || title === undefined) return false;
  const [ours, theirs] = [squeezed(name), squeezed(title)];
  return (
    ours !== '' &&
    (ours === theirs || (ours.length > 8 && theirs.includes(ours)) || (theirs.length > 8 && ours.includes(theirs)))
  );
}

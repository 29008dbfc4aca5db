// A menu as schema.org describes it: Menu, MenuSection, MenuItem, and the restaurant that has them.
import type { DataItem } from '../../page/structured-data.ts';
import type { PageSource } from '../../page/understanding.ts';
import { type PriceContext, readNumber } from '../../text/prices/prices.ts';
import { hasType, imagesOf, itemsOf, known, nameOf, textOf, textsOf, valuesOf } from '../data/item-values.ts';
import { readAvailability } from '../product/availability.ts';
import { priceContext, priceOf } from '../product/product-draft.ts';
import { dietaryIn, type ItemDraft, type MenuDraft, type SectionDraft } from './menu-draft.ts';

const MENU = new Set(['Menu']);
const SECTION = new Set(['MenuSection']);
const ITEM = new Set(['MenuItem']);
const MAX_DEPTH = 8;
const CONFIDENCE = 0.95;

export function schemaMenu(source: PageSource): MenuDraft | undefined {
  const context = priceContext(source);
  const items = source.data?.items ?? [];
  const menus = items.flatMap((item) => (hasType(item, MENU) ? [item] : itemsOf(item, 'hasMenu', 'menu')));
  const roots = menus.length > 0 ? menus : items.filter((item) => hasType(item, SECTION) || hasType(item, ITEM));
  const sections = unique(roots).flatMap((root) => sectionsOf(root, context, 0));
  return sections.some((section) => section.items.length > 0) ? { confidence: CONFIDENCE, sections } : undefined;
}

/** A menu that the restaurant refers to may stand beside it once more. */
const unique = (items: readonly DataItem[]): DataItem[] => [
  ...new Map(items.map((item, index) => [item.id ?? `${index}`, item])).values(),
];

/** The section itself with its own items, then the sections inside it. */
function sectionsOf(item: DataItem, context: PriceContext, depth: number): SectionDraft[] {
  if (depth > MAX_DEPTH) return [];
  const own = hasType(item, ITEM) ? [item] : itemsOf(item, 'hasMenuItem', 'menuItem');
  const inner = itemsOf(item, 'hasMenuSection', 'menuSection').flatMap((section) =>
    sectionsOf(section, context, depth + 1),
  );
  const items = own.flatMap((each) => itemOf(each, context) ?? []);
  const section = { name: nameOf(item) ?? 'Menu', ...known({ description: textOf(item, 'description') }), items };
  return items.length === 0 ? inner : [hasType(item, ITEM) ? { name: 'Menu', items } : section, ...inner];
}

function itemOf(item: DataItem, context: PriceContext): ItemDraft | undefined {
  const name = nameOf(item);
  if (name === undefined) return undefined;
  const [offer] = itemsOf(item, 'offers');
  const [nutrition] = itemsOf(item, 'nutrition');
  const calories = nutrition && readNumber((textOf(nutrition, 'calories') ?? '').replace(/[^\d.,].*$/s, ''));
  const addOns = itemsOf(item, 'menuAddOn').flatMap((addOn) => addOnsOf(addOn, context));
  return {
    name,
    ...known({
      merchantItemId: textOf(item, 'identifier', 'sku', 'productID'),
      description: textOf(item, 'description'),
      images: imagesOf(item, 'image'),
      price: offer ? pricedBy(offer, context) : pricedBy(item, context),
      availability: offer && readAvailability(textOf(offer, 'availability')),
      dietary: textsOf(item, 'suitableForDiet').map(dietOf),
      calories,
      url: textOf(item, 'url'),
    }),
    ...(addOns.length > 0 && { optionGroups: [{ name: 'Extras', options: addOns }] }),
  };
}

function pricedBy(item: DataItem, context: PriceContext) {
  const [price] = [...valuesOf(item, 'price'), ...valuesOf(item, 'lowPrice')].filter(
    (value) => typeof value !== 'object',
  );
  return priceOf(price, textOf(item, 'priceCurrency'), context);
}

const addOnsOf = (addOn: DataItem, context: PriceContext) =>
  [addOn, ...itemsOf(addOn, 'hasMenuItem')].flatMap((each) => {
    const name = nameOf(each);
    const [offer] = itemsOf(each, 'offers');
    const price = pricedBy(offer ?? each, context);
    return name === undefined || hasType(each, SECTION) ? [] : [{ name, ...known({ price }) }];
  });

/** VeganDiet is "vegan", GlutenFreeDiet "gluten-free". */
function dietOf(text: string): string {
  const name = text.replace(/^.*\//, '').replace(/Diet$/, '');
  const words = name.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase();
  return dietaryIn(words)[0] ?? words;
}

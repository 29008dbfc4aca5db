// A menu in the data of an ordering page's program: a list of sections, each with a list of items that have a name and a price.
import type { PageSource } from '../../page/understanding.ts';
import { type PriceContext, readNumber } from '../../text/prices/prices.ts';
import { known } from '../data/item-values.ts';
import { type Fields, fieldOf, isFields, listIn, textIn, valuesIn } from '../data/json-fields.ts';
import { priceContext, priceOf } from '../product/product-draft.ts';
import type { ItemDraft, MenuDraft, SectionDraft } from './menu-draft.ts';

const MIN_ITEMS = 3;
const CONFIDENCE = 0.85;
/** Only lists that call themselves so: shops keep products in lists of the same shape. */
const MENU_NAME = /menu|dish|meal|course/i;
const ITEM_LISTS = ['items', 'menuItems', 'menu_items', 'dishes', 'products', 'itemList'];
const OPTION_LISTS = ['optionGroups', 'modifierGroups', 'modifier_groups', 'modifiers', 'options', 'choices', 'extras'];

export function embeddedMenu(source: PageSource): MenuDraft | undefined {
  const context = priceContext(source);
  let best: SectionDraft[] = [];
  const count = (sections: readonly SectionDraft[]) => sections.reduce((sum, { items }) => sum + items.length, 0);
  for (const { value: list, path } of valuesIn(source.data?.embedded ?? [])) {
    if (!Array.isArray(list) || !MENU_NAME.test(path)) continue;
    const sections = list.filter(isFields).flatMap((each) => sectionOf(each, context) ?? []);
    if (count(sections) > count(best)) best = sections;
  }
  return count(best) >= MIN_ITEMS ? { confidence: CONFIDENCE, sections: best } : undefined;
}

function sectionOf(fields: Fields, context: PriceContext): SectionDraft | undefined {
  const name = textIn(fields, ['name', 'title', 'label']);
  const list = listIn(fields, ITEM_LISTS);
  if (name === undefined || !list) return undefined;
  const items = list.filter(isFields).flatMap((each) => itemOf(each, context) ?? []);
  const description = textIn(fields, ['description']);
  return items.some(({ price }) => price !== undefined) ? { name, ...known({ description }), items } : undefined;
}

function itemOf(fields: Fields, context: PriceContext): ItemDraft | undefined {
  const name = textIn(fields, ['name', 'title']);
  if (name === undefined) return undefined;
  const available = ['available', 'isAvailable', 'inStock']
    .map((key) => fieldOf(fields, key))
    .find((value) => typeof value === 'boolean');
  const image = textIn(fields, ['image', 'imageUrl', 'image_url', 'photo']);
  const optionGroups = OPTION_LISTS.flatMap((key) => groupsIn(fieldOf(fields, key), context));
  return {
    name,
    ...known({
      merchantItemId: textIn(fields, ['id', 'uuid', 'sku']),
      description: textIn(fields, ['description']),
      price: priceOf(
        fieldOf(fields, 'price') ?? textIn(fields, ['priceText', 'displayPrice']),
        textIn(fields, ['currency', 'currencyCode']),
        context,
      ),
      availability: typeof available === 'boolean' ? { inStock: available } : undefined,
      calories: readNumber(textIn(fields, ['calories']) ?? ''),
      images: image?.startsWith('http') ? [{ url: image }] : undefined,
      optionGroups,
    }),
  };
}

function groupsIn(value: unknown, context: PriceContext): NonNullable<ItemDraft['optionGroups']> {
  if (!Array.isArray(value)) return [];
  return value.filter(isFields).flatMap((group) => {
    const name = textIn(group, ['name', 'title']);
    const list = listIn(group, ['options', 'modifiers', 'items', 'choices', 'values']);
    if (name === undefined || !list) return [];
    const options = list.filter(isFields).flatMap((option) => {
      const label = textIn(option, ['name', 'title']);
      const price = priceOf(fieldOf(option, 'price'), undefined, context);
      return label === undefined ? [] : [{ name: label, ...known({ price }) }];
    });
    return options.length === 0 ? [] : [{ name, options }];
  });
}

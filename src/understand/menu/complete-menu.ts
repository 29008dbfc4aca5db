// Takes from a model's answer what stands on the page: a menu that the data of the page do not have, or what its items lack.
import type { Menu, MenuItem } from '../../contracts/formats/menu.ts';
import type { PageSource } from '../../page/understanding.ts';
import { folded, known } from '../data/item-values.ts';
import { type Fields, fieldOf, isFields, listIn } from '../data/json-fields.ts';
import { standsOnPage } from '../data/stands-on-page.ts';
import { priceContext, priceOf } from '../product/product-draft.ts';
import { finishMenu, type ItemDraft, type SectionDraft } from './menu-draft.ts';
import { merchantOf } from './merchant.ts';

const CONFIDENCE = 0.8;

/** Is there anything that a model could add? */
export const hasGaps = ({ sections }: Menu): boolean =>
  sections.some(({ items }) =>
    items.some(({ price, description }) => price === undefined || description === undefined),
  );

/** `answer` is in the form of MENU_SCHEMA, as far as the model kept to it. */
export function completeMenu(source: PageSource, found: Menu | undefined, answer: unknown): Menu | undefined {
  const sections = isFields(answer) && fieldOf(answer, 'isMenu') === true ? readSections(source, answer) : [];
  if (found)
    return fillItems(
      found,
      sections.flatMap(({ items }) => items),
    );
  if (!sections.some(({ items }) => items.length > 0)) return undefined;
  const name = isFields(answer) ? fieldOf(answer, 'merchantName') : undefined;
  const isNamed = typeof name === 'string' && standsOnPage(source)(name);
  const merchant = { ...merchantOf(source), ...(isNamed && { name: name.trim() }) };
  return finishMenu({ confidence: CONFIDENCE, sections }, merchant, source, false);
}

function fillItems(menu: Menu, read: readonly ItemDraft[]): Menu {
  const byName = new Map(read.map((item) => [folded(item.name), item]));
  const fill = (item: MenuItem): MenuItem => {
    const other = byName.get(folded(item.name));
    return other ? { ...known({ description: other.description, price: other.price }), ...item } : item;
  };
  return { ...menu, sections: menu.sections.map((section) => ({ ...section, items: section.items.map(fill) })) };
}

function readSections(source: PageSource, answer: Fields): SectionDraft[] {
  const stands = standsOnPage(source);
  const context = priceContext(source);
  const text = (fields: Fields, name: string): string | undefined => {
    const value = fieldOf(fields, name);
    return typeof value === 'string' && stands(value) ? value.trim() : undefined;
  };
  return (listIn(answer, ['sections']) ?? []).filter(isFields).map((section) => ({
    name: text(section, 'name') ?? 'Menu',
    ...known({ description: text(section, 'description') }),
    items: (listIn(section, ['items']) ?? []).filter(isFields).flatMap((fields): ItemDraft[] => {
      const name = text(fields, 'name');
      const price = priceOf(text(fields, 'price'), undefined, context);
      return name === undefined ? [] : [{ name, ...known({ description: text(fields, 'description'), price }) }];
    }),
  }));
}

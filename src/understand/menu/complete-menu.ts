// Takes from a model's answer what stands on the page: a menu that the data of the page do not have, or what its items lack.
import type { Menu, MenuItem } from '../../contracts/formats/menu.ts';
import type { PageSource } from '../../page/understanding.ts';
import { type AnswerTexts, createAnswerTexts } from '../data/answer-texts.ts';
import { folded, known } from '../data/item-values.ts';
import { type Fields, fieldOf, isFields, listIn } from '../data/json-fields.ts';
import { type LeftOut, leftOutWarnings } from '../json/extract/invented.ts';
import { priceContext, priceOf } from '../product/product-draft.ts';
import { finishMenu, type ItemDraft, type SectionDraft } from './menu-draft.ts';
import { merchantOf } from './merchant.ts';

const CONFIDENCE = 0.8;

/** Is there anything that a model could add? */
export const hasGaps = ({ sections }: Menu): boolean =>
  sections.some(({ items }) =>
    items.some(({ price, description }) => price === undefined || description === undefined),
  );

export interface CompletedMenu {
  menu?: Menu;
  /** Warnings that name what was missing, and does not stand on the page as the model says it. */
  leftOut: string[];
}

/** `answer` is in the form of MENU_SCHEMA, as far as the model kept to it. */
export function completeMenu(source: PageSource, found: Menu | undefined, answer: unknown): CompletedMenu {
  const texts = createAnswerTexts(source);
  const sections = isFields(answer) && fieldOf(answer, 'isMenu') === true ? readSections(source, answer, texts) : [];
  if (found) {
    const left = leftInMenu(found, sections, texts.left);
    const menu = fillItems(
      found,
      sections.flatMap(({ items }) => items),
    );
    return { menu, leftOut: leftOutWarnings('menu', left) };
  }
  const hasItems = sections.some(({ items }) => items.length > 0);
  const name = hasItems && isFields(answer) ? texts.text(answer, 'merchantName', 'merchant.name') : undefined;
  const leftOut = leftOutWarnings('menu', texts.left);
  if (!hasItems) return { leftOut };
  const merchant = { ...merchantOf(source), ...(name !== undefined && { name }) };
  return { menu: finishMenu({ confidence: CONFIDENCE, sections }, merchant, source, false), leftOut };
}

/** What the menu has is not asked for, and its dishes may be elsewhere in it. */
function leftInMenu(menu: Menu, read: readonly SectionDraft[], left: readonly LeftOut[]): LeftOut[] {
  return left.flatMap(({ path }) => {
    const [, section, item, field] = /^sections\[(\d+)\]\.items\[(\d+)\]\.(description|price)$/.exec(path) ?? [];
    const name = folded(read[Number(section)]?.items[Number(item)]?.name ?? '');
    return menu.sections.flatMap(({ items }, at) =>
      items.flatMap((each, place) =>
        field !== undefined && folded(each.name) === name && each[field as 'price'] === undefined
          ? [{ path: `sections[${at}].items[${place}].${field}` }]
          : [],
      ),
    );
  });
}

function fillItems(menu: Menu, read: readonly ItemDraft[]): Menu {
  const byName = new Map(read.map((item) => [folded(item.name), item]));
  const fill = (item: MenuItem): MenuItem => {
    const other = byName.get(folded(item.name));
    return other ? { ...known({ description: other.description, price: other.price }), ...item } : item;
  };
  return { ...menu, sections: menu.sections.map((section) => ({ ...section, items: section.items.map(fill) })) };
}

function readSections(source: PageSource, answer: Fields, texts: AnswerTexts): SectionDraft[] {
  const context = priceContext(source);
  return (listIn(answer, ['sections']) ?? []).filter(isFields).map((section, at) => {
    const path = `sections[${at}]`;
    const items: ItemDraft[] = [];
    let invented = 0;
    for (const fields of (listIn(section, ['items']) ?? []).filter(isFields)) {
      const before = texts.left.length;
      const text = (name: string) => texts.text(fields, name, `${path}.items[${items.length}].${name}`);
      const name = text('name');
      if (name !== undefined) {
        const price = priceOf(text('price'), undefined, context);
        items.push({ name, ...known({ description: text('description'), price }) });
      } else if (texts.left.length > before) {
        texts.left.length = before;
        invented += 1;
      }
    }
    if (invented > 0) texts.left.push({ path: `${path}.items`, entries: invented });
    return {
      name: texts.text(section, 'name', `${path}.name`) ?? 'Menu',
      ...known({ description: texts.text(section, 'description', `${path}.description`) }),
      items,
    };
  });
}

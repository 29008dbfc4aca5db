// A menu as one of the sources states it, and how it becomes the answer: every section and item gets an id of its own.
import type { Menu, MenuItem, MenuOptionGroup } from '../../contracts/formats/menu.ts';
import type { ProductPrice } from '../../contracts/formats/product.ts';
import type { PageSource } from '../../page/understanding.ts';
import { folded, known } from '../data/item-values.ts';

export interface ItemDraft {
  name: string;
  merchantItemId?: string;
  description?: string;
  images?: { url: string; alt?: string }[];
  price?: ProductPrice;
  availability?: MenuItem['availability'];
  dietary?: string[];
  calories?: number;
  optionGroups?: { name: string; options: { name: string; price?: ProductPrice }[] }[];
  url?: string;
}

export interface SectionDraft {
  name: string;
  description?: string;
  items: ItemDraft[];
}

export interface MenuDraft {
  /** How sure the source makes us that the page is a menu, 0 to 1. */
  confidence: number;
  sections: SectionDraft[];
}

export interface Merchant {
  name: string;
  type?: string;
  location?: string;
}

const MAX_SECTIONS = 200;
const MAX_ITEMS = 2_000;
const MAX_TEXT = 2_000;

/** `modifiers`: whether the options of the items were requested. */
export function finishMenu(draft: MenuDraft, merchant: Merchant, source: PageSource, modifiers: boolean): Menu {
  const ids = new Set<string>();
  let left = MAX_ITEMS;
  const sections = draft.sections.slice(0, MAX_SECTIONS).flatMap(({ name, description, items }) => {
    const kept = items.slice(0, left);
    left -= kept.length;
    if (kept.length === 0) return [];
    const id = freshId(ids, name, 'section');
    return {
      id,
      name,
      ...known({ description: description?.slice(0, MAX_TEXT) }),
      items: kept.map((item) => finishItem(item, freshId(ids, `${id} ${item.name}`, 'item'), source, modifiers)),
    };
  });
  const currencies = new Set(sections.flatMap(({ items }) => items.flatMap(({ price }) => price?.currency ?? [])));
  return {
    isMenu: true,
    confidence: draft.confidence,
    merchant,
    ...(currencies.size === 1 && { currency: [...currencies][0]! }),
    sections,
    sourceUrl: source.url,
  };
}

function finishItem(item: ItemDraft, id: string, { url: sourceUrl }: PageSource, modifiers: boolean): MenuItem {
  const { name, description, price, calories, url, merchantItemId } = item;
  return {
    id,
    name,
    ...known({ description: description?.slice(0, MAX_TEXT), price, calories, url }),
    images: item.images ?? [],
    availability: item.availability ?? { inStock: true },
    dietary: [...new Set([...(item.dietary ?? []), ...dietaryIn(`${name} ${description ?? ''}`)])],
    optionGroups: modifiers ? optionGroupsOf(id, item) : [],
    identifiers: merchantItemId === undefined ? {} : { merchantItemId },
    sourceUrl,
  };
}

function optionGroupsOf(id: string, { optionGroups = [] }: ItemDraft): MenuOptionGroup[] {
  return optionGroups.map(({ name, options }, group) => ({
    id: `${id}-options-${group + 1}`,
    name,
    options: options.map((option, at) => ({ id: `${id}-options-${group + 1}-${at + 1}`, ...option })),
  }));
}

/** The same page gives the same ids. */
function freshId(ids: Set<string>, text: string, fallback: string): string {
  const slug = folded(text).replaceAll(' ', '-').slice(0, 80) || fallback;
  let id = slug;
  for (let number = 2; ids.has(id); number++) id = `${slug}-${number}`;
  ids.add(id);
  return id;
}

const DIETARY: readonly [pattern: RegExp, diet: string][] = [
  [/\bvegan\b|\bvegano\b|\bvégan\b|🌱/iu, 'vegan'],
  [/\bvegetaria\w{0,4}\b|\bvegetarisch\b|\bvégétarien\w{0,3}|\bvegetarisk\b/iu, 'vegetarian'],
  [/\bgluten[- ]?free\b|\bglutenfrei\b|\bsans gluten\b|\bsin gluten\b|\bsenza glutine\b/iu, 'gluten-free'],
  [/\bdairy[- ]?free\b/iu, 'dairy-free'],
  [/\bhalal\b/iu, 'halal'],
  [/\bkosher\b/iu, 'kosher'],
];

/** Marks in brackets: "(v)", "(vg, gf)". */
const MARKS: Readonly<Record<string, string>> = {
  v: 'vegetarian',
  vg: 'vegan',
  ve: 'vegan',
  gf: 'gluten-free',
  df: 'dairy-free',
};

export function dietaryIn(text: string): string[] {
  const words = DIETARY.flatMap(([pattern, diet]) => (pattern.test(text) ? [diet] : []));
  const marks = [...text.matchAll(/[([]([a-z]{1,2}(?:[,./\s]+[a-z]{1,2}){0,9})[)\]]/gi)]
    .flatMap(([, list]) => list!.toLowerCase().split(/[,./\s]+/))
    .flatMap((mark) => (Object.hasOwn(MARKS, mark) ? [MARKS[mark]!] : []));
  return [...new Set([...words, ...marks])];
}

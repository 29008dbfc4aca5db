// A menu as the page shows it: its price list. Shops and hairdressers have one too, so that the page must also call itself a
// menu and name courses, dishes or diets.
import type { PageRecord } from '../../page/structured-data.ts';
import type { PageSource } from '../../page/understanding.ts';
import type { PriceContext } from '../../text/prices/prices.ts';
import { known } from '../data/item-values.ts';
import { pageTitles } from '../data/page-titles.ts';
import { priceContext, priceOf } from '../product/product-draft.ts';
import { dietaryIn, type ItemDraft, type MenuDraft, type SectionDraft } from './menu-draft.ts';
import { isEatery } from './merchant.ts';

const MIN_ITEMS = 3;
const MIN_NAMED = 2;
const CONFIDENCE = 0.7;
const MENU_WORDS =
  /(?:^|[^\p{L}])(?:menus?|menu|menú|menù|speisen|\p{L}{3,}karte|carte|carta|la carte|\p{L}{3,}kaart|meny|menukort|cardápio|jídelní lístek|menü|меню|メニュー|お品書き|菜单|菜單|메뉴)(?:$|[^\p{L}])/iu;
const EATING =
  /(?:^|[^\p{L}])(?:starters?|appeti[sz]ers?|mains?|main (?:courses|dishes)|desserts?|drinks|beverages|sides|salads?|soups?|pizzas?|pasta|burgers?|breakfast|lunch|dinner|brunch|cocktails|wines?|beers?|vorspeisen?|hauptgerichte?|hauptspeisen?|nachspeisen?|nachtisch|getränke|suppen?|salate?|beilagen|entrées?|plats?|boissons|entrantes|platos|postres|bebidas|antipasti|primi|secondi|dolci|contorni|bevande|voorgerechten|hoofdgerechten|nagerechten|förrätter|varmrätter|efterrätter|forretter|hovedretter)(?:$|[^\p{L}])/iu;

export function pageMenu(source: PageSource): MenuDraft | undefined {
  const context = priceContext(source);
  const records = source.data?.records.flat() ?? [];
  const sections = joinSections(records.flatMap((record) => itemOf(record, context) ?? []));
  if (sections.flatMap(({ items }) => items).length < MIN_ITEMS) return undefined;
  return isMenu(source, sections) ? { confidence: CONFIDENCE, sections } : undefined;
}

/** By its title or address and what is eaten, or by the restaurant in its data or many courses. */
function isMenu(source: PageSource, sections: readonly SectionDraft[]): boolean {
  const titles = pageTitles(source);
  const isNamed = [...titles, decodedPath(source.url)].some((text) => MENU_WORDS.test(text));
  const courses = sections.filter(({ name }) => EATING.test(name)).length;
  const isOfEatery = (source.data?.items ?? []).some(isEatery);
  if (courses >= MIN_ITEMS || (isOfEatery && courses > 0)) return true;
  const items = sections.flatMap((section) => section.items);
  const dishes = items.filter(
    ({ name, description }) => EATING.test(name) || dietaryIn(`${name} ${description ?? ''}`).length > 0,
  );
  const isEaten = courses > 0 || isOfEatery || dishes.length >= MIN_NAMED || titles.some((title) => EATING.test(title));
  return isNamed && isEaten;
}

function decodedPath(url: string): string {
  const path = URL.parse(url)?.pathname ?? '';
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

interface PlacedItem extends ItemDraft {
  section: string;
}

function itemOf(record: PageRecord, context: PriceContext): PlacedItem | undefined {
  const { title, section = 'Menu', image, href, fields, prices = [] } = record;
  const read = prices.flatMap(({ label, value }) => {
    const price = priceOf(value, undefined, context);
    return price ? [{ name: label ?? value, price }] : [];
  });
  const [first] = read;
  if (title === undefined || !first) return undefined;
  const isOne = read.length === 1;
  // All sizes stand in the text of the price, also where they are not requested as options.
  const formatted = prices.map(({ label, value }) => (label === undefined ? value : `${label} ${value}`)).join(' / ');
  return {
    section,
    name: title,
    ...known({
      description: fields.find(({ label }) => label === 'description')?.value,
      price: isOne ? first.price : { ...first.price, formatted },
      url: href,
    }),
    ...(image !== undefined && { images: [{ url: image }] }),
    ...(!isOne && { optionGroups: [{ name: 'Sizes', options: read }] }),
  };
}

function joinSections(items: readonly PlacedItem[]): SectionDraft[] {
  const seen = new Set<string>();
  const distinct = items.filter(({ section, name, price }) => {
    const key = `${section}\n${name}\n${price?.amount}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  return [...Map.groupBy(distinct, ({ section }) => section)].map(([name, members]) => ({
    name,
    items: members.map(({ section: _, ...item }) => item),
  }));
}

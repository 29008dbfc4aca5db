// A menu as the page shows it: repeated blocks or table rows with a name and a price, under headings. Shops look the same,
// so that the page must also call itself a menu.
import type { DataTable, PageRecord } from '../../page/structured-data.ts';
import type { PageSource } from '../../page/understanding.ts';
import { type PriceContext, readPrice, readPrices } from '../../text/prices/prices.ts';
import { known } from '../data/item-values.ts';
import { pageTitles } from '../data/page-titles.ts';
import { priceContext, priceOf } from '../product/product-draft.ts';
import type { ItemDraft, MenuDraft, SectionDraft } from './menu-draft.ts';
import { isEatery } from './merchant.ts';

const MIN_ITEMS = 3;
const CONFIDENCE = 0.7;
const MENU_WORDS =
  /(?:^|[^\p{L}])(?:menus?|menu|menú|menù|speisekarte|speisen|getränkekarte|mittagskarte|carte|carta|la carte|spijskaart|menukaart|meny|menukort|cardápio|jídelní lístek|menü|меню|メニュー|お品書き|菜单|菜單|메뉴)(?:$|[^\p{L}])/iu;
const EATING =
  /(?:^|[^\p{L}])(?:starters?|appeti[sz]ers?|mains?|main (?:courses|dishes)|desserts?|drinks|beverages|sides|salads?|soups?|pizzas?|pasta|burgers?|breakfast|lunch|dinner|brunch|cocktails|wines?|beers?|vorspeisen?|hauptgerichte?|hauptspeisen?|nachspeisen?|nachtisch|getränke|suppen?|salate?|beilagen|entrées?|plats?|boissons|entrantes|platos|postres|bebidas|antipasti|primi|secondi|dolci|contorni|bevande|voorgerechten|hoofdgerechten|nagerechten|förrätter|varmrätter|efterrätter|forretter|hovedretter)(?:$|[^\p{L}])/iu;

export function pageMenu(source: PageSource): MenuDraft | undefined {
  const { data } = source;
  if (!data) return undefined;
  const context = priceContext(source);
  const lists = [
    ...data.records.map((records) => records.flatMap((record) => recordItem(record, context) ?? [])),
    ...data.tables.map((table) => tableItems(table, context)),
  ].filter((list) => list.length > 0);
  const sections = joinSections(lists.flat());
  const items = sections.flatMap((section) => section.items);
  if (items.filter(({ price }) => price !== undefined).length < MIN_ITEMS) return undefined;
  return callsItselfMenu(source, sections) ? { confidence: CONFIDENCE, sections } : undefined;
}

/** By its title or address together with the headings of courses, or by the restaurant in its data. */
function callsItselfMenu(source: PageSource, sections: readonly SectionDraft[]): boolean {
  const path = decodedPath(source.url);
  const named = pageTitles(source).some((title) => MENU_WORDS.test(title)) || MENU_WORDS.test(path);
  const courses = sections.filter(({ name }) => EATING.test(name)).length;
  const eatery = (source.data?.items ?? []).some(isEatery);
  return (named && (courses > 0 || eatery)) || (eatery && courses > 0) || courses >= 3;
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

function recordItem(record: PageRecord, context: PriceContext): PlacedItem | undefined {
  const { title, section, image, href, fields, text } = record;
  const prices = readPrices(text, context);
  const priceField = fields.find(
    ({ label, value }) => /price|preis|prix|precio|prezzo|prijs|pris/i.test(label) && readPrice(value, context),
  );
  // A block with many prices is a list of items rather than one.
  if (prices.length > 4 || (prices.length === 0 && !priceField)) return undefined;
  const price = priceOf(priceField?.value ?? prices[0]?.formatted, undefined, context);
  const name = cleanName(
    title ?? fields.find(({ value }) => !readPrice(value, context))?.value ?? firstLine(text),
    prices[0]?.formatted,
  );
  if (!price || name === '' || name.length > 150) return undefined;
  const description = fields.find(
    ({ label, value }) =>
      value !== title &&
      value.length < 500 &&
      (/desc|ingredient|detail|zutaten/i.test(label) || label === 'p') &&
      !readPrice(value, context),
  )?.value;
  return {
    section: section ?? 'Menu',
    name,
    ...known({ description, price, url: href }),
    ...(image !== undefined && { images: [{ url: image }] }),
  };
}

/** Rows whose last cell is a price. */
function tableItems({ caption, section: heading, header, rows }: DataTable, context: PriceContext): PlacedItem[] {
  let section =
    caption ?? (header.length > 0 && header.every((text) => text === header[0]) ? header[0]! : (heading ?? 'Menu'));
  const lines = header.some((text) => readPrice(text, context)?.currency !== undefined) ? [header, ...rows] : rows;
  return lines.flatMap((row): PlacedItem[] => {
    const cells = [...new Set(row.filter((cell) => cell !== ''))];
    // A row with a single text is a heading.
    if (cells.length === 1 && !readPrice(cells[0]!, context)) section = cells[0]!.slice(0, 150);
    const price = cells.length < 2 ? undefined : priceOf(cells.at(-1)!, undefined, context);
    if (!price) return [];
    const [name = '', ...rest] = cells.slice(0, -1);
    return name === '' || name.length > 150
      ? []
      : [{ section, name, ...known({ description: rest.join(', '), price }) }];
  });
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

const firstLine = (text: string): string => text.split('\n', 1)[0]!;

/** "Soup ..... 4.50" is "Soup". */
const cleanName = (text: string, price: string | undefined): string =>
  (price === undefined ? text : text.replace(price, ''))
    .replace(/[.·…\s_-]{3,}.*$/u, '')
    .replace(/\s+/g, ' ')
    .trim();

// One list from the lists of many pages: the best page first, then the pages that continue it, then what detail pages add.
import type { ReadRow, WeightedPage } from './gathered.ts';
import { placeInSeries } from './page-links.ts';
import { comparable, filledShare, isFilled, isRow, isSameRow, type ListRow, nameOf } from './row-identity.ts';

export interface MergedRow {
  value: ListRow;
  /** The page and the path of the row in its `json`, for each field. */
  from: Record<string, { page: WeightedPage['page']; path: string }[]>;
}

export interface ListPlace {
  /** Where the list is in the `json` of a page: empty at its top. */
  path: string;
  /** The fields of a row. */
  fields: readonly string[];
}

const MAX_ROWS = 2_000;
/** Rows of the same name that a further row is compared with. */
const MAX_NAMESAKES = 20;
/** A page that repeats the list under another name has rows as full as those of the best page. */
const SIMILAR = 0.75;
const MIN_WEIGHT = 0.3;
/** Callers name the page of a list more often than a page that has some other list. */
const NAMED_TRUST = 0.7;

interface PageRows {
  source: WeightedPage;
  rows: ListRow[];
  quality: number;
}

export function mergeLists(pages: readonly WeightedPage[], place: ListPlace, details: readonly ReadRow[]): MergedRow[] {
  const lists = listsOf(pages, place);
  const best = lists.toSorted((a, b) => b.quality - a.quality)[0];
  const merged = createMerged();
  if (best) {
    for (const list of lists.filter((other) => belongsTo(other, best, place.fields))) addRows(merged, list, place);
    for (const list of lists) if (!belongsTo(list, best, place.fields)) completeRows(merged, list, place);
  }
  for (const detail of details) addDetail(merged, detail, place.fields);
  return merged.rows;
}

/** Rows in order, found by their names: lists may be long, and comparing each with each takes too long. */
interface Merged {
  rows: MergedRow[];
  byName: Map<string, MergedRow[]>;
  /** Every row as it was on its page. */
  seen: Set<string>;
}

const createMerged = (): Merged => ({ rows: [], byName: new Map(), seen: new Set() });
const keyOf = (row: ListRow): string => comparable(nameOf(row) ?? '');

function push(merged: Merged, row: MergedRow): void {
  merged.rows.push(row);
  const key = keyOf(row.value);
  merged.byName.set(key, [...(merged.byName.get(key) ?? []), row].slice(-MAX_NAMESAKES));
}

const sameIn = ({ byName }: Merged, value: ListRow): MergedRow | undefined =>
  byName.get(keyOf(value))?.find((row) => isSameRow(row.value, value));

/** The page whose list is taken, for those who want to follow it. */
export const bestList = (pages: readonly WeightedPage[], place: ListPlace): PageRows | undefined =>
  listsOf(pages, place).toSorted((a, b) => b.quality - a.quality)[0];

function listsOf(pages: readonly WeightedPage[], place: ListPlace): PageRows[] {
  const lists = pages.map((source) => rowsOf(source, place)).filter(({ rows }) => rows.length > 0);
  const homes = new Map<string, Set<string>>();
  for (const { source, rows } of lists) {
    for (const row of rows) {
      const key = JSON.stringify(row);
      homes.set(key, (homes.get(key) ?? new Set()).add(placeInSeries(source.page.url)?.key ?? source.page.url));
    }
  }
  // Related products, most read articles: what stands on many pages is what no page is about.
  const ownShare = (row: ListRow) => 1 / homes.get(JSON.stringify(row))!.size;
  return lists.map((list) => ({ ...list, quality: qualityOf(list, place.fields, ownShare) }));
}

function rowsOf(source: WeightedPage, { path }: ListPlace): PageRows {
  const { json } = source.page;
  const list = path === '' ? json : isRow(json) ? json[path] : undefined;
  return { source, rows: Array.isArray(list) ? list.filter(isRow) : [], quality: 0 };
}

function qualityOf({ source, rows }: PageRows, fields: readonly string[], ownShare: (row: ListRow) => number): number {
  const share = rows.reduce((sum, row) => sum + filledShare(row, fields), 0) / rows.length;
  const own = rows.reduce((sum, row) => sum + filledShare(row, fields) * ownShare(row), 0);
  const trust = source.isNamed ? Math.max(source.weight, NAMED_TRUST) : source.weight;
  return trust * share * share * Math.log2(1 + own);
}

/** The same list: a page of its series, another page that the caller named, or one of the same template. */
function belongsTo(list: PageRows, best: PageRows, fields: readonly string[]): boolean {
  if (list === best) return true;
  const [own, other] = [placeInSeries(list.source.page.url), placeInSeries(best.source.page.url)];
  if (own && own.key === other?.key) return true;
  const isAsFull = shareOf(list, fields) >= SIMILAR * shareOf(best, fields);
  return list.source.isNamed && best.source.isNamed && isAsFull && list.source.weight >= MIN_WEIGHT;
}

const shareOf = ({ rows }: PageRows, fields: readonly string[]): number =>
  rows.reduce((sum, row) => sum + filledShare(row, fields), 0) / rows.length;

function addRows(merged: Merged, { source, rows }: PageRows, { path }: ListPlace): void {
  for (const [at, value] of rows.entries()) {
    if (merged.rows.length >= MAX_ROWS) return;
    const from = originsOf(value, source.page, `${path}[${at}]`);
    const whole = JSON.stringify(value);
    const same = sameIn(merged, value);
    if (same) complete(same, value, from);
    else if (!merged.seen.has(whole)) push(merged, { value: { ...value }, from });
    merged.seen.add(whole);
  }
}

function completeRows(merged: Merged, { source, rows }: PageRows, { path }: ListPlace): void {
  for (const [at, value] of rows.entries()) {
    const same = sameIn(merged, value);
    if (same) complete(same, value, originsOf(value, source.page, `${path}[${at}]`));
  }
}

/** A page about one row: it adds what the list does not say. */
function addDetail(merged: Merged, { page, name }: ReadRow, fields: readonly string[]): void {
  const value = page.json;
  if (!isRow(value)) return;
  const from = originsOf(value, page, '');
  const known = name === undefined ? sameIn(merged, value) : merged.byName.get(comparable(name))?.[0];
  if (known) complete(known, value, from);
  else if (name === undefined && merged.rows.length < MAX_ROWS && filledShare(value, fields) >= 0.5)
    push(merged, { value: { ...value }, from });
}

function complete(row: MergedRow, more: ListRow, from: MergedRow['from']): void {
  for (const [name, value] of Object.entries(more)) {
    if (!isFilled(value)) continue;
    if (!isFilled(row.value[name])) {
      row.value[name] = value;
      row.from[name] = from[name] ?? [];
    } else if (comparable(row.value[name]) === comparable(value)) row.from[name]?.push(...(from[name] ?? []));
  }
}

const originsOf = (row: ListRow, page: WeightedPage['page'], path: string): MergedRow['from'] =>
  Object.fromEntries(Object.keys(row).map((name) => [name, [{ page, path: path === '' ? name : `${path}.${name}` }]]));

// The rest of a list: its further pages, and the pages about its rows if the list says too little about them.

import type { GatherWork } from '../../understand/gather/gather-work.ts';
import type { ReadRow, SourcePage, WeightedPage } from '../../understand/gather/gathered.ts';
import { bestList } from '../../understand/gather/merge-lists.ts';
import { comparable, filledShare, nameOf } from '../../understand/gather/row-identity.ts';
import { listsIn } from '../../understand/gather/task-words.ts';
import type { JsonSchema } from '../../understand/json/schema/subschemas.ts';
import type { PageReader } from './page-reader.ts';

export interface ListReading {
  pages: WeightedPage[];
  details: ReadRow[];
}

interface ListTools {
  work: GatherWork;
  reader: PageReader;
  /** Whether pages about rows may be read. */
  mayFollow: boolean;
  maxPages: number;
}

const AT_ONCE = 4;
const MAX_DETAILS = 30;
const MIN_SIBLINGS = 2;
/** A list is worth completing if its rows have less than this share of the fields. */
const COMPLETE = 0.95;

/** Adds to `reading` as it goes, so that a run that is cancelled keeps what was read. */
export async function followLists(
  tools: ListTools,
  schema: JsonSchema,
  known: readonly WeightedPage[],
  reading: ListReading,
): Promise<void> {
  for (const { path, row } of listsIn(schema)) {
    const fields = Object.keys((row.properties as object | undefined) ?? {});
    const best = bestList([...known, ...reading.pages], { path, fields });
    if (!best) {
      reading.details.push(...(await readSiblings(tools, row, known)));
      continue;
    }
    const first = reading.pages.length;
    await readSeries(tools, schema, best.source, reading);
    const series = [best.source, ...reading.pages.slice(first)];
    const rows = series.flatMap((source) => bestList([source], { path, fields })?.rows ?? []);
    const share = rows.reduce((sum, each) => sum + filledShare(each, fields), 0) / Math.max(1, rows.length);
    if (share >= COMPLETE || !tools.mayFollow) continue;
    const names = rows.flatMap((each) => nameOf(each) ?? []);
    await readDetails(tools, row, { lists: series, names }, reading);
  }
}

/** The further pages of the list, one after the other where each only links to the next. */
async function readSeries(
  { work, reader, maxPages }: ListTools,
  schema: JsonSchema,
  first: WeightedPage,
  reading: ListReading,
): Promise<void> {
  let open = (await work.links(first.page)).series;
  for (let count = 0; count < maxPages; ) {
    const urls = [...new Set(open)].filter((url) => !reader.isTried(url)).slice(0, AT_ONCE);
    if (urls.length === 0 || reader.ended()) return;
    const pages = await reader.read(urls, { schema });
    for (const page of pages) {
      count++;
      reading.pages.push({ ...first, page });
      open = [...open, ...(await work.links(page)).series];
    }
  }
}

async function readDetails(
  { work, reader }: ListTools,
  row: JsonSchema,
  { lists, names }: { lists: readonly WeightedPage[]; names: readonly string[] },
  reading: ListReading,
): Promise<void> {
  const wanted = new Map(names.map((name) => [comparable(name), name]));
  const urls = new Map<string, string>();
  for (const { page } of lists) {
    for (const { url, title = '' } of (await work.links(page)).links) {
      const name = wanted.get(comparable(title));
      if (name !== undefined && ![...urls.values()].includes(name)) urls.set(url, name);
    }
  }
  const chosen = [...urls].slice(0, MAX_DETAILS);
  for (let at = 0; at < chosen.length && !reader.ended(); at += AT_ONCE) {
    const batch = chosen.slice(at, at + AT_ONCE);
    const pages = await Promise.all(batch.map(([url]) => reader.read([url], { schema: row })));
    for (const [index, [page]] of pages.entries()) if (page) reading.details.push({ page, name: batch[index]![1] });
  }
}

/** No page has the list as one: then each row has its own page, and these pages lie beside each other. */
async function readSiblings(
  { work, reader, mayFollow }: ListTools,
  row: JsonSchema,
  pages: readonly WeightedPage[],
): Promise<ReadRow[]> {
  const linked = mayFollow ? await Promise.all(pages.slice(0, 3).map(({ page }) => contentLinks(work, page))) : [];
  for (const urls of [pages.map(({ page }) => page.url), ...linked].map(largestFamily)) {
    if (urls.length < MIN_SIBLINGS) continue;
    const found = await reader.read(urls.slice(0, MAX_DETAILS), { schema: row });
    const rows = found.filter(({ json }) => json !== undefined);
    if (rows.length >= MIN_SIBLINGS) return rows.map((page) => ({ page }));
  }
  return [];
}

const contentLinks = async (work: GatherWork, page: SourcePage): Promise<string[]> =>
  (await work.links(page)).links.filter(({ isContent }) => isContent).map(({ url }) => url);

/** The largest group of URLs that differ only in the last part of their paths. */
function largestFamily(urls: readonly string[]): string[] {
  const groups = new Map<string, string[]>();
  for (const url of urls) {
    const { origin, pathname } = new URL(url);
    if (pathname === '/') continue;
    const parent = `${origin}${pathname.replace(/\/$/, '').replace(/[^/]*$/, '')}`;
    groups.set(parent, [...(groups.get(parent) ?? []), url]);
  }
  return [...groups.values()].toSorted((a, b) => b.length - a.length)[0] ?? [];
}

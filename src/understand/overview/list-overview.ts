// A list, such as a category of a shop, results or vacancies: what it lists, how many, and the first few.
import type { DataTable, PageRecord } from '../../page/structured-data.ts';
import { pageTitles } from '../data/page-titles.ts';
import type { PassageSpan } from '../passages/find-passages.ts';
import { summarySentences } from '../passages/summarise.ts';
import { isText } from '../product/choose-product-item.ts';
import type { OverviewPage } from './overview-page.ts';
import { ENDED, type Overview, overviewOf, type Places, SENTENCE, shareOf } from './places.ts';

const MIN_ENTRIES = 3;
const SHOWN = 3;
/** Where the entries are less of the page, it is about something else. */
const MIN_SHARE = 0.5;
/** The entries of most lists are shorter; longer ones are chapters of a text. */
const LONG_ENTRY = 600;
const MOST = 0.75;
const SHARED_FIELDS = 2;
const LONG_NAME = 150;
/** Not numbers, and not the rank of a row. */
const HAS_NAME = /\p{L}{2}/u;

interface Listed {
  heading: string | undefined;
  /** What each entry is called. */
  names: string[];
  count: number;
  texts: string[];
}

export function listOverview({ source, places }: OverviewPage): Overview | undefined {
  const { data, title, language } = source;
  if (!data || isText(source)) return undefined;
  const lists = [
    ...data.records.map(listOfRecords),
    ...data.tables.filter(({ header }) => header.length > 0).map(listOfRows),
  ];
  for (const list of lists) {
    const names = shownNames(places, list);
    if (!names) continue;
    const first = names[0]!.start;
    const heading = [...pageTitles(source), list.heading].map((text) => places.of(text)).find(Boolean);
    const page = { ...(title && { title }), ...(language && { language }) };
    const before = places.markdown.slice(0, first);
    const said = summarySentences(before, page).find(({ start, end }) => ENDED.test(before.slice(start, end)));
    const isCounted = heading !== undefined && numbersIn(before.slice(heading.start, heading.end)).includes(list.count);
    const count = isCounted ? '' : ` (${list.count})`;
    const more = list.count > SHOWN ? '; …' : '';
    return overviewOf(places.markdown, [
      ...(heading ? [{ before: '', span: heading, after: count }] : []),
      ...names.slice(0, SHOWN).map((span, at) => ({
        before: at > 0 ? '; ' : ': ',
        span,
        ...(at === SHOWN - 1 && { after: heading ? more : `${more}${count}` }),
      })),
      ...(said ? [{ before: SENTENCE, span: said }] : []),
    ]);
  }
  return undefined;
}

function listOfRecords(records: readonly PageRecord[]): Listed {
  const [{ section } = { section: undefined }] = records;
  const names = records.flatMap((record) => nameOf(record) ?? []);
  return {
    heading: records.every((record) => record.section === section) ? section : undefined,
    names: areAlike(records) || areLinks(records) ? names : [],
    count: records.length,
    texts: records.map(({ text }) => text),
  };
}

/** Entries say the same about each thing, and lead to it or show it; sections of one thing do not. */
function areAlike(records: readonly PageRecord[]): boolean {
  const most = records.length * MOST;
  const counts = new Map<string, number>();
  for (const { fields } of records) {
    for (const label of new Set(fields.map((field) => field.label))) counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  const shared = [...counts.values()].filter((count) => count >= most).length;
  return shared >= SHARED_FIELDS && records.filter(({ href, image }) => href ?? image).length * 2 >= records.length;
}

const areLinks = (records: readonly PageRecord[]): boolean =>
  records.filter(({ title, fields }) => fields.some(({ value, href }) => href && value === title)).length >=
  records.length * MOST;

/** The beginning of the title that is an element of its own, without `Opens in new window`. */
const nameOf = ({ title, fields }: PageRecord): string | undefined =>
  title && (fields.find(({ value }) => value.length > 2 && title.startsWith(`${value} `))?.value ?? title);

const numbersIn = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number);

function listOfRows({ caption, section, rows }: DataTable): Listed {
  return {
    heading: caption ?? section,
    names: rows.flatMap(([name]) => name ?? []),
    count: rows.length,
    texts: rows.map((cells) => cells.join(' ')),
  };
}

/** The places of the names, in the order of the page; undefined if this is not what the page consists of. */
function shownNames(places: Places, { names, texts }: Listed): PassageSpan[] | undefined {
  const named = names.filter((name) => name.length <= LONG_NAME && HAS_NAME.test(name));
  const lengths = texts.map(({ length }) => length).toSorted((a, b) => a - b);
  // `Read more` in each of them is no name.
  if (new Set(named).size < named.length * MOST) return undefined;
  if (named.length < MIN_ENTRIES || named.length * 2 < texts.length) return undefined;
  if (lengths[lengths.length >> 1]! > LONG_ENTRY || shareOf(places, texts) < MIN_SHARE) return undefined;
  let from = 0;
  const shown = named.flatMap((name) => {
    const place = places.of(name, from);
    from = place?.end ?? from;
    return place ?? [];
  });
  return shown.length * 2 >= named.length && shown.length >= MIN_ENTRIES ? shown : undefined;
}

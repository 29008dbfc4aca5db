// Cards of a list, rows of a table and objects of embedded data as named values.
import type { DataItem, DataTable, DataValue, LabelledValue, PageRecord } from '../../../page/structured-data.ts';
import { findAmount } from '../values/read-number.ts';
import { nameOfAddress } from './elements/link-names.ts';
import { type FieldName, fieldName } from './field-names.ts';
import { type FillScope, type NamedValues, NO_GROUPS } from './scope.ts';
import { factsIn } from './text/short-facts.ts';

const NAME = fieldName('name');
const URL_NAME = fieldName('url');
const IMAGE = fieldName('image');
const PRICE = fieldName('price');
const DATE = fieldName('date');
const AVAILABILITY = fieldName('availability');
const ROLE = fieldName('job title');
const CATEGORY = fieldName('category');
/** The heading above a record is its section, and not what else may be called a category. */
const SECTION: FieldName = { words: ['section'], concepts: new Map() };
/** Two to four words in capitals, as people are called. */
const PERSON = /^\p{Lu}[\p{L}.'’-]*(?:\s(?:(?:de|den|von|van|der|la|le|del|di|da|y)\s)?\p{Lu}[\p{L}.'’-]*){1,3}$/u;
const MAX_ROLE = 60;

export const labelled = ({ label, value, href }: LabelledValue, weight: number): NamedValues => ({
  name: fieldName(label),
  values: [{ value, ...(href !== undefined && { href }) }],
  weight,
});

/** Tags that mean something, where nothing else names a part. */
const TAG_MEANINGS: Readonly<Record<string, string>> = {
  p: 'description',
  time: 'date',
  del: 'original price',
  s: 'original price',
  strike: 'original price',
  ins: 'price',
  address: 'address',
};

export function recordScope({
  title: heading,
  href,
  image,
  fields: given,
  text,
  section,
  prices,
}: PageRecord): FillScope {
  const title = heading ?? given.find(({ label }) => label === 'strong' || label === 'b')?.value;
  const struck = given.filter(({ label }) => /^(?:del|s|strike)$/.test(label)).map(({ value }) => value);
  const fields = given.map((field) => ({
    ...field,
    label: (Object.hasOwn(TAG_MEANINGS, field.label) ? TAG_MEANINGS[field.label] : undefined) ?? field.label,
    value: struck.reduce((value, old) => (value === old ? value : value.replace(old, '').trim()), field.value),
  }));
  // Parts without a space between them run together in the text.
  const parts = fields.length > 2 ? fields.map(({ value }) => value).join('\n') : text;
  const whole = struck.reduce((all, old) => all.replace(old, ''), parts);
  const shown = title !== undefined && whole.startsWith(title) ? whole.slice(title.length) : whole;
  const said = (name: FieldName, value: string | undefined, weight: number, link?: string): NamedValues[] =>
    value === undefined ? [] : [{ name, values: [{ value, ...(link !== undefined && { href: link }) }], weight }];
  return {
    named: [
      ...fields.map((field) => labelled(field, 0.9)),
      ...said(NAME, title, 0.85, href),
      ...said(URL_NAME, href, 0.85, href),
      ...said(IMAGE, image, 0.8, image),
      ...said(ROLE, roleOf(title, text), 0.5),
      ...said(prices ? CATEGORY : SECTION, section, 0.55),
      ...said(PRICE, findAmount(shown), 0.6),
      ...said(DATE, text, 0.45),
      ...said(AVAILABILITY, text.length < 300 ? text : undefined, 0.46),
      ...fields.flatMap(({ value }) => factsIn(value, 0.8)),
      ...factsIn(shown, 0.7),
      ...fields.flatMap(({ value, href: link }) => {
        const name = nameOfAddress(link);
        return name === undefined ? [] : said(fieldName(name), value, 0.6, link);
      }),
      ...fields.flatMap(({ label, value, href: link }) => said(fieldName(`${label} link`), link && value, 0.5, link)),
    ],
    groups: NO_GROUPS,
  };
}

/** Below the name of a person stands what they do. */
function roleOf(title: string | undefined, text: string): string | undefined {
  if (title === undefined || !PERSON.test(title)) return undefined;
  const lines = text.split('\n').map((line) => line.trim());
  const [first = ''] = text.startsWith(title) ? [text.slice(title.length).trim().split('\n')[0]!, ...lines] : [];
  return /^\p{L}[^\d@.!?]*$/u.test(first) && first.length <= MAX_ROLE ? first : undefined;
}

/** A row of a table, with the names of its columns. */
export interface RowScope extends FillScope {
  columns: string;
}

export const isRow = (scope: FillScope): scope is RowScope => 'columns' in scope;

/** `links`: addresses by the text of their links. */
export function rowScopes(
  { header, rows, caption, section }: DataTable,
  links: ReadonlyMap<string, string>,
): RowScope[] {
  // The number of a footnote is not part of the name.
  const names = header.map((name) => fieldName(name.replace(/(?<=\p{Ll}{4})\d{1,2}$/u, '')));
  const linked = (value: string) => {
    const href = links.get(value);
    return { value, ...(href !== undefined && { href }) };
  };
  const above = caption ?? section;
  const columns = header.join('\n').toLowerCase();
  return rows.map((row) => ({
    columns,
    named: [
      ...(above === undefined ? [] : [{ name: SECTION, values: [{ value: above }], weight: 0.5 }]),
      ...row.flatMap((value, at): NamedValues[] =>
        names[at] && value !== '' ? [{ name: names[at], values: [linked(value)], weight: 0.9 }] : [],
      ),
      ...row
        .map(linked)
        .filter(({ href }) => href !== undefined)
        .slice(0, 1)
        .map((value) => ({ name: URL_NAME, values: [value], weight: 0.8 })),
      // The first column with words says what the row is about.
      ...row
        .filter((value) => /\p{L}{2}/u.test(value))
        .slice(0, 1)
        .map((value) => ({ name: NAME, values: [linked(value)], weight: 0.6 })),
    ],
    groups: NO_GROUPS,
  }));
}

const MAX_DEPTH = 6;

/** An object of embedded data in the form of an item. */
export function asItem(object: object, depth = 0): DataItem {
  const properties: DataItem['properties'] = {};
  for (const [name, value] of Object.entries(object).slice(0, 200)) {
    const values = (Array.isArray(value) ? value.slice(0, 200) : [value]).flatMap((each) => asDataValue(each, depth));
    if (values.length > 0) properties[name] = values;
  }
  return { syntax: 'json-ld', types: [], properties };
}

function asDataValue(value: unknown, depth: number): DataValue[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value === 'number' || typeof value === 'boolean') return [value];
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth >= MAX_DEPTH) return [];
  return [asItem(value, depth + 1)];
}

// Cards of a list, rows of a table and objects of embedded data as named values.
import type { DataItem, DataTable, DataValue, LabelledValue, PageRecord } from '../../../contracts/structured-data.ts';
import { findAmount } from '../values/read-number.ts';
import { type FieldName, fieldName } from './field-names.ts';
import { type NamedValues, NO_GROUPS, type Scope } from './scope.ts';

const NAME = fieldName('name');
const URL_NAME = fieldName('url');
const IMAGE = fieldName('image');
const PRICE = fieldName('price');
const DATE = fieldName('date');
const AVAILABILITY = fieldName('availability');

export const labelled = ({ label, value, href }: LabelledValue, weight: number): NamedValues => ({
  name: fieldName(label),
  values: [{ value, ...(href !== undefined && { href }) }],
  weight,
});

export function recordScope(record: PageRecord): Scope {
  const { title, href, image, fields, text } = record;
  const said = (name: FieldName, value: string | undefined, weight: number, link?: string): NamedValues[] =>
    value === undefined ? [] : [{ name, values: [{ value, ...(link !== undefined && { href: link }) }], weight }];
  return {
    named: [
      ...fields.map((field) => labelled(field, 0.9)),
      ...said(NAME, title, 0.85, href),
      ...said(URL_NAME, href, 0.85, href),
      ...said(IMAGE, image, 0.8, image),
      ...said(PRICE, findAmount(text), 0.6),
      ...said(DATE, text, 0.45),
      ...said(AVAILABILITY, text.length < 300 ? text : undefined, 0.42),
      ...fields.flatMap(({ label, value, href: link }) => said(fieldName(`${label} link`), link && value, 0.5, link)),
    ],
    groups: NO_GROUPS,
  };
}

export function rowScopes({ header, rows }: DataTable): Scope[] {
  const names = header.map(fieldName);
  return rows.map((row) => ({
    named: [
      ...row.flatMap((value, at): NamedValues[] =>
        names[at] && value !== '' ? [{ name: names[at], values: [{ value }], weight: 0.9 }] : [],
      ),
      // The first column says what the row is about.
      ...(row[0] ? [{ name: NAME, values: [{ value: row[0] }], weight: 0.5 }] : []),
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

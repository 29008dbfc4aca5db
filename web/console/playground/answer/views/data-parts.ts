// How data is shown: lists of objects as tables, everything else as a tree.
import { count } from '../../../ui/data/format.ts';
import { leafText } from '../../../ui/data/json-tree.ts';
import { type Fields, isFields, plainLine } from '../../../ui/data/untrusted.ts';

export interface DataTable {
  title: string;
  columns: string[];
  rows: readonly Fields[];
}

export interface DataParts {
  tables: DataTable[];
  /** What is in no table; undefined if nothing is left. */
  rest: unknown;
}

const MAX_COLUMNS = 12;
const LOOKED_AT = 100;
const MAX_CELL = 300;

export function dataParts(data: unknown, title = 'Data'): DataParts {
  const own = tableOf(title, data);
  if (own) return { tables: [own], rest: undefined };
  if (!isFields(data)) return { tables: [], rest: data };
  const entries = Object.entries(data).map(([name, value]) => ({ name, value, table: tableOf(name, value) }));
  const rest = entries.filter(({ table }) => !table);
  return {
    tables: entries.flatMap(({ table }) => table ?? []),
    rest: rest.length === 0 ? undefined : Object.fromEntries(rest.map(({ name, value }) => [name, value])),
  };
}

/** Undefined unless it is a list of objects. */
function tableOf(title: string, value: unknown): DataTable | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const looked = value.slice(0, LOOKED_AT);
  if (!value.every(isFields)) return undefined;
  const columns = [...new Set(looked.flatMap((row) => Object.keys(row)))];
  return columns.length === 0 || columns.length > MAX_COLUMNS ? undefined : { title, columns, rows: value };
}

/** A cell in one line. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return plainLine(value, MAX_CELL);
  if (Array.isArray(value)) {
    const isPlain = value.length <= 10 && value.every((item) => typeof item !== 'object');
    return isPlain ? plainLine(value.join(', '), MAX_CELL) : `${count(value.length)} items`;
  }
  return typeof value === 'object' ? `${count(Object.keys(value).length)} fields` : leafText(value);
}

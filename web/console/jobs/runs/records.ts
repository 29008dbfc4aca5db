// Data as a table: a list of objects, or an object whose only list is one.
import { isFields, plainLine } from '../../ui/data/untrusted.ts';

export interface Records {
  columns: string[];
  rows: Record<string, string>[];
}

const MAX_COLUMNS = 8;
const MAX_ROWS = 200;
const MAX_CELL = 200;

/** Undefined if it is no list of records. */
export function recordsOf(data: unknown): Records | undefined {
  const list = Array.isArray(data) ? data : onlyListOf(data);
  const records = list?.filter(isFields).slice(0, MAX_ROWS);
  if (!list || !records || records.length === 0 || records.length < Math.min(list.length, MAX_ROWS)) return undefined;
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))].slice(0, MAX_COLUMNS);
  const rows = records.map((record) => Object.fromEntries(columns.map((name) => [name, cellText(record[name])])));
  return { columns, rows };
}

function onlyListOf(data: unknown): unknown[] | undefined {
  if (!isFields(data)) return undefined;
  const lists = Object.values(data).filter(Array.isArray);
  return lists.length === 1 ? lists[0] : undefined;
}

function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return plainLine(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), MAX_CELL);
}

// What the data of a page says, as plain JSON, for requests that name no fields.
import type { DataItem, DataValue } from '../../page/structured-data.ts';
import type { PageSource } from '../../page/understanding.ts';
import { citationsOf } from './citations.ts';
import { mainItem } from './fill/main-item.ts';
import { isItem } from './fill/scope.ts';
import type { CheckedJson } from './json-work.ts';

const MAX_DEPTH = 5;
const MAX_VALUES = 2_000;
const MAX_PAIRS = 100;

export function describePage(source: PageSource): CheckedJson {
  const { items = [], pairs = [] } = source.data ?? {};
  const byId = new Map(items.flatMap((item) => (item.id === undefined ? [] : [[item.id, item] as const])));
  const main = mainItem(items, byId, [], source.title) ?? (items.length === 1 ? items[0] : undefined);
  const left = { count: MAX_VALUES };
  const value = main ? plainItem(main, 0, left) : labelled(pairs.slice(0, MAX_PAIRS));
  if (Object.keys(value).length === 0) return { value: undefined, problems: [], citations: {} };
  return { value, problems: [], citations: citationsOf(value, source) };
}

function plainItem({ types, properties }: DataItem, depth: number, left: { count: number }): Record<string, unknown> {
  const entries: [string, unknown][] = types.length > 0 ? [['type', types[0]]] : [];
  for (const [name, values] of Object.entries(properties)) {
    left.count -= values.length;
    if (left.count < 0) break;
    const plain = values.map((value) => plainValue(value, depth, left)).filter((value) => value !== undefined);
    if (plain.length > 0) entries.push([name, plain.length === 1 ? plain[0] : plain]);
  }
  return Object.fromEntries(entries);
}

function plainValue(value: DataValue, depth: number, left: { count: number }): unknown {
  if (!isItem(value)) return value;
  if (depth >= MAX_DEPTH) return undefined;
  const plain = plainItem(value, depth + 1, left);
  return Object.keys(plain).length > 0 ? plain : value.id;
}

const labelled = (pairs: readonly { label: string; value: string }[]): Record<string, unknown> =>
  Object.fromEntries(pairs.map(({ label, value }) => [label, value]));

// Which group of repeated parts of a page is the list that a schema asks for.
import type { Origin } from '../citations.ts';
import type { SchemaField } from '../schema/schema-field.ts';
import { type FieldName, nameMatch } from './field-names.ts';
import { isRow } from './record-scope.ts';
import type { FillScope, ScopeGroup } from './scope.ts';

export interface FilledRow {
  value: Record<string, unknown>;
  origins: Record<string, Origin>;
}

export type FillRow = (scope: FillScope, at: number) => FilledRow | undefined;

const SAMPLE = 5;
const MIN_SHARE = 0.3;
const SAME_SCORE = 0.9;
const FINER = 1.5;

/** The rows of the best group; what it does not say is taken from rows of other groups that are about the same thing. */
export function chooseGroup(
  groups: readonly ScopeGroup[],
  name: FieldName,
  field: SchemaField,
  fillRow: FillRow,
): FilledRow[] {
  const scored = joined(groups)
    .map((group) => ({ group, score: scoreGroup(group, name, field, fillRow) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  if (!scored[0]) return [];
  const best = finest(scored, field, fillRow);
  const rows = fillGroup(best.group, field, fillRow);
  const missing = field.properties.some(([property]) => rows.every(({ value }) => value[property] === undefined));
  if (!missing) return rows;
  for (const { group } of scored.filter((each) => each !== best).slice(0, 3))
    complete(rows, fillGroup(group, field, fillRow));
  return rows;
}

/** Groups whose rows have the same names, such as tables with the same header, are one list. */
function joined(groups: readonly ScopeGroup[]): ScopeGroup[] {
  const byNames = Map.groupBy(groups, (group) => columnsOf(group) ?? group);
  return [...byNames.values()].flatMap((alike): ScopeGroup[] => {
    const [first] = alike;
    return alike.length === 1 ? [first!] : [{ ...first!, scopes: alike.flatMap(({ scopes }) => scopes) }];
  });
}

const columnsOf = ({ scopes: [first] }: ScopeGroup): string | undefined =>
  first && isRow(first) ? first.columns : undefined;

/** The list, where the list of its sections begins with the same values and seems as good. */
function finest(scored: readonly ScoredGroup[], field: SchemaField, fillRow: FillRow): ScoredGroup {
  const best = scored[0]!;
  const close = scored.slice(1, 6).filter(({ score }) => score >= SAME_SCORE * best.score);
  const wider = close.filter(({ group }) => group.scopes.length >= FINER * best.group.scopes.length);
  if (wider.length === 0) return best;
  const rows = fillGroup(best.group, field, fillRow);
  return wider.find(({ group }) => isInside(rows, fillGroup(group, field, fillRow))) ?? best;
}

/** Has every row of `rows` most of its values in common with one of `others`? */
const isInside = (rows: readonly FilledRow[], others: readonly FilledRow[]): boolean =>
  rows.every(({ value }) => {
    const values = Object.entries(value);
    return others.some(
      (other) => values.filter(([name, each]) => other.value[name] === each).length * 2 > values.length,
    );
  });

interface ScoredGroup {
  group: ScopeGroup;
  score: number;
}

function scoreGroup(
  { scopes, name, weight }: ScopeGroup,
  wanted: FieldName,
  field: SchemaField,
  fillRow: FillRow,
): number {
  const sample = scopes.slice(0, SAMPLE).map((scope, at) => fillRow(scope, at));
  const count = Math.max(1, field.properties.length);
  const share = sample.reduce((sum, row) => sum + (row ? filledCount(row) / count : 0), 0) / Math.max(1, sample.length);
  if (share < Math.min(MIN_SHARE, 1 / count)) return 0;
  const named = name ? nameMatch(wanted, name) : 0;
  const size = Math.min(1, Math.log2(1 + scopes.length) / 4);
  return share * weight * (0.7 + 0.3 * size) + 0.3 * named * share;
}

const filledCount = ({ value }: FilledRow): number =>
  Object.values(value).filter((each) => each !== undefined && each !== null).length;

/** Rows that have little of what most rows have are something else: an advertisement, a heading. */
function fillGroup({ scopes }: ScopeGroup, field: SchemaField, fillRow: FillRow): FilledRow[] {
  const rows = scopes.map((scope, at) => fillRow(scope, at)).filter((row) => row !== undefined);
  const most = Math.max(0, ...rows.map(filledCount));
  const required = [...field.required];
  return rows.filter((row) => {
    const hasRequired = required.every((property) => row.value[property] !== undefined);
    return hasRequired || filledCount(row) > most / 2;
  });
}

function complete(rows: FilledRow[], others: readonly FilledRow[]): void {
  const [ours, byKey] = [rowsByKey(rows), rowsByKey(others)];
  for (const row of rows) {
    const other = keysOf(row)
      .map((key) => (ours.get(key) === row ? byKey.get(key) : undefined))
      .find((found) => found !== undefined && found !== null);
    if (!other) continue;
    for (const [property, value] of Object.entries(other.value)) row.value[property] ??= value;
  }
}

/** Null for what several rows say, such as the link to buy. */
function rowsByKey(rows: readonly FilledRow[]): Map<string, FilledRow | null> {
  const found = new Map<string, FilledRow | null>();
  for (const row of rows) for (const key of new Set(keysOf(row))) found.set(key, found.has(key) ? null : row);
  return found;
}

/** What tells a row from others: its links and its texts of some length. */
const keysOf = ({ value }: FilledRow): string[] =>
  Object.values(value)
    .filter((each): each is string => typeof each === 'string' && each.length >= 6)
    .map((each) => each.toLowerCase().replace(/\s+/g, ' '));

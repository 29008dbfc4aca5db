// Runs a selector program on a page: elements by CSS within a budget of steps, values read as the schema asks for them.

import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import { createPageUrls } from '../../../markup/html/page-urls.ts';
import { createSelect, type Select } from '../../../markup/html/select-nodes.ts';
import { pageTree } from '../../../markup/page-tree/page-tree.ts';
import type { SelectorProgram, SelectorRule } from '../../../page/selector-programs.ts';
import type { PageText } from '../../../page/understanding.ts';
import { squeezed } from '../../../text/words/squeeze.ts';
import { shortText } from '../fill/elements/element-names.ts';
import { type FieldName, fieldName } from '../fill/field-names.ts';
import type { RawValue } from '../fill/scope.ts';
import { fieldOf, type SchemaField } from '../schema/schema-field.ts';
import type { JsonSchema } from '../schema/subschemas.ts';
import { readValue, type ValueContext } from '../values/read-value.ts';
import { pathKey } from './program.ts';

export interface ProgramResult {
  value: unknown;
  /** Why the program does not fit: what is new must select something for each rule, and what its sample says. */
  problems: string[];
  /** The paths of rules that select nothing, or nothing usable, on the whole page. */
  empty: string[];
}

const MAX_TEXT = 20_000;
const MAX_ROWS = 5_000;
const MAX_DEPTH = 8;

interface Run {
  tree: HtmlTree;
  select: Select;
  fieldOf(schema: JsonSchema): SchemaField;
  nameOf(path: string): FieldName;
  rules: ReadonlyMap<string, SelectorRule>;
  lists: ReadonlyMap<string, string>;
  context: ValueContext;
  resolve(value: string): string | undefined;
  problems: string[];
  empty: string[];
  /** The program is new: its samples have to fit. */
  isNew: boolean;
}

const TEXTS: JsonSchema = { type: 'string' };

function memoised<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    if (!known.has(key)) known.set(key, make(key));
    return known.get(key)!;
  };
}

/** A range of nodes: the page, or a row of a list. */
interface Within {
  start: number;
  end: number;
}

/** Throws SelectorTooComplex if the selectors take too many steps. */
export function runProgram(
  schema: JsonSchema,
  program: SelectorProgram,
  source: PageText,
  { isNew }: { isNew: boolean },
): ProgramResult {
  const tree = pageTree(source.html ?? '');
  const urls = createPageUrls(tree, source.url);
  const select = createSelect(tree);
  const run: Run = {
    tree,
    // A rule of a list selects in each row, and a list has thousands of rows.
    select: memoised(select),
    fieldOf: memoised((inner: JsonSchema) => fieldOf(schema, inner)),
    nameOf: memoised((path: string) => fieldName(path.split('.').at(-1)!)),
    rules: new Map(program.rules.map((rule) => [pathKey(rule.path), rule])),
    lists: new Map(program.lists.map(({ path, selector }) => [pathKey(path), selector])),
    context: { url: source.url, ...(source.language !== undefined && { language: source.language }) },
    resolve: (value) => urls.resolve(value),
    problems: [],
    empty: [],
    isNew,
  };
  const value = selectValue(run, run.fieldOf(schema), '', { start: 0, end: tree.size }, 0);
  return { value, problems: run.problems, empty: run.empty };
}

function selectValue(run: Run, field: SchemaField, path: string, within: Within, depth: number): unknown {
  if (depth > MAX_DEPTH) return undefined;
  if (field.kind === 'object') return objectOf(run, field, path, within, depth);
  if (field.kind !== 'array') return scalarOf(run, field, path, within);
  const inner = run.fieldOf(field.items ?? TEXTS);
  return inner.kind === 'object' ? rowsOf(run, inner, path, within, depth) : listOf(run, inner, path, within);
}

function objectOf(run: Run, field: SchemaField, path: string, within: Within, depth: number): unknown {
  const found = field.properties.flatMap(([name, schema]) => {
    const inner = run.fieldOf(schema);
    const value = selectValue(run, inner, path === '' ? name : `${path}.${name}`, within, depth + 1);
    if (value !== undefined) {
      const isLost = within.start === 0 && !run.isNew && field.required.has(name) && isEmptyList(value);
      if (isLost) run.problems.push(`The list \`${name}\` is empty.`);
      return [[name, value] as const];
    }
    return inner.isNullable && field.required.has(name) ? [[name, null] as const] : [];
  });
  return found.some(([, value]) => value !== null) ? Object.fromEntries(found) : undefined;
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

function rowsOf(run: Run, inner: SchemaField, path: string, within: Within, depth: number): unknown {
  const selector = run.lists.get(path);
  if (selector === undefined) return undefined;
  const rows = nodesWithin(run, selector, within).slice(0, MAX_ROWS);
  if (rows.length === 0) noteEmpty(run, path, within, `The list \`${path}\` selects nothing with ${selector}.`);
  return rows
    .map((node) => objectOf(run, inner, path, { start: node, end: run.tree.end[node]! }, depth + 1))
    .filter((row) => row !== undefined);
}

function scalarOf(run: Run, field: SchemaField, path: string, within: Within): unknown {
  const rule = run.rules.get(path);
  if (!rule) return undefined;
  const [node] = nodesWithin(run, rule.selector, within);
  const raw = node === undefined ? undefined : rawOf(run, node, rule.take);
  if (!raw) {
    noteEmpty(run, path, within, `The rule for \`${path}\` selects nothing with ${rule.selector}.`);
    return undefined;
  }
  compareSample(run, rule, raw, within);
  const value = readValue(field, run.nameOf(path), raw, run.context);
  if (value === undefined) {
    const selected = String(raw.value).slice(0, 100);
    noteEmpty(run, path, within, `The rule for \`${path}\` selects "${selected}", which is not a ${field.kind}.`);
  }
  return value;
}

function listOf(run: Run, inner: SchemaField, path: string, within: Within): unknown {
  const rule = run.rules.get(path);
  if (!rule) return undefined;
  const name = run.nameOf(path);
  const values = nodesWithin(run, rule.selector, within)
    .slice(0, MAX_ROWS)
    .flatMap((node) => rawOf(run, node, rule.take) ?? [])
    .map((raw) => readValue(inner, name, raw, run.context))
    .filter((value) => value !== undefined);
  if (values.length === 0) noteEmpty(run, path, within, `The rule for \`${path}\` selects nothing.`);
  return values.length > 0 ? values : undefined;
}

/** A row may lack what others have, and a page what the one has that the program was written for. */
function noteEmpty({ isNew, problems, empty }: Run, path: string, within: Within, problem: string): void {
  if (within.start !== 0) return;
  empty.push(path);
  if (isNew) problems.push(problem);
}

/** The elements in document order; a row may be selected by itself. */
function nodesWithin({ select, problems }: Run, selector: string, { start, end }: Within): number[] {
  const { nodes, problem } = select(selector);
  if (problem !== undefined) problems.push(`${selector} is not a valid selector: ${problem}`);
  return start === 0 ? nodes : nodes.slice(countBelow(nodes, start), countBelow(nodes, end));
}

/** How many of the sorted numbers are below a limit. */
function countBelow(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function rawOf({ tree, resolve }: Run, node: number, take: string): RawValue | undefined {
  const attribute = take === 'text' || take === '' ? undefined : tree.attribute(node, take.toLowerCase());
  const value = take === 'text' || take === '' ? shortText(tree, node, MAX_TEXT) : attribute;
  if (!value) return undefined;
  const href = /^(?:href|src|data-src|action|poster)$/i.test(take) ? resolve(value) : undefined;
  return { value: href ?? value, ...(href !== undefined && { href }) };
}

/** What the model saw in the page must be what its rule selects; in lists only the first row can be compared. */
function compareSample(
  { isNew, problems }: Run,
  { path, sample }: SelectorRule,
  { value }: RawValue,
  within: Within,
): void {
  if (!isNew || within.start !== 0) return;
  const [wanted, found] = [squeezed(sample), squeezed(String(value))];
  if (wanted !== '' && !found.includes(wanted) && !(found !== '' && wanted.includes(found))) {
    problems.push(
      `The rule for \`${path}\` selects "${String(value).slice(0, 100)}" instead of "${sample.slice(0, 100)}".`,
    );
  }
}

// Fills a schema with what the page says, without a language model. Nothing is invented: every value stands on the page.
import type { Reading } from '../../../encoders/reader/reading.ts';
import type { PageSource } from '../../../page/understanding.ts';
import type { PageReadable } from '../../reading/page-reading.ts';
import type { Origin } from '../citations.ts';
import { fieldOf, type SchemaField } from '../schema/schema-field.ts';
import type { JsonSchema } from '../schema/subschemas.ts';
import { joinPath } from '../schema/validator.ts';
import { readValue, textOf } from '../values/read-value.ts';
import { askedName } from './asked-name.ts';
import { type FieldName, fieldName, nameMatch } from './field-names.ts';
import { fillScalar } from './fill-scalar.ts';
import { itemScope } from './item-scope.ts';
import { createJudging, type OpenQuestion } from './judge/judging.ts';
import { chooseGroup, type FilledRow } from './list-groups.ts';
import { pageScope } from './page-scope.ts';
import { type Filling, type RankedValues, type RequestedField, ranked, ruleConfidence } from './ranked.ts';
import { type FillScope, isItem, type NamedValues, type RawValue, standingIn } from './scope.ts';
import { listRows } from './text/text-rows.ts';

export interface Filled {
  value: unknown;
  /** What each value was read from, by its path. */
  origins: Record<string, Origin>;
  /** What the reader can be asked about the page, if the rules are not certain about all fields. */
  open?: OpenFields;
}

export interface OpenFields {
  page: PageReadable;
  questions: readonly OpenQuestion[];
}

export interface FillOptions {
  /** How certain a value must be, 0 to 1. */
  threshold: number;
  /** What the reader has found, by the paths of the fields. */
  readings?: ReadonlyMap<string, Reading>;
}

const MAX_DEPTH = 6;
const MAX_FIELDS = 3_000;
const MAX_ROWS = 1_000;
const MAX_LIST = 500;
const LISTED_IN_ONE_TEXT = ['tags', 'performers', 'actors', 'author'];

export function fillFromPage(schema: JsonSchema, source: PageSource, { threshold, readings }: FillOptions): Filled {
  const field = fieldOf(schema, schema);
  const context = { url: source.url, ...(source.language !== undefined && { language: source.language }) };
  const names = wantedNames(schema, field);
  const judging = createJudging(source, names, readings);
  const filling: Filling = { root: schema, context, origins: {}, left: MAX_FIELDS, threshold, judging };
  const scope = pageScope(source, names, { isList: hasRows(schema, field) });
  const asked: RequestedField = { field, name: askedName(field.title ?? '', field, []), above: [], path: '', depth: 0 };
  const value = fillField(filling, asked, scope);
  const { page, questions } = judging;
  return { value, origins: filling.origins, ...(questions.length > 0 && { open: { page: page(), questions } }) };
}

/** The page is a list if the schema asks for several objects. */
const hasRows = (root: JsonSchema, field: SchemaField): boolean =>
  field.properties.some(([, schema]) => {
    const { kind, items } = fieldOf(root, schema);
    return kind === 'array' && items !== undefined && fieldOf(root, items).kind === 'object';
  });

const wantedNames = (root: JsonSchema, field: SchemaField): FieldName[] =>
  field.properties.map(([name, schema]) => askedName(name, fieldOf(root, schema), []));

function fillField(filling: Filling, asked: RequestedField, scope: FillScope): unknown {
  filling.left -= 1;
  if (filling.left < 0 || asked.depth > MAX_DEPTH) return undefined;
  const { kind, items } = asked.field;
  if (kind === 'object') return fillObject(filling, asked, scope);
  if (kind !== 'array') return fillScalar(filling, asked, scope);
  const inner = fieldOf(filling.root, items ?? { type: 'string' });
  if (inner.kind === 'object' && inner.properties.length > 0) return fillRows(filling, asked, inner, scope);
  return fillList(filling, asked, inner, scope);
}

function fillProperties(
  filling: Filling,
  asked: RequestedField,
  scope: FillScope,
): Record<string, unknown> | undefined {
  const { field, above, path, depth } = asked;
  const found: [string, unknown][] = [];
  let isFilled = false;
  const hasName = field.properties.some(([property, schema]) =>
    askedName(property, fieldOf(filling.root, schema), above).concepts.has('name'),
  );
  for (const [property, schema] of field.properties) {
    const inner = fieldOf(filling.root, schema);
    const called = askedName(property, inner, above);
    const isSubject = !hasName && above.length === 0 && property === field.properties[0]![0] && isPlainText(inner);
    // Rows are named by their first field; a page has much else that could be meant.
    const canName = called.concepts.size === 0 || path.endsWith(']');
    const isFirstOfRow = property === field.properties[0]![0] && path.endsWith(']');
    const name =
      isSubject && canName ? asSubject(called) : withoutWords(called, isFirstOfRow ? called.words : asked.name.words);
    const at = joinPath(path, property);
    const value = fillField(filling, { field: inner, name, above, path: at, depth: depth + 1 }, scope);
    if (value !== undefined) {
      isFilled = true;
      found.push([property, value]);
    } else if (inner.isNullable && field.required.has(property)) found.push([property, null]);
  }
  return isFilled ? Object.fromEntries(found) : undefined;
}

/** The first field of an object usually says what it is about, also if it is called `headliner` or `item`. */
const asSubject = ({ words, concepts }: FieldName): FieldName => ({
  words,
  concepts: new Map([...SUBJECT, ...concepts]),
});
const SUBJECT: ReadonlyMap<string, number> = new Map([['name', 0.65]]);

/** In `members`, a `memberName` is a name. */
function withoutWords({ rest, ...name }: FieldName, above: readonly string[]): FieldName {
  const left = (rest ?? []).filter((word) => !above.includes(word));
  return left.length > 0 ? { ...name, rest: left } : name;
}

const isPlainText = ({ kind, format, choices }: SchemaField): boolean =>
  kind === 'string' && format === undefined && choices === undefined;

/** A nested object is an item of the page's data, or a group of fields of the same thing. */
function fillObject(filling: Filling, asked: RequestedField, scope: FillScope): unknown {
  if (asked.depth === 0) return fillProperties(filling, asked, scope);
  const [best] = ranked(asked, scope).filter(({ named }) => named.values.some(({ value }) => isItem(value)));
  const item = best?.named.values.map(({ value }) => value).find(isItem);
  if (item) {
    const inner = itemScope(item, new Map(), best!.named.weight);
    const named = standingIn('item', inner.named);
    const filled = fillProperties(filling, { ...asked, above: [] }, { ...inner, named });
    if (filled) return filled;
  }
  return fillProperties(filling, { ...asked, above: [...asked.above, ...asked.name.words] }, scope);
}

function fillRows(filling: Filling, asked: RequestedField, inner: SchemaField, scope: FillScope): unknown {
  const { path, depth, name } = asked;
  const fillRow = (row: FillScope, at: number): FilledRow | undefined => {
    const origins: Record<string, Origin> = {};
    const { judging: _, ...byRules } = filling;
    const rowFilling: Filling = { ...byRules, origins };
    const rowPath = `${path}[${at}]`;
    const value = fillProperties(rowFilling, { field: inner, name, above: [], path: rowPath, depth: depth + 1 }, row);
    filling.left = rowFilling.left;
    return value && { value, origins };
  };
  const rows = chooseGroup([...scope.groups(), ...listRows(scope.named, name)], name, inner, fillRow).slice(
    0,
    MAX_ROWS,
  );
  if (rows.length === 0) return undefined;
  for (const [at, { origins }] of rows.entries()) {
    for (const [from, origin] of Object.entries(origins)) {
      filling.origins[
        from.replace(/^(.*?)\[\d+\]/, (_whole, start: string) => (start === path ? `${path}[${at}]` : _whole))
      ] = origin;
    }
  }
  return rows.map(({ value }) => value);
}

function fillList(filling: Filling, asked: RequestedField, inner: SchemaField, scope: FillScope): unknown {
  const { path, name } = asked;
  const isTag = LISTED_IN_ONE_TEXT.some((concept) => name.concepts.has(concept));
  const order = isTag ? ranked(asked, scope) : listsFirst(ranked(asked, scope));
  for (const { named, score } of order) {
    const confidence = ruleConfidence(score);
    if (confidence < filling.threshold) continue;
    const raws = withoutNumbers(named.values.flatMap((raw) => split(raw, named, name)));
    const read = raws
      .map((raw) => ({ raw, value: readValue(inner, name, raw, filling.context) }))
      .filter(({ value }) => value !== undefined && value !== '')
      .slice(0, MAX_LIST);
    if (!isTag && read.length === 1 && isHeadingOnly(read[0]!.raw, name)) continue;
    const unique = read.filter(({ value }, at) => read.findIndex((other) => other.value === value) === at);
    if (unique.length === 0) continue;
    for (const [at, { raw }] of unique.entries()) {
      filling.origins[`${path}[${at}]`] = { text: textOf(raw.value) ?? '', confidence };
    }
    return unique.map(({ value }) => value);
  }
  return undefined;
}

const NUMBERED = /^(?:step|schritt|étape|paso|passo|stap)?\s?(\d{1,2})\s?[.):]\s+/i;

/** Steps that the page itself numbers from one on. */
function withoutNumbers(raws: RawValue[]): RawValue[] {
  const isNumbered = raws.every(
    ({ value }, at) => typeof value === 'string' && Number(NUMBERED.exec(value.slice(0, 30))?.[1]) === at + 1,
  );
  return isNumbered ? raws.map((raw) => ({ ...raw, value: String(raw.value).replace(NUMBERED, '') })) : raws;
}

/** One value is rarely a list: it is a heading, or the whole list in one text. */
const listsFirst = (found: RankedValues[]): RankedValues[] =>
  found.toSorted((a, b) => b.score * listTrust(b) - a.score * listTrust(a));
const listTrust = ({ named }: RankedValues): number => (named.values.length > 1 ? 1 : 0.6);

const isHeadingOnly = ({ value }: RawValue, name: FieldName): boolean =>
  typeof value === 'string' && value.length < 40 && nameMatch(name, fieldName(value)) > 0.6;

/** Keywords stand in one text, separated by commas. */
function split(raw: RawValue, named: NamedValues, name: FieldName): RawValue[] {
  const isJoined = LISTED_IN_ONE_TEXT.some((concept) => name.concepts.has(concept));
  if (!isJoined || named.values.length > 1 || typeof raw.value !== 'string') return [raw];
  const isTags = name.concepts.has('tags');
  return raw.value
    .split(isTags ? /\s*[,;|·]\s*/ : /\s*(?:[,;|·&]|\s(?:and|und|et|y)\s)\s*/)
    .filter((part) => part !== '')
    .map((value) => ({ value }));
}

// Leaves out of a model's answer what stands nowhere on the page. What is judged, chosen or said in the model's own words
// need not stand there: truth values, choices of an `enum`, running text, summaries, translations, classifications.
import type { StandsOnPage } from '../../data/stands-on-page.ts';
import { nameOf } from '../../gather/row-identity.ts';
import { fieldOf, NO_FIELD, type SchemaField } from '../schema/schema-field.ts';
import type { JsonSchema } from '../schema/subschemas.ts';
import { joinPath } from '../schema/validator.ts';

export interface AskedJson {
  schema?: JsonSchema;
  prompt?: string;
}

/** What was left out: a value, or so many entries of a list. */
export interface LeftOut {
  /** In what is left of the answer. */
  path: string;
  entries?: number;
}

/** `value` is undefined if nothing is left of it. */
export interface Pruned {
  value: unknown;
  left: LeftOut[];
}

/** Longer texts are sentences. */
const MAX_FACT = 120;
const MAX_FACT_WORDS = 12;
const JUDGEMENT = /^(?:yes|no|true|false|ja|nein|oui|non|sí|si|sì)$/i;
const OWN_WORDS =
  /\b(?:summar(?:y|ies|i[sz]\w*)|overview|synopsis|tl ?dr|gist|translations?|translated?|classif\w*|categori[sz]\w*|sentiment|paraphras\w*|rephras\w*|own words|explanations?|reasoning|zusammenfass\w*|übersetz\w*|résum\w*|resum(?:e|en|ir|o)\b|traduc\w*|riassun\w*|tradu[iz]\w*|samenvat\w*|vertal\w*)/i;
/** How a model calls its answer to a question if the caller names no fields. */
const ANSWERS = /^(?:answer|verdict|reason|conclusion|message)$/i;
const TRANSLATION = /\b(?:translat(?:e|ed|ion|ions)|übersetz\w*|tradui\w*|traduc\w*|traduz\w*|vertaal\w*)\b/i;
const IN_CENTS = /\b(?:cents?|minor units?)\b/i;

interface Place {
  schema: JsonSchema | undefined;
  /** What the property is called, or the list that the value is in. */
  name: string;
  path: string;
}

interface Kept {
  /** Undefined if it was left out. */
  value: unknown;
  /** How many values in it stand on the page. */
  standing: number;
  /** How many in it do not. */
  invented: number;
}

export function withoutInvented(value: unknown, asked: AskedJson, stands: StandsOnPage): Pruned {
  const pruner = createPruner(asked, stands);
  const { value: kept } = pruner.prune(value, { schema: asked.schema, name: '', path: '' });
  return { value: kept, left: pruner.left };
}

function createPruner(asked: AskedJson, stands: StandsOnPage) {
  const fieldAt = createFields(asked.schema);
  const left: LeftOut[] = [];

  function prune(value: unknown, place: Place): Kept {
    if (Array.isArray(value)) return pruneList(value, place);
    if (typeof value === 'object' && value !== null) return pruneObject(value as Record<string, unknown>, place);
    const field = fieldAt(place.schema);
    if (!mustStand(value, field, place.name, asked)) return { value, standing: 0, invented: 0 };
    if (isSaid(value, field, place.name, stands)) return { value, standing: 1, invented: 0 };
    left.push({ path: place.path });
    return { value: undefined, standing: 0, invented: 1 };
  }

  function pruneList(list: readonly unknown[], { schema, name, path }: Place): Kept {
    const items = itemsOf(fieldAt(schema), schema);
    const kept: Kept & { value: unknown[] } = { value: [], standing: 0, invented: 0 };
    let entries = 0;
    for (const entry of list) {
      const before = left.length;
      const pruned = prune(entry, { schema: items, name, path: `${path}[${kept.value.length}]` });
      kept.standing += pruned.standing;
      kept.invented += pruned.invented;
      if (pruned.invented > 0 && (pruned.value === undefined || isOtherRow(entry, pruned.value))) {
        left.length = before;
        entries += 1;
      } else kept.value.push(pruned.value);
    }
    if (entries > 0) left.push({ path, entries });
    return kept;
  }

  function pruneObject(object: Record<string, unknown>, { schema, path }: Place): Kept {
    const { properties, required } = fieldAt(schema);
    const schemas = new Map(properties);
    const entries: [string, unknown][] = [];
    const total = { standing: 0, invented: 0 };
    for (const [name, value] of Object.entries(object)) {
      const inner = schemas.get(name);
      const pruned = prune(value, { schema: inner, name, path: joinPath(path, name) });
      total.standing += pruned.standing;
      total.invented += pruned.invented;
      if (pruned.value !== undefined) entries.push([name, pruned.value]);
      else if (inner && required.has(name) && fieldAt(inner).isNullable) entries.push([name, null]);
    }
    const isEmpty = path !== '' && total.invented > 0 && total.standing === 0;
    return { ...total, value: isEmpty ? undefined : Object.fromEntries(entries) };
  }

  return { left, prune };
}

/** The words of a list are those of its entries. */
const itemsOf = ({ items, words }: SchemaField, schema: JsonSchema | undefined): JsonSchema | undefined =>
  items && schema && words !== '' && items.description === undefined && items.properties === undefined
    ? { ...items, description: words }
    : items;

/** Without its name, a row says something about nothing. */
function isOtherRow(entry: unknown, kept: unknown): boolean {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return false;
  const name = nameOf(entry as Record<string, unknown>);
  return name !== undefined && !Object.values(kept as object).includes(name);
}

function isSaid(value: unknown, { words }: SchemaField, name: string, stands: StandsOnPage): boolean {
  if (typeof value !== 'number') return stands(value as string);
  return stands(value) || (IN_CENTS.test(`${spaced(name)} ${words}`) && stands(value / 100));
}

const createFields = (root: JsonSchema | undefined) => {
  const known = new Map<JsonSchema, SchemaField>();
  return (schema: JsonSchema | undefined): SchemaField => {
    if (!root || !schema) return NO_FIELD;
    const field = known.get(schema) ?? fieldOf(root, schema);
    known.set(schema, field);
    return field;
  };
};

/** Names, numbers and the like stand on a page; judgements and running text need not. */
export function mustStand(value: unknown, field: SchemaField, name: string, { schema, prompt }: AskedJson): boolean {
  if (field.choices || (typeof value !== 'string' && typeof value !== 'number')) return false;
  if (OWN_WORDS.test(`${spaced(name)} ${field.words}`) || (!schema && ANSWERS.test(name))) return false;
  if (typeof value === 'number') return true;
  if (JUDGEMENT.test(value) || (prompt !== undefined && TRANSLATION.test(prompt))) return false;
  return value.length <= MAX_FACT && value.split(/\s+/, MAX_FACT_WORDS + 1).length <= MAX_FACT_WORDS;
}

const spaced = (name: string): string => name.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').replaceAll(/[_-]+/g, ' ');

const MAX_NAMED = 20;

/** `name`: the key of the Document, or nothing. */
export function leftOutWarnings(name: string, left: readonly LeftOut[]): string[] {
  const written = [...new Set(left.map((each) => words(name, each)))];
  if (written.length === 0) return [];
  const more = written.length > MAX_NAMED ? [`${written.length - MAX_NAMED} more`] : [];
  const all = [...written.slice(0, MAX_NAMED), ...more];
  const list = all.length === 1 ? all[0]! : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
  const isOne = all.length === 1 && (left[0]!.entries ?? 1) === 1;
  const capital = list[0]!.toUpperCase() + list.slice(1);
  return [`${capital} ${isOne ? 'was' : 'were'} left out: ${isOne ? 'it does' : 'they do'} not stand on the page.`];
}

function words(name: string, { path, entries }: LeftOut): string {
  const whole = name === '' || path === '' || path.startsWith('[') ? `${name}${path}` : `${name}.${path}`;
  const at = whole === '' ? 'the answer' : `\`${whole}\``;
  if (entries === undefined) return at;
  return entries === 1 ? `an entry of ${at}` : `${entries} entries of ${at}`;
}

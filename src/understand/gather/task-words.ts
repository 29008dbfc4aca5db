// The words of a task: what its prompt asks about, the names in it, and the fields of its schema.
import { parse as parseHost } from 'tldts';
import { type QueryWord, queryWords } from '../../text/words/terms.ts';
import { readSchema } from '../json/schema/read-schema.ts';
import { fieldOf, type SchemaField } from '../json/schema/schema-field.ts';
import type { JsonSchema } from '../json/schema/subschemas.ts';
import type { GatherGoal } from './gathered.ts';

export interface TaskWord extends QueryWord {
  weight: number;
}

export interface TaskPlan {
  /** What to search the web for. */
  query: string;
  /** URLs and hosts that the prompt names. */
  sites: string[];
  /** The schema asks for several objects. */
  isList: boolean;
  /** The prompt says nothing but which fields are wanted: it is about the pages whose URLs come with it. */
  isAboutUrls: boolean;
}

const MAX_WORDS = 40;
const MAX_QUERY = 200;
const MAX_SITES = 5;
const NAME_WEIGHT = 2;
const FIELD_WEIGHT = 0.35;

/** Words of requests: they say that something is wanted, not what. */
const ASKING = new Set(
  'find list get give show tell extract collect return provide fetch gather look search include including name names every each all information info details detail page pages site sites website websites web current currently please want need know also following available data value values field fields json liste lister trouve donne finde nenne zeige busca lista encuentra dame todos todas tous toutes alle'.split(
    ' ',
  ),
);
/** Words for the page that is given: its place on the site, and what every page has. */
const GIVEN_PAGE = new Set(
  'front home homepage frontpage start startpage main landing index title heading headline startseite titel überschrift accueil titre portada inicio título'.split(
    ' ',
  ),
);
const URL_IN_TEXT =
  /\bhttps?:\/\/[^\s<>"'`]+|\b(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,24}\b(?:\/[^\s<>"'`]*)?/gi;
const PUNCTUATION_AT_END = /[),.;:!?\]}]+$/;

export function planOf({ prompt = '', schema }: GatherGoal): TaskPlan {
  const sites = sitesIn(prompt);
  const isList = schema !== undefined && listsIn(schema).length > 0;
  return { query: queryOf(prompt, schema), sites, isList, isAboutUrls: isAboutUrls(prompt, schema) };
}

function sitesIn(prompt: string): string[] {
  const found = new Set<string>();
  for (const [text] of prompt.matchAll(URL_IN_TEXT)) {
    const url = text.replace(PUNCTUATION_AT_END, '');
    if (/^https?:/i.test(url) || parseHost(url).isIcann) found.add(url);
    if (found.size === MAX_SITES) break;
  }
  return [...found];
}

function queryOf(prompt: string, schema: JsonSchema | undefined): string {
  const text = prompt.replace(URL_IN_TEXT, ' ');
  const wanted = tellingWords(text).map((word) => word.text);
  const words = wanted.length > 0 ? wanted : schema === undefined ? [] : fieldWords(schema);
  return [...new Set(words)].join(' ').slice(0, MAX_QUERY).trim();
}

function isAboutUrls(prompt: string, schema: JsonSchema | undefined): boolean {
  const fields = new Set(
    queryWords(schema === undefined ? '' : fieldWords(schema).join(' ')).flatMap((word) => word.forms),
  );
  return queryWords(prompt.replace(URL_IN_TEXT, ' ')).every(
    ({ isStop, text, forms }) =>
      isStop || ASKING.has(text) || GIVEN_PAGE.has(text) || forms.some((form) => fields.has(form)),
  );
}

/** With their weights: names count more than other words, fields of the schema less. */
export function taskWords({ prompt = '', schema }: GatherGoal): TaskWord[] {
  const text = prompt.replace(URL_IN_TEXT, ' ');
  const names = namesIn(text);
  const own = tellingWords(text).map((word) => ({ ...word, weight: names.has(word.text) ? NAME_WEIGHT : 1 }));
  const fields = schema === undefined ? [] : queryWords(fieldWords(schema).join(' ')).filter(({ isStop }) => !isStop);
  const seen = new Set<string>();
  return [...own, ...fields.map((word) => ({ ...word, weight: FIELD_WEIGHT }))]
    .filter(({ forms }) => !forms.some((form) => seen.has(form)) && forms.every((form) => seen.add(form)))
    .slice(0, MAX_WORDS);
}

/** A name, a number, or something in quotation marks. */
export const isNamed = ({ weight }: TaskWord): boolean => weight === NAME_WEIGHT;

function tellingWords(text: string): QueryWord[] {
  const words = queryWords(text);
  const telling = words.filter(({ isStop, text: word }) => !isStop && !ASKING.has(word));
  return telling.length > 0 ? telling : words.filter(({ isStop }) => !isStop);
}

/** Words with a capital or a digit that do not begin a sentence, and those in quotation marks. */
export function namesIn(text: string): Set<string> {
  const names = new Set<string>();
  const add = (part: string) => {
    for (const word of queryWords(part)) if (!word.isStop) names.add(word.text);
  };
  for (const [, quoted] of text.matchAll(/["“„»‘]([^"”“«’]{2,80})["”“«’]/g)) add(quoted!);
  for (const match of text.matchAll(
    /(?<![.!?:]\s)(?<!^\s*)(?<![\p{L}\p{N}])(?:\p{Lu}[\p{L}\p{N}'’-]*|\p{L}*\d[\p{L}\p{N}.-]*)/gu,
  )) {
    add(match[0]);
  }
  return names;
}

const MAX_FIELDS = 40;

function fieldWords(given: JsonSchema): string[] {
  const words: string[] = [];
  eachField(given, (name) => words.push(...name.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').split(/[^\p{L}\p{N}]+/u)));
  return words.filter((word) => word.length > 1).map((word) => word.toLowerCase());
}

/** The fields of a schema with their paths, the outer ones first, lists as `items[]`. */
export function eachField(given: JsonSchema, visit: (name: string, field: SchemaField, path: string) => void): void {
  const root = readSchema(given);
  const open: { field: SchemaField; path: string }[] = [{ field: fieldOf(root, root), path: '' }];
  let left = MAX_FIELDS;
  for (let next = open.shift(); next; next = open.shift()) {
    const { field, path } = next;
    if (field.kind === 'array' && field.items) open.push({ field: fieldOf(root, field.items), path: `${path}[]` });
    for (const [name, schema] of field.properties) {
      left -= 1;
      if (left < 0) return;
      const inner = fieldOf(root, schema);
      const at = path === '' ? name : `${path}.${name}`;
      visit(name, inner, at);
      if (inner.kind === 'object' || inner.kind === 'array') open.push({ field: inner, path: at });
    }
  }
}

/** The lists of objects that a schema asks for, at the top or in its object: the path, and the schema of a row. */
export function listsIn(given: JsonSchema): { path: string; row: JsonSchema }[] {
  const root = readSchema(given);
  const top = fieldOf(root, root);
  const candidates: { path: string; field: SchemaField }[] =
    top.kind === 'array'
      ? [{ path: '', field: top }]
      : top.properties.map(([path, schema]) => ({ path, field: fieldOf(root, schema) }));
  const { $defs, definitions } = root;
  const shared = { ...($defs !== undefined && { $defs }), ...(definitions !== undefined && { definitions }) };
  return candidates.flatMap(({ path, field }) => {
    const isList = field.kind === 'array' && field.items && fieldOf(root, field.items).properties.length > 0;
    return isList ? [{ path, row: { ...field.items!, ...shared } }] : [];
  });
}

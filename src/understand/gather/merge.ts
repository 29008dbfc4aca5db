// One answer from many pages: for each field the value that the best pages agree on, for each list the rows of its pages.
// Nothing is invented: what no page says stays missing.
import type { Citation } from '../../page/understanding.ts';
import { mergeParts, own } from '../json/extract/merge-parts.ts';
import { schemaProblems } from '../json/json-work.ts';
import { readSchema } from '../json/schema/read-schema.ts';
import { fieldOf, type SchemaField } from '../json/schema/schema-field.ts';
import type { JsonSchema } from '../json/schema/subschemas.ts';
import { joinPath } from '../json/schema/validator.ts';
import type { MergedData, ReadRow, SourcePage, WeightedPage } from './gathered.ts';
import { mergeLists } from './merge-lists.ts';
import { comparable, isFilled, isRow } from './row-identity.ts';

const UNCITED = 0.8;
/** Pages that fit this much worse than the best one say nothing about it. */
const MIN_WEIGHT = 0.05;
const DISAGREEMENT = 0.4;
const MAX_SHOWN = 80;
const MAX_CONTRADICTIONS = 20;
const MAX_FREE = 50;

interface Merging {
  root: JsonSchema;
  merged: MergedData;
  details: readonly ReadRow[];
}

interface Candidate {
  source: WeightedPage;
  value: unknown;
}

export function mergePages(given: JsonSchema, pages: readonly WeightedPage[], details: readonly ReadRow[]): MergedData {
  const root = readSchema(given);
  const merged: MergedData = { value: undefined, problems: [], sources: {}, citations: {}, contradictions: [] };
  const candidates = pages.map((source) => ({ source, value: source.page.json }));
  merged.value = mergeField({ root, merged, details }, fieldOf(root, root), '', candidates);
  if (merged.value !== undefined) merged.problems = schemaProblems(root, merged.value);
  return merged;
}

/** Without a schema, lists are joined, and other values are taken from the best page. */
export function mergeFree(pages: readonly WeightedPage[]): MergedData {
  const filled = pages.filter(({ page }) => isFilled(page.json)).slice(0, MAX_FREE);
  const value = filled.length === 0 ? undefined : mergeParts(filled.map(({ page }) => page.json));
  const merged: MergedData = { value, problems: [], sources: {}, citations: {}, contradictions: [] };
  for (const name of Object.keys(isRow(value) ? value : {})) {
    const places = filled.filter(({ page }) => isRow(page.json) && isFilled(own(page.json, name)));
    cite(
      merged,
      name,
      places.map(({ page }) => ({ page, path: name })),
      Array.isArray(value) ? undefined : (value as Record<string, unknown>)[name],
    );
  }
  return merged;
}

function mergeField(merging: Merging, field: SchemaField, path: string, candidates: Candidate[]): unknown {
  const { root } = merging;
  const rowField = field.kind === 'array' && field.items ? fieldOf(root, field.items) : undefined;
  if (rowField && rowField.properties.length > 0 && !path.includes('.'))
    return mergeRows(merging, rowField, path, candidates);
  const filled = candidates.filter(
    ({ source, value }) => isFilled(value) && (field.kind === 'object' || source.weight >= MIN_WEIGHT),
  );
  if (field.kind === 'object' && field.properties.length > 0) return mergeObject(merging, field, path, filled);
  const meant = filled.filter(({ source }) => source.isMeant);
  return mergeScalar(merging, path, meant.length > 0 ? meant : filled);
}

function mergeObject(merging: Merging, field: SchemaField, path: string, candidates: Candidate[]): unknown {
  const found: [string, unknown][] = [];
  let isAnyFilled = false;
  for (const [name, schema] of field.properties) {
    const inner = fieldOf(merging.root, schema);
    const values = candidates.flatMap(({ source, value }) =>
      isRow(value) ? [{ source, value: own(value, name) }] : [],
    );
    const at = joinPath(path, name);
    const value = mergeField(merging, inner, at, values);
    if (value !== undefined) {
      isAnyFilled = true;
      found.push([name, value]);
    } else if (inner.isNullable && field.required.has(name)) found.push([name, null]);
  }
  return isAnyFilled ? Object.fromEntries(found) : undefined;
}

/** Also for lists of plain values: those of one page belong together. */
function mergeScalar({ merged }: Merging, path: string, candidates: Candidate[]): unknown {
  const groups = new Map<string, { value: unknown; votes: number; sources: Candidate[] }>();
  for (const candidate of candidates) {
    const { page, weight } = candidate.source;
    const key = comparable(candidate.value);
    const group = groups.get(key) ?? { value: candidate.value, votes: 0, sources: [] };
    group.votes += weight * sureness(page, path);
    group.sources.push(candidate);
    groups.set(key, group);
  }
  const [best, second] = [...groups.values()].toSorted((a, b) => b.votes - a.votes);
  if (!best) return undefined;
  const byWeight = best.sources.toSorted((a, b) => b.source.weight - a.source.weight);
  cite(
    merged,
    path,
    byWeight.map(({ source }) => ({ page: source.page, path })),
    byWeight[0]!.value,
  );
  if (second && second.votes >= DISAGREEMENT * best.votes && merged.contradictions.length < MAX_CONTRADICTIONS) {
    merged.contradictions.push(disagreement(path, best, second));
  }
  return byWeight[0]!.value;
}

/** How certain the page is; of a value without a place on it nothing is known. */
const sureness = (page: SourcePage, path: string): number => page.citations?.[nameOf(path)]?.confidence ?? UNCITED;

const disagreement = (path: string, ...groups: { value: unknown; sources: Candidate[] }[]): string =>
  `Pages disagree about \`${path}\`: ${groups
    .map(({ value, sources }) => `${JSON.stringify(value).slice(0, MAX_SHOWN)} (${sources[0]!.source.page.url})`)
    .join(', ')}. The first was used.`;

function mergeRows(merging: Merging, row: SchemaField, path: string, candidates: Candidate[]): unknown {
  const fields = row.properties.map(([name]) => name);
  const sources = candidates.map(({ source }) => source);
  const rows = mergeLists(sources, { path, fields }, merging.details);
  for (const [at, { value, from }] of rows.entries()) {
    for (const [name, places] of Object.entries(from))
      cite(merging.merged, `${path}[${at}].${name}`, places, value[name]);
  }
  return rows.length > 0 ? rows.map(({ value }) => value) : undefined;
}

interface Place {
  page: SourcePage;
  /** In the `json` of the page. */
  path: string;
}

const MAX_CITED = 2_000;

/** Notes the pages that a value comes from, and where it stands in the first one; for lists and objects, each of their parts. */
function cite({ sources, citations }: MergedData, path: string, places: readonly Place[], value: unknown): void {
  const first = places[0];
  if (!first || Object.keys(sources).length >= MAX_CITED) return;
  sources[path] = [...new Set(places.map(({ page }) => page.url))];
  const citation = citationOf(first.page, first.path);
  if (citation) citations[path] = citation;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, found] of Object.entries(first.page.citations ?? {})) {
    const inner = key.slice(nameOf(first.path).length);
    if (key.startsWith(nameOf(first.path)) && /^[.[]/.test(inner) && isVerified(first.page, found)) {
      citations[`${path}${inner}`] = found;
    }
  }
}

const nameOf = (path: string): string => (path === '' || path.startsWith('[') ? `json${path}` : `json.${path}`);

function citationOf(page: SourcePage, path: string): Citation | undefined {
  const found = page.citations?.[nameOf(path)];
  return found && isVerified(page, found) ? found : undefined;
}

/** Only what stands on the page is quoted. Beyond the part of a long page that was kept, nothing can be checked. */
const isVerified = ({ markdown }: SourcePage, { text, start, end }: Citation): boolean =>
  markdown.slice(start, end) === text;

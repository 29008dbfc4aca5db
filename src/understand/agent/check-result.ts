// Checks what an agent has found: against the caller's schema, and against the pages that were read. Runs in the understand
// thread. A value has a source if a page says it, or if a page contains the passage that the model quotes for it.
import type { Citation } from '../../page/understanding.ts';
import { standsOnPage } from '../data/stands-on-page.ts';
import { citationsOf, leavesOf } from '../json/citations.ts';
import { mustStand } from '../json/extract/invented.ts';
import { finishData, removeAt } from '../json/json-work.ts';
import { fieldOf, NO_FIELD, type SchemaField } from '../json/schema/schema-field.ts';
import type { JsonSchema } from '../json/schema/subschemas.ts';
import { claimedValue, type SourceClaim } from './draft.ts';
import { findQuote } from './find-quote.ts';

export interface CitablePage {
  /** After redirects. */
  url: string;
  requested?: string;
  markdown: string;
  language?: string;
}

export interface ResultToCheck {
  schema?: JsonSchema;
  data: unknown;
  claims: readonly SourceClaim[];
  pages: readonly CitablePage[];
}

export interface CheckedResult {
  value: unknown;
  /** What the schema demands and the value does not fulfil. */
  problems: string[];
  citations: Record<string, Citation>;
  /** Paths of values that no page confirms. */
  unsourced: string[];
}

/** What runs in the thread. */
export interface AgentWork {
  check(result: ResultToCheck): Promise<CheckedResult>;
  /** The same without values that no page confirms, as far as the schema can do without them. */
  confirm(result: ResultToCheck): Promise<CheckedResult>;
}

/** All pages together. Later ones are left out: what they say then has no source. */
const MAX_TEXT = 4_000_000;

export function checkResult({ schema, data, claims, pages }: ResultToCheck): CheckedResult {
  const { value, problems } = finishData(schema, data);
  const leaves = leavesOf(value);
  const said = new Map(claims.toReversed().map((claim) => [claim.value, claim]));
  const citations: Record<string, Citation> = {};
  for (const page of withinRoom(pages)) {
    const found = withoutPrefix(citationsOf(value, page));
    for (const { leaf, path } of leaves) {
      const claim = said.get(claimedValue(path, leaf));
      const isNamed = claim !== undefined && isPage(page, claim.url);
      const literal = Object.hasOwn(found, path) ? found[path] : undefined;
      const citation = isNamed ? (quoted(claim, page) ?? literal) : literal;
      // The page that the model names comes first: other pages may say the same by chance.
      if (citation && (citations[path] === undefined || isNamed)) {
        citations[path] = citation;
      }
    }
  }
  const unsourced = leaves.map(({ path }) => path).filter((path) => !Object.hasOwn(citations, path));
  return { value, problems, citations, unsourced };
}

function quoted({ quote }: SourceClaim, { url, markdown }: CitablePage): Citation | undefined {
  const place = findQuote(markdown, quote);
  return place && { url, text: markdown.slice(place.start, place.end), ...place };
}

/** A fact that nobody has read is worse than a missing one. Where the schema needs it, it stays and has no source. */
export function confirmResult(result: ResultToCheck): CheckedResult {
  const { schema, pages } = result;
  const checked = checkResult(result);
  const kept = structuredClone(checked.value);
  const leaves = new Map(leavesOf(kept).map(({ path, leaf }) => [path, leaf]));
  const stands = withinRoom(pages).map(standsOnPage);
  const said = new Set<string>();
  for (const path of checked.unsourced) {
    const leaf = leaves.get(path);
    if (!mustStand(leaf, fieldAt(schema, path), path, schema ? { schema } : {})) continue;
    if (stands.some((isOn) => isOn(leaf as string | number))) {
      said.add(path);
      continue;
    }
    const without = structuredClone(kept);
    removeAt(without, path);
    if (isSameList(finishData(schema, without).problems, checked.problems)) removeAt(kept, path);
  }
  const last = checkResult({ ...result, data: kept });
  return { ...last, unsourced: last.unsourced.filter((path) => !said.has(path)) };
}

const isSameList = (a: readonly string[], b: readonly string[]): boolean => a.join('\n') === b.join('\n');

function fieldAt(schema: JsonSchema | undefined, path: string): SchemaField {
  let at: JsonSchema | undefined = schema;
  for (const part of path.match(/[^.[\]]+/g) ?? []) {
    if (!schema || !at) return NO_FIELD;
    const { kind, items, properties } = fieldOf(schema, at);
    at = kind === 'array' ? items : properties.find(([name]) => name === part)?.[1];
  }
  return schema && at ? fieldOf(schema, at) : NO_FIELD;
}

function withinRoom(pages: readonly CitablePage[]): CitablePage[] {
  let room = MAX_TEXT;
  return pages.filter(({ markdown }) => {
    room -= markdown.length;
    return room >= 0;
  });
}

const bare = (url: string): string => url.replace(/[/#]+$/, '');
const isPage = ({ url, requested = url }: CitablePage, named: string): boolean =>
  bare(named) === bare(url) || bare(named) === bare(requested);

const withoutPrefix = (citations: Record<string, Citation>): Record<string, Citation> =>
  Object.fromEntries(Object.entries(citations).map(([path, citation]) => [path.replace(/^json\.?/, ''), citation]));

// Checks what an agent has found: against the caller's schema, and against the pages that were read. Runs in the understand
// thread. A value has a source if a page says it, or if a page contains the passage that the model quotes for it.
import type { Citation } from '../../page/understanding.ts';
import { citationsOf, leavesOf } from '../json/citations.ts';
import { finishAnswers, removeAt } from '../json/json-work.ts';
import { fieldOf } from '../json/schema/schema-field.ts';
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
const NOWHERE = { url: '', markdown: '' };

export function checkResult({ schema, data, claims, pages }: ResultToCheck): CheckedResult {
  const { value, problems } = finishAnswers(schema, [data], NOWHERE);
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
  const checked = checkResult(result);
  const kept = structuredClone(checked.value);
  const leaves = new Map(leavesOf(kept).map(({ path, leaf }) => [path, leaf]));
  for (const path of checked.unsourced) {
    if (!isFact(leaves.get(path)) || isChoice(result.schema, path)) continue;
    const without = structuredClone(kept);
    removeAt(without, path);
    if (isSameList(finishAnswers(result.schema, [without], NOWHERE).problems, checked.problems)) removeAt(kept, path);
  }
  return checkResult({ ...result, data: kept });
}

const isSameList = (a: readonly string[], b: readonly string[]): boolean => a.join('\n') === b.join('\n');

const MAX_FACT_WORDS = 12;

/** Names, numbers and the like stand on a page. Sentences and judgements (true, false) may be the model's own words. */
const isFact = (leaf: unknown): boolean =>
  typeof leaf === 'number' ||
  (typeof leaf === 'string' && leaf.split(/\s+/, MAX_FACT_WORDS + 1).length <= MAX_FACT_WORDS);

/** The words of a choice are the schema's, not the page's. */
function isChoice(schema: JsonSchema | undefined, path: string): boolean {
  if (!schema) return false;
  let at: JsonSchema | undefined = schema;
  for (const part of path.match(/[^.[\]]+/g) ?? []) {
    if (!at) return false;
    const { kind, items, properties } = fieldOf(schema, at);
    at = kind === 'array' ? items : properties.find(([name]) => name === part)?.[1];
  }
  return at !== undefined && fieldOf(schema, at).choices !== undefined;
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

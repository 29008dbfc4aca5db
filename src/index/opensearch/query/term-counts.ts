// How many pages a viewer may see, and how many of them have which terms: what the weight of a word depends on.
import type { Viewer } from '../../../page/page-owner.ts';
import type { PageDocuments } from '../engine/page-store.ts';
import { indexedTerm, wordField } from '../ingest/page-document.ts';
import type { Statistics, TermCount } from './score-clauses.ts';

const TERMS_AT_ONCE = 400;
const ALL_PAGES = { term: { kind: 'page' } };

const pagesOf = (viewer: Viewer) => ({ bool: { filter: [ALL_PAGES, { terms: { owner: viewer } }] } });

export async function countVisible(store: PageDocuments, viewer: Viewer): Promise<Omit<Statistics, 'countOf'>> {
  const [visible, all] = await store.search([
    { size: 0, track_total_hits: true, query: pagesOf(viewer), aggs: { length: { sum: { field: 'length' } } } },
    { size: 0, track_total_hits: true, query: ALL_PAGES },
  ]);
  return {
    total: visible!.hits.total!.value,
    totalLength: visible!.aggregations!.length.value as number,
    all: all!.hits.total!.value,
  };
}

export async function countTerms(
  store: PageDocuments,
  viewer: Viewer,
  terms: readonly string[],
): Promise<Map<string, TermCount>> {
  const groups: string[][] = [];
  for (let at = 0; at < terms.length; at += TERMS_AT_ONCE) groups.push(terms.slice(at, at + TERMS_AT_ONCE));
  const answers = await store.search(
    groups.flatMap((group) => [countEach(group, pagesOf(viewer)), countEach(group, ALL_PAGES)]),
  );
  const counts = new Map<string, TermCount>();
  for (const [at, group] of groups.entries()) {
    const [visible, all] = [answers[2 * at]!, answers[2 * at + 1]!].map(
      ({ aggregations }) => aggregations!.terms.buckets as { doc_count: number }[],
    );
    for (const [index, term] of group.entries())
      counts.set(term, { visible: visible![index]!.doc_count, all: all![index]!.doc_count });
  }
  return counts;
}

const countEach = (terms: readonly string[], query: object) => ({
  size: 0,
  track_total_hits: false,
  query,
  aggs: { terms: { filters: { filters: terms.map((term) => ({ term: { [wordField(term)]: indexedTerm(term) } })) } } },
});

// What was fetched for a search, as the index that our own ranking reads: the candidates and their terms as columns and
// postings in memory, with counts of words from OpenSearch.
import { createPageColumns, type PageColumns } from '../../pages/page-columns.ts';
import type { PageRows } from '../../pages/page-rows.ts';
import { urlKey } from '../../pages/url-key.ts';
import { MAX_WEIGHT } from '../../ranking/bm25.ts';
import { type LoadedWord, Ranker } from '../../ranking/ranker.ts';
import type { Census } from '../../segments/census.ts';
import { DocTable } from '../../segments/doc-table.ts';
import type { InvertedIndex, RankedWord } from '../../segments/inverted-index.ts';
import { termHash } from '../../segments/postings/term-hash.ts';
import { weightOf } from '../ingest/term-weights.ts';
import type { FetchedCandidate, SearchFetch } from './fetched.ts';

export interface LocalIndex {
  columns: PageColumns;
  pageRows: Pick<PageRows, 'texts' | 'content' | 'images' | 'anchors' | 'links'>;
  invertedIndex: Pick<
    InvertedIndex,
    'docCount' | 'rank' | 'docsWithAll' | 'wordScore' | 'completions' | 'docFrequency' | 'wordFrequency'
  >;
  census: Census;
  page(docId: number): FetchedCandidate;
  docsMatching(name: string): number[];
  linkingHosts(target: number): number[];
}

export function createLocalIndex(fetched: SearchFetch): LocalIndex {
  // As in the embedded index, a page that changed later has a higher id.
  const pages = [...fetched.pages.values()].sort((a, b) => a.change - b.change || (a.id < b.id ? -1 : 1));
  const columns = createPageColumns();
  const docs = new DocTable();
  for (const [at, { facts, length }] of pages.entries()) {
    columns.add({ ...facts, id: at + 1 });
    docs.put(at + 1, length);
  }
  for (const host of fetched.linkingHosts) columns.hosts.id(host);
  const page = (docId: number) => pages[docId - 1]!;
  const statistics = fetched.statistics();
  const census: Census = { ...statistics, docsWith: ({ df }) => df };
  const docFrequency = (term: string) => statistics.countOf(term)?.visible ?? 0;
  const load = (word: RankedWord) => loadWord(pages, word, docFrequency);
  const ranker = new Ranker(docs);
  return {
    columns,
    census,
    page,
    pageRows: rowsOf(fetched, page),
    invertedIndex: {
      docCount: statistics.total,
      rank: ({ words, ...request }) => ranker.rank(words.map(load), request),
      docsWithAll: (words) => ranker.withAll(words.map(load)),
      wordScore: (word, docId) => ranker.wordScore(load(word), docId, census),
      completions: ({ prefix, most }) => fetched.completions(prefix).slice(0, most),
      docFrequency,
      wordFrequency: ({ forms }) => forms.reduce((sum, form) => sum + docFrequency(form), 0),
    },
    docsMatching: (name) => pages.flatMap(({ matches }, at) => (matches.has(name) ? [at + 1] : [])),
    linkingHosts: (target) => fetched.linksTo(target).map(({ host }) => urlKey(host)),
  };
}

/** The postings of a word among what was fetched. */
function loadWord(
  pages: readonly FetchedCandidate[],
  { forms, weight }: RankedWord,
  docFrequency: (term: string) => number,
): LoadedWord {
  const terms = [...new Set(forms)];
  const hashes = terms.map(termHash);
  const docIds: number[] = [];
  const weights: number[] = [];
  for (const [at, page] of pages.entries()) {
    const sum = hashes.reduce((total, hash) => total + weightOf(page.weights, hash), 0);
    if (sum === 0) continue;
    docIds.push(at + 1);
    weights.push(Math.min(MAX_WEIGHT, sum));
  }
  return {
    df: terms.reduce((sum, term) => sum + docFrequency(term), 0),
    weight,
    lists: [{ docIds: Int32Array.from(docIds), weights: Uint8Array.from(weights) }],
  };
}

const rowsOf = (fetched: SearchFetch, page: (docId: number) => FetchedCandidate): LocalIndex['pageRows'] => ({
  texts: (id) => ({ ...page(id).texts, id }),
  content: (id) => fetched.content(page(id).id),
  images: (id) => [...(fetched.content(page(id).id)?.images ?? [])],
  anchors: (id) => [...(fetched.content(page(id).id)?.anchors ?? [])],
  links: (id) => [...(fetched.content(page(id).id)?.links ?? [])],
});

// `related:` finds pages of other hosts that resemble a host. The best pages of the host supply the terms; links in
// either direction show which hosts belong together.
import { middleOf } from '../../text/text-vectors.ts';
import { eachTerm } from '../../text/words/terms.ts';
import { isWithin } from '../../urls/categories.ts';
import type { ByMeaning } from '../meaning/by-meaning.ts';
import type { LinkGraph } from '../pages/link-graph.ts';
import type { PageColumns } from '../pages/page-columns.ts';
import { IS_FRONT_PAGE } from '../pages/page-facts.ts';
import type { PageRows } from '../pages/page-rows.ts';
import { pageKey, urlKey } from '../pages/url-key.ts';
import type { ScoredDoc } from '../ranking/diversify.ts';
import { CUTOFF, MEANING, RELATED } from '../ranking/ranking-weights.ts';
import type { Census } from '../segments/census.ts';
import type { InvertedIndex, RankedWord } from '../segments/inverted-index.ts';
import type { CandidateList } from './candidates.ts';
import { type Searched, visibleDocs } from './column-filter.ts';
import type { DocSets, SearchScope } from './search-scope.ts';
import type { CensusOf } from './viewer-census.ts';

const MODEL_PAGES = 5;
const MODEL_TEXT = 20_000;
/** Terms whose frequency is looked up, and terms used for the search. */
const FREQUENT_TERMS = 150;
const SALIENT_TERMS = 16;
/** A page is related if it has this many of the terms, or if links connect the hosts. */
const SHARED_TERMS = 3;
export const MAX_RELATED = 300;
const SHORTEST_TERM = 3;
/** A term is too common to be useful when it occurs in more pages than both this number and this share of all pages. */
const COMMON_PAGES = 3;
const COMMON_SHARE = 0.2;

export interface RelatedSearch extends DocSets {
  /** Ranks by similarity; absent when the query has no `related:` clause. */
  order?(scope: SearchScope): CandidateList;
}

export interface RelatedPages {
  forQuery(search: Searched): RelatedSearch;
}

/** Told what is about to be read, so that an index elsewhere can fetch it. */
export interface RelatedReads {
  pagesOf(host: string, search: Searched): void;
  pagesWithKeys(keys: readonly number[]): void;
  /** Pages of other hosts with these words, and the best page of each linked host. */
  similar(to: { host: string; words: readonly RankedWord[]; linked: readonly string[]; search: Searched }): void;
}

export interface RelatedParts {
  columns: PageColumns;
  pageRows: Pick<PageRows, 'texts' | 'content' | 'links'>;
  links: Pick<LinkGraph, 'linkingHosts'>;
  invertedIndex: Pick<InvertedIndex, 'rank' | 'docFrequency' | 'docCount'>;
  byMeaning: ByMeaning;
  censusOf: CensusOf;
  reads?: RelatedReads;
}

export function createRelatedPages(parts: RelatedParts): RelatedPages {
  const { columns, pageRows, links, invertedIndex, byMeaning, censusOf, reads } = parts;

  /** Related pages of other hosts, best first. Pages that the viewer may not see have no part in this. */
  function similarTo(host: string, search: Searched): ScoredDoc[] {
    reads?.pagesOf(host, search);
    const isVisible = visibleDocs(columns, search);
    const isOwn = Uint8Array.from(columns.hosts.list, (name) => (isWithin(name, host) ? 1 : 0));
    const own = pagesOf(isOwn).filter(isVisible).slice(0, MAX_RELATED);
    const linked = linkedHosts(host, search.viewer, own, isOwn);
    const census = censusOf(search.viewer);
    const words = salientWords(parts, own.slice(0, MODEL_PAGES), host, census);
    reads?.similar({ host, words, linked: [...linked].map((id) => columns.hosts.list[id]!), search });
    const filter = new Uint8Array(columns.end);
    const boosts = new Float32Array(columns.end);
    const bestOfHost = new Map<number, number>();
    for (let docId = 1; docId < columns.end; docId++) {
      const id = columns.host[docId]!;
      if (id === 0 || isOwn[id] === 1 || !isVisible(docId)) continue;
      filter[docId] = 1;
      if (!linked.has(id)) continue;
      boosts[docId] = RELATED.linkedHost;
      const known = bestOfHost.get(id);
      if (known === undefined || columns.staticRank[docId]! > columns.staticRank[known]!) bestOfHost.set(id, docId);
    }
    const { hits } = invertedIndex.rank({ words, census, filter, boosts, depth: MAX_RELATED });
    const enoughTerms = Math.min(SHARED_TERMS, words.length);
    const cutoff = (hits[0]?.score ?? 0) * CUTOFF.score;
    const similar = hits.filter(
      ({ docId, covered, score }) => boosts[docId]! > 0 || (covered >= enoughTerms && score >= cutoff),
    );
    const ranked = withMeaning(byMeaning, similar, own.slice(0, MODEL_PAGES), filter);
    const known = new Set(ranked.map(({ docId }) => docId));
    const others = [...bestOfHost.values()].filter((docId) => !known.has(docId));
    return [...ranked, ...others.map((docId) => ({ docId, score: columns.staticRank[docId]! }))];
  }

  /** The pages with the best static rank first. */
  function pagesOf(isHost: Uint8Array): number[] {
    const docIds: number[] = [];
    for (let docId = 1; docId < columns.end; docId++) if (isHost[columns.host[docId]!] === 1) docIds.push(docId);
    const rank = (docId: number) =>
      columns.staticRank[docId]! + ((columns.flags[docId]! & IS_FRONT_PAGE) !== 0 ? RELATED.frontPage : 0);
    return docIds.sort((a, b) => rank(b) - rank(a) || b - a);
  }

  function linkedHosts(
    host: string,
    viewer: Searched['viewer'],
    own: readonly number[],
    isOwn: Uint8Array,
  ): Set<number> {
    const found = new Set<number>();
    const byKey = new Map(columns.hosts.list.map((name, id) => [urlKey(name), id]));
    const targets = new Set(viewer.map((owner) => pageKey(owner, `http://${host}/`)));
    for (const docId of own) targets.add(columns.key[docId]!);
    for (const target of targets) {
      for (const key of links.linkingHosts(target)) found.add(byKey.get(key) ?? 0);
    }
    for (const docId of own.slice(0, MODEL_PAGES)) {
      const targets = pageRows.links(docId).map(([target]) => target);
      reads?.pagesWithKeys(targets);
      for (const other of targets.flatMap(columns.docsWithKey)) found.add(columns.host[other]!);
    }
    return new Set([...found].filter((id) => id !== 0 && isOwn[id] === 0));
  }

  return {
    forQuery(search) {
      const { clauses } = search.query;
      const clausesOf = (isNegated: boolean) =>
        clauses.filter((clause) => clause.kind === 'related').filter(({ negated }) => negated === isNegated);
      const without = clausesOf(true).flatMap(({ host }) => similarTo(host, search).map(({ docId }) => docId));
      const [first, ...others] = clausesOf(false).map(({ host }) => similarTo(host, search));
      if (!first) return { without };
      const common = others.map((list) => new Set(list.map(({ docId }) => docId)));
      const wanted = first.filter(({ docId }) => common.every((docIds) => docIds.has(docId)));
      return {
        without,
        only: [wanted.map(({ docId }) => docId)],
        order: ({ filter }) => ({ isComplete: true, list: wanted.filter(({ docId }) => filter?.[docId] === 1) }),
      };
    },
  };
}

/** Few pages with the same words are joined by those that are about the same as the models. */
function withMeaning(
  byMeaning: ByMeaning,
  list: readonly ScoredDoc[],
  models: readonly number[],
  filter: Uint8Array,
): ScoredDoc[] {
  const middle = middleOf(models.flatMap((docId) => byMeaning.vectorOf(docId) ?? []));
  if (!middle) return [...list];
  const weighed = byMeaning.weigh(list, middle);
  if (list.length >= MEANING.few) return weighed;
  const known = new Set(list.map(({ docId }) => docId));
  const limits = { most: MEANING.few, atLeast: MEANING.atLeast };
  return [...weighed, ...byMeaning.nearest(middle, { filter }, limits).filter(({ docId }) => !known.has(docId))];
}

/** Terms that these pages use more than others do. */
function salientWords(
  { pageRows, invertedIndex }: RelatedParts,
  pages: readonly number[],
  host: string,
  census: Census | undefined,
): RankedWord[] {
  const docCount = census?.total ?? invertedIndex.docCount;
  const counts = new Map<string, number>();
  for (const docId of pages) countTerms(pageRows, docId, counts);
  for (const label of host.split('.')) counts.delete(label);
  const frequent = [...counts].sort(([, a], [, b]) => b - a).slice(0, FREQUENT_TERMS);
  return (
    frequent
      .map(([term, count]) => {
        const frequency = invertedIndex.docFrequency(term, census);
        return {
          term,
          frequency,
          weight: Math.log2(1 + count) * Math.log(1 + docCount / (1 + frequency)),
        };
      })
      // Terms that other pages use too, but not too many of them.
      .filter(({ frequency }) => frequency > 1 && frequency <= Math.max(COMMON_PAGES, docCount * COMMON_SHARE))
      .sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1))
      .slice(0, SALIENT_TERMS)
      .map(({ term }) => ({ forms: [term], weight: 1 }))
  );
}

function countTerms(pageRows: RelatedParts['pageRows'], docId: number, counts: Map<string, number>): void {
  const texts = pageRows.texts(docId);
  const content = pageRows.content(docId);
  if (!texts || !content) return;
  const text = `${texts.title}\n${content.headings}\n${content.body.slice(0, MODEL_TEXT)}`;
  eachTerm(text, texts.language, (term) => {
    if (term.length >= SHORTEST_TERM) counts.set(term, (counts.get(term) ?? 0) + 1);
  });
}

// Searches pages or news, and builds the hits.
import { bestPassage, saysLess } from '../../text/passages/passages.ts';
import type { IndexSearch, PageHit, PassageSearch, TextSearch } from '../page-index.ts';
import type { PageColumns } from '../pages/page-columns.ts';
import type { IndexedText } from '../pages/page-rows.ts';
import { pageKey } from '../pages/url-key.ts';
import { visibleDocs } from './column-filter.ts';
import { withCompounds } from './compounds.ts';
import { type LazyPage, openLazyPage } from './lazy-page.ts';
import type { PageRanking, RankedPage, SearchParts } from './page-ranking.ts';
import { type QueryTerms, queryTerms } from './query-terms.ts';

const DEPTHS = [200, 1_000, 5_000];

export function createPageSearch(
  { columns, invertedIndex, censusOf }: SearchParts,
  { rank }: PageRanking,
): (search: IndexSearch, isNews: boolean) => PageHit[] {
  return (search, isNews) => {
    const terms = withCompounds(queryTerms(search.query), invertedIndex, censusOf(search.viewer));
    const { results } = rank(search, { terms, isNews, depths: DEPTHS, readAtLeast: search.limit });
    return results.map((one) => toHit(one, columns, terms, search.highlights));
  };
}

const passageOf = ({ body, texts }: LazyPage, terms: QueryTerms): string | undefined =>
  terms.words.length > 0 ? bestPassage(body, texts.language, terms) : undefined;

/** The best passage of each page; null if the index does not have it, or nothing in it fits. */
export function createPassages(parts: SearchParts): (wanted: PassageSearch) => (string | null)[] {
  return (wanted) => {
    const terms = queryTerms(wanted.query);
    return pagesOf(parts, wanted).map((page) => (page && passageOf(page, terms)) ?? null);
  };
}

/** The text of each page; null if the index does not have it. */
export function createPageTexts(parts: SearchParts): (wanted: TextSearch) => (IndexedText | null)[] {
  return (wanted) => pagesOf(parts, wanted).map((page) => (page ? { headings: page.headings, body: page.body } : null));
}

function pagesOf({ pageRows, columns }: SearchParts, wanted: TextSearch): (LazyPage | undefined)[] {
  const { viewer, urls } = wanted;
  const isVisible = visibleDocs(columns, wanted);
  return urls.map((url) => {
    const [docId] = viewer.flatMap((owner) => columns.docsWithKey(pageKey(owner, url))).filter(isVisible);
    return docId === undefined ? undefined : openLazyPage(pageRows, docId);
  });
}

function toHit(result: RankedPage, columns: PageColumns, terms: QueryTerms, highlights: boolean): PageHit {
  const { docId, score, covered, page } = result;
  const { url, title, description, texts } = page;
  const hit: PageHit = {
    url,
    title,
    description,
    date: columns.date[docId]!,
    isPublished: texts.published === 1,
    fileType: columns.types.list[columns.type[docId]!]!.split(',')[0]!,
    isVerified: columns.verified[docId] === 1,
    score,
    coverage: covered === undefined ? 1 : covered / terms.words.length,
  };
  const passage = highlights ? passageOf(page, terms) : undefined;
  if (passage !== undefined && !saysLess(passage, description, terms.words)) hit.highlight = passage;
  if (texts.image !== null) hit.imageUrl = texts.image;
  return hit;
}

// A search for pages or news: candidates, a closer look at the best of them, and what is shown of those that fit.
import { bestPassage } from '../text/passages.ts';
import { arrange, type Candidate, isCopy } from './arrange.ts';
import { type CandidateRequest, createCandidates, type Found } from './candidates.ts';
import { namesHosts } from './column-filter.ts';
import type { Columns } from './columns.ts';
import type { Documents } from './documents.ts';
import { type OpenPage, openPage } from './open-page.ts';
import type { IndexSearch, PageHit } from './page-index.ts';
import type { Postings } from './postings/postings.ts';
import { proximity } from './proximity.ts';
import type { Related } from './related.ts';
import type { Matcher } from './scope.ts';
import { CLOSENESS } from './weights.ts';
import { type SearchWords, searchWords } from './words.ts';

/** How many candidates are looked at; more only where too many of them turned out not to fit. */
const DEPTHS = [200, 1_000, 5_000];

export interface SearchParts {
  documents: Documents;
  columns: Columns;
  postings: Postings;
  matcher: Matcher;
  related: Related;
}

interface Shown extends Candidate {
  page: OpenPage;
}

export function createPageSearch(parts: SearchParts): (search: IndexSearch, isNews: boolean) => PageHit[] {
  const { documents, columns, postings, matcher, related } = parts;
  const candidates = createCandidates(postings, columns);

  return (search, isNews) => {
    const { query, conditions, limit } = search;
    const asked = searchWords(query);
    const likeness = related.asked(query);
    const scope = matcher.scope(query, conditions, { news: isNews }, likeness);
    const pages = new Map<number, OpenPage | undefined>();
    const read = (number: number) => {
      if (!pages.has(number)) pages.set(number, openPage(documents, number));
      return pages.get(number);
    };
    const verdicts = new Map<number, boolean>();
    const fits = (number: number, page: OpenPage) => {
      const known = verdicts.get(number) ?? scope.fits(number, page);
      verdicts.set(number, known);
      return known;
    };

    const gather = (request: CandidateRequest): Found => {
      if (conditions.sortByDate) return candidates.byDate(request);
      if (asked.ranked.length === 0) return likeness.order?.(scope) ?? candidates.byStanding(request);
      const { isAll, list } = candidates.byWords(request);
      return { isAll, list: closerLook(list, asked, limit, read) };
    };
    const open = (candidate: Candidate, shown: readonly Shown[]): Shown | undefined => {
      const page = read(candidate.number);
      if (!page || !fits(candidate.number, page)) return undefined;
      return shown.some((other) => isCopy(other.page.texts, page.texts)) ? undefined : { ...candidate, page };
    };

    let shown: Shown[] = [];
    for (const depth of DEPTHS) {
      const { list, isAll } = gather({ search, scope, asked, isNews, depth });
      shown = arrange(list, {
        limit,
        isCrowded: !conditions.sortByDate && !namesHosts(query, conditions),
        hostOf: ({ number }) => columns.host[number]!,
        open,
      });
      if (isAll || shown.length >= limit) break;
    }
    return shown.map((one) => toHit(one, columns, asked, search.highlights));
  };
}

/** All words in one page, and side by side: added to the scores of the best, in the unit of the best. */
function closerLook(
  hits: readonly (Candidate & { covered: number })[],
  { words }: SearchWords,
  limit: number,
  read: (number: number) => OpenPage | undefined,
): Candidate[] {
  const unit = hits[0]?.score ?? 0;
  const isKeywords = words.length > 1 && words.length <= CLOSENESS.allWordsUpTo;
  const scored = hits.map(({ number, score, covered }) => ({
    number,
    covered,
    score: score + (isKeywords && covered === words.length ? unit * CLOSENESS.allWords : 0),
  }));
  scored.sort(byScore);
  if (words.length < 2 || words.length > CLOSENESS.proximityUpTo) return scored;
  const most = unit * CLOSENESS.proximity;
  // What cannot come to be shown even so is not read.
  const floor = (scored[limit - 1]?.score ?? 0) - most;
  for (const candidate of scored.slice(0, CLOSENESS.proximityDepth)) {
    if (candidate.score < floor) break;
    const page = read(candidate.number);
    if (page) candidate.score += most * proximity(`${page.title}\n${page.body}`, words);
  }
  return scored.sort(byScore);
}

const byScore = (a: Candidate, b: Candidate): number => b.score - a.score || b.number - a.number;

function toHit(shown: Shown, columns: Columns, asked: SearchWords, highlights: boolean): PageHit {
  const { number, score, covered, page } = shown;
  const { url, title, description, texts } = page;
  const hit: PageHit = {
    url,
    title,
    description,
    date: columns.date[number]!,
    isPublished: texts.published === 1,
    fileType: columns.types.list[columns.type[number]!]!.split(',')[0]!,
    score,
    coverage: covered === undefined ? 1 : covered / asked.words.length,
  };
  const passage = highlights && asked.words.length > 0 ? bestPassage(page.body, texts.language, asked) : undefined;
  if (passage !== undefined) hit.highlight = passage;
  if (texts.image !== null) hit.imageUrl = texts.image;
  return hit;
}

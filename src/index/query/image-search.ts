// Searches images: pages are ranked by the texts of their images, then each image by its own text.

import { namesHosts, type Query, type SizeClause } from '../../contracts/search/search-query.ts';
import type { EntryImage } from '../../page/index-entry.ts';
import { containsPhrase } from '../../text/passages/find-phrase.ts';
import { eachTerm } from '../../text/words/terms.ts';
import { extensionOf } from '../../urls/categories.ts';
import { imageTerm, imageText, sizeTerm } from '../ingest/analyse-page.ts';
import type { ImageHit, IndexSearch } from '../page-index.ts';
import type { PageColumns } from '../pages/page-columns.ts';
import type { ShownTexts } from '../pages/page-rows.ts';
import { diversify, type ScoredDoc } from '../ranking/diversify.ts';
import { IMAGES } from '../ranking/ranking-weights.ts';
import type { CandidateList } from './candidates.ts';
import { openLazyPage } from './lazy-page.ts';
import type { SearchParts } from './page-ranking.ts';
import { type QueryTerms, queryTerms } from './query-terms.ts';

const DEPTHS = [40, 400, 2_500];

interface ImageCandidate extends ScoredDoc {
  image: EntryImage;
  texts: ShownTexts;
}

export function createImageSearch(parts: SearchParts): (search: IndexSearch) => ImageHit[] {
  const { pageRows, columns, candidates, scopes, relatedPages, censusOf } = parts;

  return (search) => {
    const { query, conditions, limit } = search;
    const terms = queryTerms(query);
    // Word and file type clauses apply to the image, not to its page.
    const pageQuery: Query = {
      ...query,
      clauses: query.clauses.filter(({ kind }) => !['word', 'phrase', 'filetype'].includes(kind)),
    };
    const related = relatedPages.forQuery(search);
    const exact = query.clauses.find((clause) => clause.kind === 'imagesize' && !clause.negated) as
      | SizeClause
      | undefined;
    const matches = exact ? [{ term: sizeTerm(exact.width, exact.height) }] : [];
    const scope = scopes.build({ ...search, query: pageQuery }, { images: true }, { ...related, matches });
    const imageTerms = {
      ...terms,
      ranked: terms.ranked.map(({ forms, weight }) => ({ forms: forms.map(imageTerm), weight })),
    };
    const fitsClauses = imagePredicate(query);
    const census = censusOf(search.viewer);

    const imagesOf = ({ list }: CandidateList): ImageCandidate[] => {
      const best = list[0]?.score ?? 1;
      const images = list.flatMap(({ docId, score }) => {
        const page = openLazyPage(pageRows, docId);
        if (!page || !scope.fits(docId, page)) return [];
        const imageScore = createImageScorer(page.texts, terms, score / best);
        return pageRows
          .images(docId)
          .filter((image) => fitsClauses(image, page.title))
          .map((image) => ({ docId, image, texts: page.texts, score: imageScore(image) }))
          .filter((candidate): candidate is ImageCandidate => candidate.score !== undefined);
      });
      const { date } = columns;
      const byDate = (a: ScoredDoc, b: ScoredDoc) => (conditions.sortByDate ? date[b.docId]! - date[a.docId]! : 0);
      return images.sort((a, b) => byDate(a, b) || b.score - a.score || b.docId - a.docId);
    };

    let results: ImageCandidate[] = [];
    // The newest images may rank low, so a search by date goes to full depth at once.
    for (const depth of conditions.sortByDate ? DEPTHS.slice(-1) : DEPTHS) {
      const request = { search, scope, census, terms: imageTerms, isNews: false, depth };
      const pages: CandidateList =
        imageTerms.ranked.length > 0 ? candidates.byWords(request) : candidates.byStaticRank(request);
      results = diversify(eachOnce(imagesOf(pages)), {
        limit,
        limitHosts: !conditions.sortByDate && !namesHosts(query, conditions),
        hostOf: ({ docId }) => columns.host[docId]!,
        open: (candidate) => candidate,
      });
      if (pages.isComplete || results.length >= limit) break;
    }
    return results.map((one) => toHit(one, columns));
  };
}

/** Scores an image, mostly by its own text; undefined if neither that nor the page's title matches. */
function createImageScorer({ title, language }: ShownTexts, { ranked }: QueryTerms, pageScore: number) {
  const shareIn = (text: string): number => {
    if (ranked.length === 0) return 1;
    const terms = new Set<string>();
    eachTerm(text, language, (term) => terms.add(term));
    return ranked.filter(({ forms }) => forms.some((form) => terms.has(form))).length / ranked.length;
  };
  const inTitle = shareIn(title);
  return (image: EntryImage): number | undefined => {
    const own = shareIn(imageText(image));
    if (own === 0 && inTitle === 0) return undefined;
    return own * IMAGES.own + inTitle * IMAGES.title + pageScore * IMAGES.page + sizeBoost(image);
  };
}

/** Icons and rules are rarely what a search is for. */
function sizeBoost({ width, height }: EntryImage): number {
  if (!width || !height) return 0;
  const side = Math.min(width, height);
  return side < IMAGES.tinySide ? -IMAGES.tiny : side >= IMAGES.largeSide ? IMAGES.large : 0;
}

/** The clauses that each image has to satisfy. */
function imagePredicate({ clauses }: Query): (image: EntryImage, title: string) => boolean {
  const isOfType = typePredicate(clauses);
  const predicates = clauses.flatMap((clause) => {
    const { kind, negated } = clause;
    if (kind === 'imagesize' || kind === 'larger') {
      // An image of unknown size has no wanted size, but is not excluded by an unwanted one either.
      return [(image: EntryImage) => (sizeHolds(clause, image) ?? false) === !negated];
    }
    if (kind === 'phrase' || (kind === 'word' && negated)) {
      const { text } = clause;
      return [
        (image: EntryImage, title: string) =>
          (containsPhrase(imageText(image), text) || containsPhrase(title, text)) === !negated,
      ];
    }
    return [];
  });
  return (image, title) => isOfType(image) && predicates.every((predicate) => predicate(image, title));
}

/** One of the wanted types, if any, and none of the unwanted ones. */
function typePredicate(clauses: Query['clauses']): (image: EntryImage) => boolean {
  const terms = clauses.filter((clause) => clause.kind === 'filetype');
  if (terms.length === 0) return () => true;
  const [unwanted, wanted] = [true, false].map((negated) =>
    terms.filter((clause) => clause.negated === negated).map(({ extension }) => normalType(extension)),
  ) as [string[], string[]];
  return ({ url }) => {
    const type = normalType(extensionOf(new URL(url)));
    return (wanted.length === 0 || wanted.includes(type)) && !unwanted.includes(type);
  };
}

const normalType = (extension: string): string => (extension === 'jpeg' ? 'jpg' : extension);

/** Undefined when the size is unknown. */
function sizeHolds(clause: SizeClause, { width, height }: EntryImage): boolean | undefined {
  if (!width || !height) return undefined;
  return clause.kind === 'imagesize'
    ? width === clause.width && height === clause.height
    : width > clause.width && height > clause.height;
}

function eachOnce(images: readonly ImageCandidate[]): ImageCandidate[] {
  const seen = new Set<string>();
  return images.filter(({ image: { url } }) => !seen.has(url) && seen.add(url));
}

function toHit({ docId, image, texts, score }: ImageCandidate, { verified }: PageColumns): ImageHit {
  const hit: ImageHit = {
    title: image.alt || image.caption || texts.title,
    url: texts.url,
    imageUrl: image.url,
    isVerified: verified[docId] === 1,
    score,
  };
  if (image.width) hit.width = image.width;
  if (image.height) hit.height = image.height;
  return hit;
}

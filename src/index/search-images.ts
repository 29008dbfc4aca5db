// A search for pictures: their pages are ranked by what is said of the pictures on them, then each picture by its own words.
import type { EntryImage } from '../contracts/index-entry.ts';
import type { Query, SizeClause } from '../contracts/search-query.ts';
import { holdsPhrase } from '../text/phrase.ts';
import { eachTerm } from '../text/terms.ts';
import { extensionOf } from '../util/categories.ts';
import { imageTerm, imageText, sizeTerm } from './analyse.ts';
import { arrange, type Candidate } from './arrange.ts';
import { createCandidates, type Found } from './candidates.ts';
import { namesHosts } from './column-filter.ts';
import type { Texts } from './documents.ts';
import { openPage } from './open-page.ts';
import type { ImageHit, IndexSearch } from './page-index.ts';
import type { SearchParts } from './search-pages.ts';
import { IMAGES } from './weights.ts';
import { type SearchWords, searchWords } from './words.ts';

const DEPTHS = [40, 400, 2_500];

interface ImageCandidate extends Candidate {
  image: EntryImage;
  texts: Texts;
}

export function createImageSearch(parts: SearchParts): (search: IndexSearch) => ImageHit[] {
  const { documents, columns, postings, matcher, related } = parts;
  const candidates = createCandidates(postings, columns);

  /** Pages that have a picture of exactly that size. */
  const pagesWithSize = ({ width, height }: SizeClause) => {
    const words = [{ forms: [sizeTerm(width, height)], weight: 1 }];
    return postings.rank({ words, depth: Math.max(1, postings.count) }).hits.map(({ number }) => number);
  };

  return (search) => {
    const { query, conditions, limit } = search;
    const asked = searchWords(query);
    // Words and types, wanted or not, are meant of the picture and not of its page.
    const ofPage: Query = {
      ...query,
      clauses: query.clauses.filter(({ kind }) => !['word', 'phrase', 'filetype'].includes(kind)),
    };
    const likeness = related.asked(query);
    const exact = query.clauses.find((clause) => clause.kind === 'imagesize' && !clause.negated) as
      | SizeClause
      | undefined;
    const only = [...(likeness.only ?? []), ...(exact ? [pagesWithSize(exact)] : [])];
    const scope = matcher.scope(ofPage, conditions, { images: true }, { only, without: likeness.without });
    const onImages = {
      ...asked,
      ranked: asked.ranked.map(({ forms, weight }) => ({ forms: forms.map(imageTerm), weight })),
    };
    const isWanted = imageTest(query);

    const imagesOf = ({ list }: Found): ImageCandidate[] => {
      const best = list[0]?.score ?? 1;
      const images = list.flatMap(({ number, score }) => {
        const page = openPage(documents, number);
        if (!page || !scope.fits(number, page)) return [];
        const measure = createMeasure(page.texts, asked, score / best);
        return documents
          .images(number)
          .filter((image) => isWanted(image, page.title))
          .map((image) => ({ number, image, texts: page.texts, score: measure(image) }))
          .filter((candidate): candidate is ImageCandidate => candidate.score !== undefined);
      });
      const { date } = columns;
      const byDate = (a: Candidate, b: Candidate) => (conditions.sortByDate ? date[b.number]! - date[a.number]! : 0);
      return images.sort((a, b) => byDate(a, b) || b.score - a.score || b.number - a.number);
    };

    let shown: ImageCandidate[] = [];
    // The newest may fit less well than many others: to find them, all are looked at from the start.
    for (const depth of conditions.sortByDate ? DEPTHS.slice(-1) : DEPTHS) {
      const request = { search, scope, asked: onImages, isNews: false, depth };
      const pages: Found = onImages.ranked.length > 0 ? candidates.byWords(request) : candidates.byStanding(request);
      shown = arrange(eachOnce(imagesOf(pages)), {
        limit,
        isCrowded: !conditions.sortByDate && !namesHosts(query, conditions),
        hostOf: ({ number }) => columns.host[number]!,
        open: (candidate) => candidate,
      });
      if (pages.isAll || shown.length >= limit) break;
    }
    return shown.map(toHit);
  };
}

/** How well a picture fits, by its own words first; undefined: nothing about it was asked for. */
function createMeasure({ title, language }: Texts, { ranked }: SearchWords, ofPage: number) {
  const partIn = (text: string): number => {
    if (ranked.length === 0) return 1;
    const terms = new Set<string>();
    eachTerm(text, language, (term) => terms.add(term));
    return ranked.filter(({ forms }) => forms.some((form) => terms.has(form))).length / ranked.length;
  };
  const inTitle = partIn(title);
  return (image: EntryImage): number | undefined => {
    const own = partIn(imageText(image));
    if (own === 0 && inTitle === 0) return undefined;
    return own * IMAGES.own + inTitle * IMAGES.title + ofPage * IMAGES.page + sizeFit(image);
  };
}

/** Icons and lines are hardly ever what is looked for. */
function sizeFit({ width, height }: EntryImage): number {
  if (!width || !height) return 0;
  const side = Math.min(width, height);
  return side < IMAGES.tinySide ? -IMAGES.tiny : side >= IMAGES.largeSide ? IMAGES.large : 0;
}

/** What is asked of each picture itself. */
function imageTest({ clauses }: Query): (image: EntryImage, title: string) => boolean {
  const isOfType = typeTest(clauses);
  const tests = clauses.flatMap((clause) => {
    const { kind, negated } = clause;
    if (kind === 'imagesize' || kind === 'larger') {
      // A size that nobody knows fits none, and is not among the unwanted ones.
      return [(image: EntryImage) => (sizeHolds(clause, image) ?? false) === !negated];
    }
    if (kind === 'phrase' || (kind === 'word' && negated)) {
      const { text } = clause;
      return [
        (image: EntryImage, title: string) =>
          (holdsPhrase(imageText(image), text) || holdsPhrase(title, text)) === !negated,
      ];
    }
    return [];
  });
  return (image, title) => isOfType(image) && tests.every((test) => test(image, title));
}

/** One of the wanted types, if there are any, and none of the unwanted. */
function typeTest(clauses: Query['clauses']): (image: EntryImage) => boolean {
  const asked = clauses.filter((clause) => clause.kind === 'filetype');
  if (asked.length === 0) return () => true;
  const [unwanted, wanted] = [true, false].map((negated) =>
    asked.filter((clause) => clause.negated === negated).map(({ extension }) => typeName(extension)),
  ) as [string[], string[]];
  return ({ url }) => {
    const type = typeName(extensionOf(new URL(url)));
    return (wanted.length === 0 || wanted.includes(type)) && !unwanted.includes(type);
  };
}

const typeName = (extension: string): string => (extension === 'jpeg' ? 'jpg' : extension);

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

function toHit({ image, texts, score }: ImageCandidate): ImageHit {
  const hit: ImageHit = {
    title: image.alt || image.caption || texts.title,
    url: texts.url,
    imageUrl: image.url,
    score,
  };
  if (image.width) hit.width = image.width;
  if (image.height) hit.height = image.height;
  return hit;
}

// Says what the score of a page consists of. The parts add up to the score, except for rounding.
import { eachTerm } from '../../../text/words/terms.ts';
import { fieldTexts, type PageField } from '../../ingest/analyse-page.ts';
import type { ScorePart } from '../../page-index.ts';
import { boostParts } from '../../ranking/boosts.ts';
import { FIELD_WEIGHTS } from '../../ranking/ranking-weights.ts';
import type { RankedPage, RankedPages, SearchParts } from '../page-ranking.ts';

export function explainScore(
  parts: SearchParts,
  { order, request }: Pick<RankedPages, 'order' | 'request'>,
  ranked: RankedPage,
): ScorePart[] {
  if (order === 'date') return [];
  if (order === 'meaning') return [{ part: 'meaning', value: ranked.score }];
  if (order === 'similarity') return [{ part: 'similarity', value: ranked.score }];
  // Pages that say it in other words have no other score.
  if (ranked.covered === 0) return [{ part: 'meaning', value: ranked.score }];
  const boosts = boostParts(parts.columns, parts.candidates.boostRequest(request), ranked.docId);
  const all: ScorePart[] = [
    ...(order === 'words' ? wordParts(parts, request, ranked) : []),
    { part: 'allWords', value: ranked.allWords ?? 0 },
    { part: 'proximity', value: ranked.proximity ?? 0 },
    { part: 'meaning', value: ranked.meaning ?? 0 },
    ...boosts,
  ];
  return all.filter(({ part, value }) => part === 'word' || value !== 0);
}

function wordParts(
  { invertedIndex, pageRows }: SearchParts,
  { terms, census }: RankedPages['request'],
  { docId, page }: RankedPage,
): ScorePart[] {
  const texts: Record<PageField, string> = { ...fieldTexts(page), anchors: pageRows.anchors(docId).join('\n') };
  const { language } = page.texts;
  return terms.ranked.map((word, at): ScorePart => {
    const { score, docs, weight } = invertedIndex.wordScore(word, docId, census);
    return {
      part: 'word',
      value: score,
      word: terms.words[at]!.text,
      pages: docs,
      occurrences: weight === 0 ? {} : countIn(texts, language, new Set(word.forms)),
    };
  });
}

function countIn(
  texts: Record<PageField, string>,
  language: string,
  forms: ReadonlySet<string>,
): Partial<Record<PageField, number>> {
  const counts: Partial<Record<PageField, number>> = {};
  for (const field of Object.keys(FIELD_WEIGHTS) as (keyof typeof FIELD_WEIGHTS)[]) {
    let count = 0;
    eachTerm(texts[field], language, (term) => {
      if (forms.has(term)) count += 1;
    });
    if (count > 0) counts[field] = count;
  }
  return counts;
}

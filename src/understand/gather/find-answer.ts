// The passages of many pages that answer a question, verbatim.
import type { Citation } from '../../page/understanding.ts';
import { quoted } from '../passages/cite.ts';
import {
  answerPassages,
  highlightPassages,
  type PassageRequest,
  type PassageSpan,
  rankUnits,
} from '../passages/find-passages.ts';
import type { WeightedPage } from './gathered.ts';

export interface FoundPassage {
  citation: Citation;
  title?: string;
}

const MAX_PAGES = 3;
/** Pages whose best passage names much less of the question than that of the best page do not answer it. */
const SHARE_OF_BEST = 0.75;
const MAX_PASSAGES = 8;
const MAX_PARAGRAPH = 700;

/** Best page first, in the order of each page. Empty if no page has a word of the question. */
export function findAnswer(question: string, pages: readonly WeightedPage[]): FoundPassage[] {
  const asked = pages.map(({ page, weight }) => {
    const { title, language, markdown } = page;
    const request = { question, ...(title && { title }), ...(language && { language }) };
    const best = rankUnits(markdown, request)[0];
    return { page, request, fit: best ? best.coverage * (0.5 + 0.5 * weight) : 0 };
  });
  const order = asked.filter(({ fit }) => fit > 0).toSorted((a, b) => b.fit - a.fit);
  const best = order[0];
  if (!best) return [];
  const found = order
    .filter(({ fit }) => fit >= SHARE_OF_BEST * best.fit)
    .slice(0, MAX_PAGES)
    .flatMap(({ page, request }) => passagesOf(page, spansOf(page.markdown, request)));
  const seen = new Set<string>();
  return found.filter(({ citation }) => !seen.has(citation.text) && seen.add(citation.text)).slice(0, MAX_PASSAGES);
}

/** The paragraphs of the sentences that answer, and of those that say more about it: a question may have several parts. */
function spansOf(markdown: string, request: PassageRequest): PassageSpan[] {
  const sentences = [...answerPassages(markdown, request).spans, ...highlightPassages(markdown, request)];
  const paragraphs: PassageSpan[] = [];
  for (const sentence of sentences.map((span) => paragraphOf(markdown, span)).toSorted((a, b) => a.start - b.start)) {
    const last = paragraphs.at(-1);
    if (last && sentence.start < last.end) last.end = Math.max(last.end, sentence.end);
    else paragraphs.push(sentence);
  }
  return paragraphs;
}

/** A long one, for example a text without line breaks, stays a sentence. */
function paragraphOf(markdown: string, { start, end }: PassageSpan): PassageSpan {
  const from = start === 0 ? 0 : markdown.lastIndexOf('\n', start - 1) + 1;
  const next = markdown.indexOf('\n', end);
  const to = next === -1 ? markdown.length : next;
  return to - from > MAX_PARAGRAPH || markdown[from] === '|' ? { start, end } : { start: from, end: to };
}

function passagesOf(page: WeightedPage['page'], spans: { start: number; end: number }[]): FoundPassage[] {
  if (spans.length === 0) return [];
  const { citations = {} } = quoted('answer', page, spans);
  return Object.values(citations).map((citation) => ({ citation, ...(page.title && { title: page.title }) }));
}

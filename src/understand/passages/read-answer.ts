// What the reader has found for a question, and whether it is certain enough to be the answer.
import type { Reading } from '../../encoders/reader/reading.ts';
import type { AnswerPassages, PassageSpan } from './find-passages.ts';

export interface ReadAnswer {
  /** A few words of the page. */
  text: string;
  /** The sentence, item or row that holds them. */
  span: PassageSpan;
  /** 0 to 1. */
  confidence: number;
  windowsRead: number;
}

/** Fitted on questions about encyclopaedia pages, of which a part has no answer there (docs/decisions/understanding.md). */
const WEIGHTS = { one: -2.2, score: 1.6, coverage: 0.5, lead: 0.3 };
const MAX_LEAD = 2;

/** Undefined if there was nothing to read. */
export function readAnswer(
  { text, units, coverage }: AnswerPassages,
  { spans, read }: Reading,
): ReadAnswer | undefined {
  const [best, next] = spans;
  const span = best && unitAround(units, best);
  if (!best || !span) return undefined;
  const lead = next ? Math.min(MAX_LEAD, (best.score - next.score) / 10) : 1;
  const sum = WEIGHTS.one + (WEIGHTS.score * best.score) / 10 + WEIGHTS.coverage * coverage + WEIGHTS.lead * lead;
  return {
    text: text.slice(best.start, best.end).replace(/\s+/g, ' ').trim(),
    span,
    confidence: 1 / (1 + Math.exp(-sum)),
    windowsRead: read,
  };
}

function unitAround(units: Int32Array, { start, end }: PassageSpan): PassageSpan | undefined {
  for (let at = 0; at < units.length; at += 2) {
    if (units[at]! <= start && end <= units[at + 1]!) return { start: units[at]!, end: units[at + 1]! };
  }
  return undefined;
}

/** The confidence in passages that share the words of the question: from even to likely. */
export const passageConfidence = (coverage: number): number => Math.min(0.7, 0.3 + 0.4 * coverage * coverage);

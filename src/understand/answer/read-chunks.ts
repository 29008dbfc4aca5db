// What each chunk answers to a question: by the reader where it can read, else by the words of the question.

import type { MakerTools } from '../format-maker.ts';
import { askedFor } from '../passages/answer-kind.ts';
import type { PassageSpan } from '../passages/find-passages.ts';
import { readAnswer } from '../passages/read-answer.ts';
import type { PageChunk, ReadableChunk } from './answer-work.ts';

export interface AnswerCandidate {
  chunk: PageChunk;
  /** A few words of the chunk, for questions that ask for a value; else its sentences are the answer. */
  value?: string;
  /** The sentences, items or rows in the chunk that hold it. */
  spans: PassageSpan[];
  /** 0 to 1. */
  confidence: number;
}

/** Windows of the reader for one chunk; most have two. */
const MAX_RUNS = 3;
/**
 * Set on the open questions of `npm run bench -- answer` and `understand`, asked of all pages at once: what is answered wrongly
 * counts more than what is not answered.
 */
const LEAST = { confidence: 0.55, coverage: 0.6, share: 0.5 };
/** Without the reader's word, a sentence and its headings have to name nearly everything that is asked. */
const WORDS_ALONE = { coverage: 0.9, share: 1, confidence: 0.2 };
/** Where the reader is surer than this that a chunk has no answer, its sentences are none. */
const DENIED = 0.12;

/** The surest first. Ends early when time is up, with what was read until then. */
export async function readChunks(
  question: string,
  chunks: readonly PageChunk[],
  { work, reader }: Pick<MakerTools, 'work' | 'reader'>,
  isTimeUp: () => boolean,
): Promise<AnswerCandidate[]> {
  const readable = await work.answer.prepare(question, chunks);
  const kind = askedFor(question)?.kind;
  // Nearly every page names somebody: all that is asked about the person has to be named as well.
  const leastShare = kind === 'person' ? 1 : LEAST.share;
  const canRead = reader !== undefined && reader.unavailable() === undefined;
  const found: AnswerCandidate[] = [];
  for (const [at, prepared] of readable.entries()) {
    if (prepared.unnamed.length > 0 || prepared.share < leastShare || prepared.text.trim() === '') continue;
    if (isTimeUp()) break;
    const chunk = chunks[at]!;
    const isRead = canRead && ['en', ''].includes(prepared.language);
    const read = isRead ? await readOne(question, chunk, prepared, reader) : undefined;
    const coverage = read ? coverageOf(prepared, read.span) : 0;
    if (read && isAnotherMeasure(question, chunk.text.slice(read.span.start, read.span.end))) continue;
    if (read && read.confidence >= LEAST.confidence && coverage >= LEAST.coverage) {
      const { text, span, confidence } = read;
      found.push({ chunk, ...(kind && { value: text }), spans: [span], confidence: confidence * coverage });
    } else if (isByWords(prepared, read?.confidence, isRead && kind !== undefined)) {
      found.push({ chunk, spans: prepared.spans, confidence: WORDS_ALONE.confidence });
    }
  }
  return found.toSorted((a, b) => b.confidence - a.confidence);
}

const MEASURE = /\b(?:long|high|tall|wide|deep|thick|heavy|old)\b/gi;

/** "142 metres long" does not answer how high something is. */
function isAnotherMeasure(question: string, sentence: string): boolean {
  const measures = (text: string) =>
    (text.toLowerCase().match(MEASURE) ?? []).map((word) => word.replace('tall', 'high'));
  const [asked, said] = [measures(question), measures(sentence)];
  return asked.length > 0 && said.length > 0 && !asked.some((word) => said.includes(word));
}

/** How much of the question the sentence and its headings name. */
function coverageOf({ units, coverages }: ReadableChunk, { start }: PassageSpan): number {
  const at = coverages.findIndex((_, unit) => units[2 * unit] === start);
  return coverages[at] ?? 0;
}

async function readOne(
  question: string,
  { context }: PageChunk,
  prepared: ReadableChunk,
  reader: NonNullable<MakerTools['reader']>,
) {
  const { text, units } = prepared;
  const questions = [{ question, places: [] }];
  const readings = await reader.read({
    title: context,
    text,
    pieces: units,
    inside: true,
    questions,
    maxRuns: MAX_RUNS,
  });
  return readings && readAnswer(prepared, readings[0]!);
}

/** A value that the reader does not find is not there. */
const isByWords = ({ spans, coverage, share }: ReadableChunk, confidence = 1, isForReader: boolean): boolean =>
  spans.length > 0 &&
  !isForReader &&
  confidence >= DENIED &&
  coverage >= WORDS_ALONE.coverage &&
  share >= WORDS_ALONE.share;

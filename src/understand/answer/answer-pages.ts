// Answers a question from several pages: picks the chunks that fit by words and meaning, and answers from them, with a language
// model or without one.
import { cosine, type TextVector } from '../../text/text-vectors.ts';
import type { MakerTools } from '../format-maker.ts';
import { madeWithoutModel } from '../without-model.ts';
import { answerWithModel } from './answer-with-model.ts';
import type { AnswerPage, PageChunk } from './answer-work.ts';
import type { Answered } from './answered.ts';
import { chooseAnswer } from './choose-answer.ts';
import { readChunks } from './read-chunks.ts';

export interface AnswerTools extends Pick<MakerTools, 'work' | 'model' | 'reader' | 'signal'> {
  /** Vectors of texts; undefined if the encoder cannot tell. */
  encode(texts: readonly string[]): Promise<TextVector[] | undefined>;
  /** Milliseconds that are left. */
  leftMs(): number;
}

/** Chunks whose meaning is compared with that of the question. */
const COMPARED = 20;
/** Chunks that are read. */
const READ = 8;
/** What reading without a model takes, if a model fails. */
const RESERVE_MS = 4_000;
const LEAST_MS = 200;

export async function answerPages(
  question: string,
  pages: readonly AnswerPage[],
  tools: AnswerTools,
): Promise<Answered> {
  const chunks = await bestChunks(question, pages, tools);
  const chosen = tools.model('answer');
  const byModel =
    'model' in chosen ? await answerWithModel(chosen.model, question, chunks, pages, limited(tools)) : undefined;
  tools.signal.throwIfAborted();
  if (byModel && 'answer' in byModel) return byModel;
  const problem = byModel?.problem ?? ('without' in chosen ? chosen.without : '');
  const candidates = await readChunks(question, chunks, tools, () => tools.leftMs() < LEAST_MS);
  const { warnings, ...answered } = chooseAnswer(candidates, pages);
  return { ...answered, warnings: [madeWithoutModel('answer', problem), ...warnings] };
}

/** A model that is slow leaves time for an answer without it. */
function limited({ work, signal, leftMs }: AnswerTools): Pick<MakerTools, 'work' | 'signal'> {
  const time = Math.max(LEAST_MS, leftMs() - RESERVE_MS);
  return { work, signal: AbortSignal.any([signal, AbortSignal.timeout(time)]) };
}

/** Half by words, half by meaning where the encoder can tell it. */
async function bestChunks(
  question: string,
  pages: readonly AnswerPage[],
  { work, encode }: AnswerTools,
): Promise<PageChunk[]> {
  const picked = await work.answer.pick(question, pages, COMPARED);
  const [asked, ...vectors] =
    picked.length > READ ? ((await encode([question, ...picked.map(textWithContext)])) ?? []) : [];
  const fit = (at: number): number => picked[at]!.score + (asked && vectors[at] ? cosine(asked, vectors[at]) : 0);
  return picked
    .map((chunk, at) => ({ chunk, fit: fit(at) }))
    .toSorted((a, b) => b.fit - a.fit)
    .slice(0, READ)
    .map(({ chunk }) => chunk);
}

const textWithContext = ({ context, text }: PageChunk): string => `${context}\n${text}`;

// Asks a language model about the numbered lines of a page, and takes what it names from the page.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { LanguageModel } from '../../models/language-model.ts';
import type { CarriedSource } from '../../page/understanding.ts';
import { estimateTokens } from '../../text/estimate-tokens.ts';
import type { MakerTools } from '../format-maker.ts';
import { ANSWER_QUESTION, ANSWER_SCHEMA, readAnswer } from '../prompts/pages/answer-question.ts';
import { CHOOSE_LINES, LINES_SCHEMA, readLines } from '../prompts/pages/choose-lines.ts';
import type { PassageSpan } from './find-passages.ts';
import { type NumberedLines, spansOfLines } from './numbered-lines.ts';

/** Answers are short. */
export const ANSWER_TOKENS = 1_024;
/** For instructions, delimiters and the schema. */
const OVERHEAD_TOKENS = 600;
const FEWEST_PAGE_TOKENS = 200;

export interface ModelAnswerPassages {
  /** Undefined: the page does not state it. */
  answer: string | undefined;
  spans: PassageSpan[];
  isCut: boolean;
}

export async function answerWithModel(
  model: LanguageModel,
  source: CarriedSource,
  question: string,
  { work, signal }: MakerTools,
): Promise<ModelAnswerPassages> {
  const page = await work.passages.numberLines(source.markdown, pageTokens(model, question));
  const { value } = await model.object({
    ...callFor(model, ANSWER_QUESTION, question, page, signal),
    schema: ANSWER_SCHEMA,
  });
  const reply = readAnswer(value);
  if (reply === undefined) throw unreadable(model);
  if (!reply.stated) return { answer: undefined, spans: [], isCut: page.isCut };
  return { answer: reply.answer, spans: spansOfLines(reply.lines, page.spans), isCut: page.isCut };
}

export async function chooseWithModel(
  model: LanguageModel,
  source: CarriedSource,
  question: string,
  { work, signal }: MakerTools,
): Promise<Omit<ModelAnswerPassages, 'answer'>> {
  const page = await work.passages.numberLines(source.markdown, pageTokens(model, question));
  const { value } = await model.object({
    ...callFor(model, CHOOSE_LINES, question, page, signal),
    schema: LINES_SCHEMA,
  });
  const lines = readLines(value);
  if (lines === undefined) throw unreadable(model);
  const spans = spansOfLines(lines, page.spans);
  if (lines.length > 0 && spans.length === 0) throw unreadable(model);
  return { spans, isCut: page.isCut };
}

/** How many tokens of a page fit into a call, next to this text. */
export const pageTokens = ({ contextTokens, maxOutputTokens }: LanguageModel, other: string): number =>
  Math.max(
    FEWEST_PAGE_TOKENS,
    contextTokens - Math.min(maxOutputTokens, ANSWER_TOKENS) - OVERHEAD_TOKENS - estimateTokens(other),
  );

const callFor = (
  { maxOutputTokens }: LanguageModel,
  instructions: string,
  question: string,
  page: NumberedLines,
  signal: AbortSignal,
) => ({
  instructions,
  material: { question, page: page.text },
  maxOutputTokens: Math.min(maxOutputTokens, ANSWER_TOKENS),
  signal,
});

const unreadable = ({ name }: LanguageModel): ServiceError =>
  new ServiceError('MODEL_FAILED', { message: `The language model (${name}) did not answer in the requested form.` });

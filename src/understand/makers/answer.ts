// The formats `question` and `query`: an answer from the page with the lines it rests on, or the best sentences verbatim.

import { NOT_STATED } from '../../contracts/formats/formats.ts';
import type { LanguageModel } from '../../models/language-model.ts';
import type { CarriedSource, MadeFormat } from '../../page/understanding.ts';
import type { FormatMaker, MakerTools } from '../format-maker.ts';
import { answerWithModel, chooseWithModel } from '../passages/ask-model.ts';
import { citationsOf, quoted } from '../passages/cite.ts';
import type { AnswerPassages, PassageRequest } from '../passages/find-passages.ts';
import { cutWarnings, firstPart, noText } from '../passages/first-part.ts';
import { passageConfidence, type ReadAnswer, readAnswer } from '../passages/read-answer.ts';
import { madeWithoutModel } from '../without-model.ts';

type AnswerFormat = 'question' | 'query';

export const question: FormatMaker<'question'> = (source, { question, confidence }, tools) =>
  answer({ format: 'question', question, threshold: confidence ?? DEFAULT_CONFIDENCE }, source, tools, withModel);

export const query: FormatMaker<'query'> = (source, { prompt, mode }, tools) => {
  const isQuote = mode === 'directQuote';
  const asked = { format: 'query' as const, question: prompt, threshold: DEFAULT_CONFIDENCE, isQuote };
  return answer(asked, source, tools, isQuote ? quoteWithModel : withModel);
};

/** Nine of ten questions are answered then that a page answers in its own words. */
const DEFAULT_CONFIDENCE = 0.3;
/** Where the reader is surer than this that there is no answer, sentences that share words with the question are none. */
const LEAST_CONFIDENCE = 0.12;
const MAX_RUNS = 12;
/** Requests such as "the tickets and dogs" are no questions. */
const QUESTION = /[?？]\s*$|^(?:who|whom|whose|what|when|where|which|why|how|is|are|does|do|can)\b/i;

interface Asked {
  format: AnswerFormat;
  question: string;
  threshold: number;
  /** In whole sentences of the page. */
  isQuote?: boolean;
}

type AskModel = (
  model: LanguageModel,
  format: AnswerFormat,
  source: CarriedSource,
  question: string,
  tools: MakerTools,
) => Promise<MadeFormat>;

async function answer(
  { format, question, threshold, isQuote = false }: Asked,
  source: CarriedSource,
  tools: MakerTools,
  askModel: AskModel,
): Promise<MadeFormat> {
  if (source.markdown.trim() === '') return { content: {}, warnings: [noText(format)] };
  const chosen = tools.model('answer');
  if ('model' in chosen) return askModel(chosen.model, format, source, question, tools);
  const { text, isCut } = firstPart(source.markdown);
  const { title, language } = source;
  const request = { question, ...(title && { title }), ...(language && { language }) };
  const found = await tools.work.passages.answer(text, request);
  const warnings = [madeWithoutModel(format, chosen.without), ...cutWarnings(format, isCut)];
  const read = format === 'question' || QUESTION.test(question) ? await askReader(found, request, tools) : undefined;
  const made = { warnings, ...(read && { windowsRead: read.windowsRead }) };
  if (read && read.confidence >= threshold) return { ...readContent(source, read, isQuote), ...made };
  const isDenied = read !== undefined && read.confidence < LEAST_CONFIDENCE;
  const confidence = read ? DEFAULT_CONFIDENCE : passageConfidence(found.coverage);
  if (found.spans.length === 0 || isDenied || confidence < threshold) {
    return { content: { answer: NOT_STATED }, ...made };
  }
  const { content, citations } = quoted('answer', source, found.spans);
  return { content, citations: withConfidence(citations, confidence), ...made };
}

/** Undefined if the reader cannot be asked: then the words of the question decide alone. */
async function askReader(
  passages: AnswerPassages,
  { question, title = '' }: PassageRequest,
  { reader }: MakerTools,
): Promise<ReadAnswer | undefined> {
  const { text, units, language } = passages;
  if (!reader || reader.unavailable() !== undefined || !['en', ''].includes(language)) return undefined;
  const questions = [{ question, places: [] }];
  const readings = await reader.read({ title, text, pieces: units, inside: true, questions, maxRuns: MAX_RUNS });
  return readings && readAnswer(passages, readings[0]!);
}

function readContent(source: CarriedSource, { text, span, confidence }: ReadAnswer, isQuote: boolean) {
  const { content, citations } = quoted('answer', source, [span]);
  return { content: isQuote ? content : { answer: text }, citations: withConfidence(citations, confidence) };
}

const withConfidence = (citations: MadeFormat['citations'] = {}, confidence: number): MadeFormat['citations'] =>
  Object.fromEntries(
    Object.entries(citations).map(([path, citation]) => [
      path,
      { ...citation, confidence: Math.round(confidence * 100) / 100 },
    ]),
  );

const withModel: AskModel = async (model, format, source, question, tools) => {
  const { answer, spans, isCut } = await answerWithModel(model, source, question, tools);
  const warnings = cutWarnings(format, isCut);
  if (answer === undefined) return { content: { answer: NOT_STATED }, warnings };
  if (spans.length === 0)
    warnings.push('The language model did not say which part of the page the `answer` comes from.');
  return { content: { answer }, citations: citationsOf('answer', source, spans), warnings };
};

const quoteWithModel: AskModel = async (model, format, source, question, tools) => {
  const { spans, isCut } = await chooseWithModel(model, source, question, tools);
  const warnings = cutWarnings(format, isCut);
  return spans.length === 0
    ? { content: { answer: NOT_STATED }, warnings }
    : { ...quoted('answer', source, spans), warnings };
};

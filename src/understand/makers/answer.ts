// The formats `question` and `query`: an answer from the page with the lines it rests on, or the best sentences verbatim.

import type { LanguageModel } from '../../models/language-model.ts';
import type { CarriedSource, MadeFormat } from '../../page/understanding.ts';
import type { FormatMaker, MakerTools } from '../format-maker.ts';
import { answerWithModel, chooseWithModel } from '../passages/ask-model.ts';
import { citationsOf, NOT_STATED, quoted } from '../passages/cite.ts';
import { cutWarnings, firstPart, noText } from '../passages/first-part.ts';
import { madeWithoutModel } from '../without-model.ts';

type AnswerFormat = 'question' | 'query';

export const question: FormatMaker<'question'> = (source, format, tools) =>
  answer('question', source, format.question, tools, withModel);

export const query: FormatMaker<'query'> = (source, { prompt, mode }, tools) =>
  answer('query', source, prompt, tools, mode === 'directQuote' ? quoteWithModel : withModel);

type AskModel = (
  model: LanguageModel,
  format: AnswerFormat,
  source: CarriedSource,
  question: string,
  tools: MakerTools,
) => Promise<MadeFormat>;

async function answer(
  format: AnswerFormat,
  source: CarriedSource,
  question: string,
  tools: MakerTools,
  askModel: AskModel,
): Promise<MadeFormat> {
  if (source.markdown.trim() === '') return { content: {}, warnings: [noText(format)] };
  const chosen = tools.model('answer');
  if ('model' in chosen) return askModel(chosen.model, format, source, question, tools);
  const { text, isCut } = firstPart(source.markdown);
  const { title, language } = source;
  const request = { question, ...(title && { title }), ...(language && { language }) };
  const spans = await tools.work.passages.answer(text, request);
  const warnings = [madeWithoutModel(format, chosen.without), ...cutWarnings(format, isCut)];
  if (spans.length === 0) return { content: { answer: NOT_STATED }, warnings };
  return { ...quoted('answer', source, spans), warnings };
}

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

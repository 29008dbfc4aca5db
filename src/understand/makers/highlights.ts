// The format `highlights`: the passages of the page that fit a query, verbatim, chosen by a language model or by BM25.
import type { FormatMaker } from '../format-maker.ts';
import { chooseWithModel } from '../passages/ask-model.ts';
import { quoted } from '../passages/cite.ts';
import { cutWarnings, firstPart, noText } from '../passages/first-part.ts';
import { madeWithoutModel } from '../without-model.ts';

const NOTHING_FITS = '`highlights` is missing. No passage of the page fits the query.';

export const highlights: FormatMaker<'highlights'> = async (source, { query }, tools) => {
  if (source.markdown.trim() === '') return { content: {}, warnings: [noText('highlights')] };
  const chosen = tools.model('answer');
  if ('model' in chosen) {
    const { spans, isCut } = await chooseWithModel(chosen.model, source, query, tools);
    const warnings = cutWarnings('highlights', isCut);
    if (spans.length === 0) return { content: {}, warnings: [NOTHING_FITS, ...warnings] };
    return { ...quoted('highlights', source, spans), warnings };
  }
  const { text, isCut } = firstPart(source.markdown);
  const { title, language } = source;
  const request = { question: query, ...(title && { title }), ...(language && { language }) };
  const spans = await tools.work.passages.highlight(text, request);
  const warnings = [madeWithoutModel('highlights', chosen.without), ...cutWarnings('highlights', isCut)];
  if (spans.length === 0) return { content: {}, warnings: [NOTHING_FITS, ...warnings] };
  return { ...quoted('highlights', source, spans), warnings };
};

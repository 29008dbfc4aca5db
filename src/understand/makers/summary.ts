// The format `summary`: written by a language model, or what kind of page it is, or the sentences that say best what it is about.
import { fitTokens } from '../../text/estimate-tokens.ts';
import type { FormatMaker } from '../format-maker.ts';
import { ANSWER_TOKENS, pageTokens } from '../passages/ask-model.ts';
import { citationsOf } from '../passages/cite.ts';
import { cutWarnings, firstPart, noText } from '../passages/first-part.ts';
import { SUMMARISE_PAGE } from '../prompts/pages/summarise-page.ts';
import { madeWithoutModel } from '../without-model.ts';

export const summary: FormatMaker<'summary'> = async (source, _format, { work, model, signal }) => {
  if (source.markdown.trim() === '') return { content: {}, warnings: [noText('summary')] };
  const chosen = model('answer');
  if ('model' in chosen) {
    const { text, isCut } = fitTokens(source.markdown, pageTokens(chosen.model, ''));
    const maxOutputTokens = Math.min(chosen.model.maxOutputTokens, ANSWER_TOKENS);
    const { value } = await chosen.model.text({
      instructions: SUMMARISE_PAGE,
      material: text,
      maxOutputTokens,
      signal,
    });
    return { content: { summary: value.trim() }, warnings: cutWarnings('summary', isCut) };
  }
  const { text, isCut } = firstPart(source.markdown);
  const warnings = [madeWithoutModel('summary', chosen.without), ...cutWarnings('summary', isCut)];
  const overview = await work.passages.overview({ ...source, markdown: text });
  if (overview) {
    const citations = citationsOf('summary', source, overview.spans);
    return { content: { summary: overview.text }, citations, warnings };
  }
  const { title, language } = source;
  const spans = await work.passages.summarise(text, { ...(title && { title }), ...(language && { language }) });
  if (spans.length === 0) {
    return { content: {}, warnings: ['`summary` is missing. The page has no sentences that could sum it up.'] };
  }
  return {
    // Sentences of one paragraph and of several read as one text.
    content: { summary: spans.map(({ start, end }) => text.slice(start, end)).join(' ') },
    citations: citationsOf('summary', source, spans),
    warnings,
  };
};

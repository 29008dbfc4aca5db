// The chunks of several pages that have most words of a question, and what of it they name.
import { eachWantedTerm } from '../../text/words/terms.ts';
import { makeChunks } from '../chunks/make-chunks.ts';
import { pathWords, scorePages } from '../gather/relevance.ts';
import { isNamed, taskWords } from '../gather/task-words.ts';
import { askedFor } from '../passages/answer-kind.ts';
import { answerPassages } from '../passages/find-passages.ts';
import type { AnswerPage, PageChunk, RankedChunk, ReadableChunk } from './answer-work.ts';

/** As the format `chunks` has them without options, so that their ids are the same. */
const LIMITS = { maxTokens: 400, overlap: 0 };
/** What stands behind so much text of a page is not read. */
const MAX_TEXT = 200_000;

/** The best first. */
export function pickChunks(question: string, pages: readonly AnswerPage[], most: number): RankedChunk[] {
  const chunks = pages.flatMap(({ url, title, language, markdown }, page) =>
    makeChunks({ url, ...(title && { title }), markdown: markdown.slice(0, MAX_TEXT) }, LIMITS).map(
      ({ id, context, text }): PageChunk => ({ page, url, id, context, text, ...(language && { language }) }),
    ),
  );
  const scores = scorePages(
    { prompt: question },
    chunks.map(({ url, context, text, language }) => ({
      ...{ url, title: context, markdown: text, links: [] },
      ...(language && { language }),
    })),
  );
  const best = Math.max(0, ...scores.map(({ score }) => score)) || 1;
  return chunks
    .map((chunk, at) => ({ ...chunk, score: scores[at]!.score / best }))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, most);
}

export const prepareChunks = (question: string, chunks: readonly PageChunk[]): ReadableChunk[] =>
  chunks.map((chunk) => ({
    ...answerPassages(chunk.text, {
      question,
      title: chunk.context,
      ...(chunk.language && { language: chunk.language }),
    }),
    ...namedBy(question, chunk),
  }));

const hasNumber = (text: string, number: string): boolean =>
  /^\d{1,20}$/.test(number) && new RegExp(`(?<!\\d)${number}(?!\\d)`).test(text);

function namedBy(
  question: string,
  { url, context, text, language = '' }: PageChunk,
): Pick<ReadableChunk, 'unnamed' | 'share'> {
  // Words that ask for a kind of answer, such as "how many", need not be on the page.
  const asking = askedFor(question)?.words.split(' ') ?? [];
  const words = taskWords({ prompt: question }).filter((word) => !asking.includes(word.text));
  const forms = new Map(words.flatMap((word, at) => word.forms.map((form) => [form, at] as const)));
  const found = new Set<number>();
  const said = `${context}\n${pathWords(url)} ${new URL(url).host}\n${text}`;
  eachWantedTerm(said, language.slice(0, 2), forms, (word) => found.add(word));
  // The tokenizer makes other words of "v3" and "€1,450.00".
  for (const [at, word] of words.entries()) if (hasNumber(said, word.text)) found.add(at);
  const others = words.flatMap((word, at) => (isNamed(word) ? [] : [at]));
  return {
    unnamed: words.filter((word, at) => isNamed(word) && !found.has(at)).map(({ text: name }) => name),
    share: others.length === 0 ? 1 : others.filter((at) => found.has(at)).length / others.length,
  };
}

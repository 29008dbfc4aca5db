// An answer that a language model writes from the best chunks. Each of its sentences is compared with the lines that it cites, and
// left out if these do not say it.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { LanguageModel } from '../../models/language-model.ts';
import type { MakerTools } from '../format-maker.ts';
import { ANSWER_TOKENS, pageTokens } from '../passages/ask-model.ts';
import { spansOfLines } from '../passages/numbered-lines.ts';
import {
  ANSWER_PAGES,
  ANSWER_PAGES_SCHEMA,
  readSentences,
  type WrittenSentence,
} from '../prompts/tasks/answer-pages.ts';
import type { AnswerPage, PageChunk } from './answer-work.ts';
import { type AnswerCitation, type Answered, NOT_SAID } from './answered.ts';
import { citationOf } from './choose-answer.ts';

interface CitedLine {
  chunk: PageChunk;
  text: string;
}

/** `problem`: why there is no answer by the model, in words that complete a sentence. */
export async function answerWithModel(
  model: LanguageModel,
  question: string,
  chunks: readonly PageChunk[],
  pages: readonly AnswerPage[],
  { work, signal }: Pick<MakerTools, 'work' | 'signal'>,
): Promise<Answered | { problem: string }> {
  const { safe, warnings } = await withoutInstructions(chunks, pages, work);
  if (safe.length === 0) return { ...NOT_SAID, warnings };
  const { text, lineAt } = joined(safe);
  const lines = await work.passages.numberLines(text, pageTokens(model, question));
  const written = await ask(model, { question, passages: lines.text }, signal);
  if ('problem' in written) return written;
  if (written.sentences.length === 0) return { ...NOT_SAID, warnings };
  const sentences = written.sentences.map((one) => ({
    ...one,
    cited: spansOfLines(one.lines, lines.spans).flatMap(({ start, end }) => lineAt(start, end) ?? []),
  }));
  const isSupported = await work.answer.supported(
    sentences.map(({ text: said, cited }) => ({
      text: said,
      cited: cited.map((line) => line.text),
      context: [...new Set(cited.map(({ chunk }) => chunk.context))].join('\n'),
      url: cited[0]?.chunk.url ?? '',
    })),
  );
  const kept = sentences.filter((_, at) => isSupported[at]);
  const dropped = sentences.length - kept.length;
  if (kept.length === 0) return { problem: `the pages do not say what ${model.name} has written` };
  const leftOut = dropped === 1 ? 'A sentence' : `${dropped} sentences`;
  const were =
    dropped === 1 ? 'was left out: the lines that it cites do' : 'were left out: the lines that they cite do';
  return {
    ...withNumbers(kept, pages),
    warnings: [...warnings, ...(dropped > 0 ? [`${leftOut} of ${model.name} ${were} not say it.`] : [])],
  };
}

/** Pages that try to tell a model what to answer are not shown to it. */
async function withoutInstructions(
  chunks: readonly PageChunk[],
  pages: readonly AnswerPage[],
  work: MakerTools['work'],
): Promise<{ safe: PageChunk[]; warnings: string[] }> {
  const numbers = [...new Set(chunks.map(({ page }) => page))];
  const scans = await Promise.all(
    numbers.map(async (page) => {
      const { url, markdown } = pages[page]!;
      return { page, is: (await work.findInjection({ url, markdown })).is };
    }),
  );
  const refused = new Set(scans.filter(({ is }) => is === 'found').map(({ page }) => page));
  const named = [...refused].map(
    (page) => `${pages[page]!.url} was left out: it contains instructions to language models.`,
  );
  return { safe: chunks.filter(({ page }) => !refused.has(page)), warnings: named };
}

interface JoinedChunks {
  text: string;
  /** The line at these offsets, if it belongs to a chunk. */
  lineAt(start: number, end: number): CitedLine | undefined;
}

/** All chunks as one text, each below a heading that says where it stands. */
function joined(chunks: readonly PageChunk[]): JoinedChunks {
  const places: { chunk: PageChunk; start: number }[] = [];
  let text = '';
  for (const chunk of chunks) {
    text += `# ${chunk.context.replace(/\s+/g, ' ')} (${new URL(chunk.url).host})\n\n`;
    places.push({ chunk, start: text.length });
    text += `${chunk.text}\n\n`;
  }
  return {
    text,
    lineAt(start, end) {
      const place = places.findLast((one) => one.start <= start && end <= one.start + one.chunk.text.length);
      return place && { chunk: place.chunk, text: text.slice(start, end) };
    },
  };
}

async function ask(
  model: LanguageModel,
  material: { question: string; passages: string },
  signal: AbortSignal,
): Promise<{ sentences: WrittenSentence[] } | { problem: string }> {
  try {
    const { value } = await model.object({
      instructions: ANSWER_PAGES,
      material,
      schema: ANSWER_PAGES_SCHEMA,
      maxOutputTokens: Math.min(model.maxOutputTokens, ANSWER_TOKENS),
      signal,
    });
    const sentences = readSentences(value);
    return sentences ? { sentences } : { problem: `${model.name} did not answer in the requested form` };
  } catch (error) {
    if (signal.aborted) return { problem: `${model.name} did not answer in time` };
    if (!(error instanceof ServiceError)) throw error;
    return { problem: `${model.name} did not answer (${error.message.replace(/\.$/, '')})` };
  }
}

/** Each cited line has one number, whichever sentences cite it. */
function withNumbers(
  sentences: readonly { text: string; cited: readonly CitedLine[] }[],
  pages: readonly AnswerPage[],
): Pick<Answered, 'answer' | 'citations'> {
  const citations: AnswerCitation[] = [];
  const numberOf = ({ chunk, text }: CitedLine): number => {
    const known = citations.findIndex((one) => one.chunkId === chunk.id && one.text === text);
    return known === -1 ? citations.push(citationOf({ chunk }, text, pages)) : known + 1;
  };
  const answer = sentences
    .map(({ text, cited }) => `${text} ${[...new Set(cited.map(numberOf))].map((number) => `[${number}]`).join('')}`)
    .join(' ');
  return { answer, citations };
}

// Reads a text with the model in `models/reader`: which of its pieces answers a question, and how surely.
import { type EncoderConfig, openEncoder } from '../open-encoder.ts';
import { GAP, wordFeature } from '../words/word-features.ts';
import { END_ID, START_ID, type TokenizedWord } from '../words/word-pieces.ts';
import type { Reading, ReadingQuestion, ReadingTask, ScoredSpan, TextSpan } from './reading.ts';
import { chooseWindows, type TextWindow, windowsOf } from './windows.ts';

/** From the model's config.json. */
export interface ReaderConfig extends EncoderConfig {
  /** The feature of the tokens of the question, and of those that separate. */
  questionFeat: number;
  contextTokens: number;
  overlap: number;
  maxAnswerTokens: number;
}

export interface SpanReader {
  /** Answers one question. `maxRuns`: how many windows may be read. */
  read(text: ReadingText, question: ReadingQuestion, maxRuns: number): Promise<Reading>;
}

export type ReadingText = Pick<ReadingTask, 'title' | 'text' | 'pieces' | 'inside'>;

const MAX_QUESTION = 40;
const MAX_TITLE = 220;
const MAX_SPANS = 8;

export async function loadSpanReader(folder?: string): Promise<SpanReader> {
  const { config, pieces, run } = await openEncoder<ReaderConfig>('reader', folder);

  /** The words of a text of several questions are found once. */
  let last: { text: string; title: string; cut: CutText } | undefined;
  const cutText = ({ text, title: whole }: ReadingText): CutText => {
    if (last?.text === text && last.title === whole) return last.cut;
    const title = whole.slice(0, MAX_TITLE);
    const titleWords = pieces.words(title);
    const words = pieces.words(text);
    // One token is the separator behind the text.
    const room = config.contextTokens - lengthOf(titleWords) - 1;
    const windows = windowsOf(text, words, { room, overlap: config.overlap });
    const cut = { title, titleWords, words, windows };
    last = { text, title: whole, cut };
    return cut;
  };

  async function readWindow(question: readonly number[], text: string, cut: CutText, window: TextWindow) {
    const words = cut.words.slice(window.from, window.to);
    const head = cut.titleWords;
    const start = question.length + 2 + lengthOf(head);
    const ids = [START_ID, ...question, END_ID, ...idsOf(head), ...idsOf(words), END_ID];
    const features = [
      ...new Array<number>(question.length + 2).fill(config.questionFeat),
      ...featuresOf(cut.title, head, GAP.emptyLine),
      ...featuresOf(text, words, head.length > 0 ? GAP.line : GAP.emptyLine),
      config.questionFeat,
    ];
    return { logits: await run(ids, features), words, start };
  }

  return {
    async read(readable, question, maxRuns) {
      const { text } = readable;
      const wholes = spansOf(readable.pieces);
      const cut = cutText(readable);
      const asked = idsOf(pieces.words(question.question)).slice(0, MAX_QUESTION);
      const ranges = cut.windows.map(({ from, to }) => ({
        start: cut.words[from]!.start,
        end: cut.words[to - 1]!.end,
      }));
      const chosen = chooseWindows(text, ranges, question, maxRuns);
      const best = new Map<string, ScoredSpan>();
      for (const at of chosen) {
        const { logits, words, start } = await readWindow(asked, text, cut, cut.windows[at]!);
        const read = { words, logits, start, maxTokens: config.maxAnswerTokens };
        const scored = readable.inside ? bestInside(wholes, read) : scoreSpans([...wholes, ...question.places], read);
        for (const span of scored) {
          const key = `${span.start} ${span.end}`;
          if (span.score > (best.get(key)?.score ?? -Infinity)) best.set(key, span);
        }
      }
      const places = new Set(question.places.map(({ start, end }) => `${start} ${end}`));
      const spans = [...best].sort(([, a], [, b]) => b.score - a.score);
      return {
        spans: spans.filter(([key], rank) => rank < MAX_SPANS || places.has(key)).map(([, span]) => span),
        read: chosen.length,
        windows: cut.windows.length,
      };
    },
  };
}

const spansOf = (pieces: Int32Array): TextSpan[] =>
  Array.from({ length: pieces.length / 2 }, (_, at) => ({ start: pieces[2 * at]!, end: pieces[2 * at + 1]! }));

interface CutText {
  title: string;
  titleWords: TokenizedWord[];
  words: TokenizedWord[];
  windows: TextWindow[];
}

const idsOf = (words: readonly TokenizedWord[]): number[] => words.flatMap(({ ids }) => ids);
const lengthOf = (words: readonly TokenizedWord[]): number => words.reduce((sum, { ids }) => sum + ids.length, 0);

/** `gap`: what stands before the first word. */
const featuresOf = (text: string, words: readonly TokenizedWord[], gap: number): number[] =>
  words.flatMap((word, at) => word.ids.map(() => wordFeature(text, word, words[at - 1], gap)));

/** What the model gave for a window. Each token has a score as start and one as end; those of token 0 say "none". */
interface ReadWindow {
  words: readonly TokenizedWord[];
  logits: Float32Array;
  /** The token with which the first word begins. */
  start: number;
  maxTokens: number;
}

/** The spans that lie in the window whole, with the words that they cut: an amount is one word with its sign. */
function scoreSpans(spans: readonly TextSpan[], { words, logits, start, maxTokens }: ReadWindow): ScoredSpan[] {
  const tokens = firstTokens(words, start);
  const none = logits[0]! + logits[1]!;
  return spans.flatMap((span): ScoredSpan[] => {
    const first = wordAt(words, span.start);
    const last = wordAt(words, span.end - 1);
    if (first === undefined || last === undefined) return [];
    const from = tokens[first]!;
    const to = tokens[last]! + words[last]!.ids.length - 1;
    if (to < from || to - from >= maxTokens) return [];
    return [{ start: span.start, end: span.end, score: logits[2 * from]! + logits[2 * to + 1]! - none }];
  });
}

/** The word that holds the character. */
function wordAt(words: readonly TokenizedWord[], place: number): number | undefined {
  let low = 0;
  let high = words.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const { start, end } = words[middle]!;
    if (place < start) high = middle - 1;
    else if (place >= end) low = middle + 1;
    else return middle;
  }
  return undefined;
}

function firstTokens(words: readonly TokenizedWord[], start: number): number[] {
  let token = start;
  return words.map(({ ids }) => {
    const first = token;
    token += ids.length;
    return first;
  });
}

/** The best span of whole words inside each piece, as far as the window has it. */
function bestInside(pieces: readonly TextSpan[], { words, logits, start, maxTokens }: ReadWindow): ScoredSpan[] {
  const none = logits[0]! + logits[1]!;
  const tokens = firstTokens(words, start);
  const scored: ScoredSpan[] = [];
  let first = 0;
  for (const piece of pieces) {
    while (first < words.length && words[first]!.start < piece.start) first += 1;
    let best: ScoredSpan | undefined;
    for (let from = first; from < words.length && words[from]!.end <= piece.end; from++) {
      const startScore = logits[2 * tokens[from]!]!;
      for (let to = from; to < words.length && words[to]!.end <= piece.end; to++) {
        const last = tokens[to]! + words[to]!.ids.length - 1;
        if (last - tokens[from]! >= maxTokens) break;
        const score = startScore + logits[2 * last + 1]! - none;
        if (score > (best?.score ?? -Infinity)) best = { start: words[from]!.start, end: words[to]!.end, score };
      }
    }
    if (best) scored.push(best);
  }
  return scored;
}

// The jobs of the page threads that answer a question from several pages, and what they exchange.
import type { Chunk } from '../../contracts/formats/chunk.ts';
import type { AnswerPassages } from '../passages/find-passages.ts';

export interface AnswerPage {
  url: string;
  title?: string;
  language?: string;
  markdown: string;
}

/** A chunk of one of the pages. */
export interface PageChunk extends Pick<Chunk, 'id' | 'context' | 'text'> {
  /** Position of its page. */
  page: number;
  url: string;
  language?: string;
}

export interface RankedChunk extends PageChunk {
  /** How many words of the question it has, by their rarity: 1 for the best. */
  score: number;
}

/** A chunk with what a reader needs to look for the answer in it. */
export interface ReadableChunk extends AnswerPassages {
  /** What the question names (names, numbers, identifiers) and neither the chunk nor its headings or address do. */
  unnamed: string[];
  /** The share of its other telling words that they have, 0 to 1. */
  share: number;
}

/** What a model said, and the passages that it names for it. */
export interface CitedSentence {
  text: string;
  cited: readonly string[];
  /** Title and headings of the passages. */
  context: string;
  url: string;
}

export interface AnswerWork {
  /** The chunks that have most of the question, the best first. */
  pick(question: string, pages: readonly AnswerPage[], most: number): Promise<RankedChunk[]>;
  prepare(question: string, chunks: readonly PageChunk[]): Promise<ReadableChunk[]>;
  /** For each sentence of a model, whether what it cites says it. */
  supported(sentences: readonly CitedSentence[]): Promise<boolean[]>;
}

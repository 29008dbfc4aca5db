// How a format that needs understanding is made: from the page alone, or better with a language model.
import type { FormatOf } from '../contracts/formats/format-traits.ts';
import type { Format } from '../contracts/formats/formats.ts';
import type { ModelPurpose } from '../contracts/operator/model-purpose.ts';
import type { Reading, ReadingTask } from '../encoders/reader/reading.ts';
import type { LanguageModel } from '../models/language-model.ts';
import type { CarriedSource, MadeFormat } from '../page/understanding.ts';
import type { ChunkEmbedding } from './chunks/embed-chunks.ts';
import type { ProgramBook } from './json/program/program-book.ts';
import type { UnderstandWork } from './understand-work.ts';

export interface MakerTools {
  /** Work that takes processor time, done in a thread. */
  work: UnderstandWork;
  /** The model for a purpose. `without` says why no model can be used, in words for the caller. */
  model(purpose: ModelPurpose): { model: LanguageModel } | { without: string };
  /** Finds answers in the text of pages; absent if the operator has turned it off. */
  reader?: TextReader;
  /** Programs of the team that select values from pages; absent if nothing may be stored. */
  programs?: ProgramBook;
  /** Gives chunks their vectors. Absent where no page is asked for them. */
  embedding?: ChunkEmbedding;
  signal: AbortSignal;
}

/** The reader, for one team and as long as the request lasts. */
export interface TextReader {
  /** One sentence for callers if it cannot run. */
  unavailable(): string | undefined;
  /** One answer for each question; undefined if it failed. */
  read(task: ReadingTask): Promise<Reading[] | undefined>;
}

/** Throws ServiceError if the format cannot be made; the other formats are not affected. */
export type FormatMaker<Type extends FormatOf<'understanding'> = FormatOf<'understanding'>> = (
  source: CarriedSource,
  format: Extract<Format, { type: Type }>,
  tools: MakerTools,
) => Promise<MadeFormat>;

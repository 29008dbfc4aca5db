// How a format that needs understanding is made: from the page alone, or better with a language model.
import type { FormatOf } from '../contracts/formats/format-traits.ts';
import type { Format } from '../contracts/formats/formats.ts';
import type { ModelPurpose } from '../contracts/operator/model-purpose.ts';
import type { LanguageModel } from '../models/language-model.ts';
import type { CarriedSource, MadeFormat } from '../page/understanding.ts';
import type { UnderstandWork } from './understand-work.ts';

export interface MakerTools {
  /** Work that takes processor time, done in a thread. */
  work: UnderstandWork;
  /** The model for a purpose. `without` says why no model can be used, in words for the caller. */
  model(purpose: ModelPurpose): { model: LanguageModel } | { without: string };
  /** Programs of the team that select values from pages; absent if nothing may be stored. */
  programs?: StoredPrograms;
  signal: AbortSignal;
}

export interface StoredPrograms {
  find(key: string): Promise<string | undefined>;
  save(key: string, value: string): Promise<void>;
}

/** Throws ServiceError if the format cannot be made; the other formats are not affected. */
export type FormatMaker<Type extends FormatOf<'understanding'> = FormatOf<'understanding'>> = (
  source: CarriedSource,
  format: Extract<Format, { type: Type }>,
  tools: MakerTools,
) => Promise<MadeFormat>;

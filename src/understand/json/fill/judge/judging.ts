// What is needed to decide whether a value is the one that a field asks for.
import type { Reading, ReadingQuestion } from '../../../../encoders/reader/reading.ts';
import type { PageReadable } from '../../../reading/page-reading.ts';

export interface Judging {
  /** The page as the reader reads it, made with the first question. */
  page: () => PageReadable;
  /** What the reader has found, by the paths of the fields. */
  readings: ReadonlyMap<string, Reading>;
  /** Fields about which the rules are not certain. */
  questions: OpenQuestion[];
}

export interface OpenQuestion extends ReadingQuestion {
  /** The path of its field. */
  path: string;
  /** How certain the rules are, 0 to 1. */
  confidence: number;
}

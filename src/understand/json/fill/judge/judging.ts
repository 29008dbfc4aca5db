// What is needed to decide whether a value is the one that a field asks for.
import type { Reading, ReadingQuestion } from '../../../../encoders/reader/reading.ts';
import type { PageSource } from '../../../../page/understanding.ts';
import { lazy } from '../../../../util/lazy.ts';
import { type PageReadable, pageText } from '../../../reading/page-reading.ts';
import type { FieldName } from '../field-names.ts';
import { type LabelledPlace, labelledPlaces } from './labelled-places.ts';
import { type MeasuringSentence, measuringSentences } from './measured-places.ts';
import { sharedStems } from './telling-words.ts';

export interface Judging {
  /** The page as the reader reads it, made with the first question. */
  page: () => PageReadable;
  /** The labels in its lines, with what they say. */
  labels: () => readonly LabelledPlace[];
  /** Its sentences with numbers or days. */
  measuring: () => readonly MeasuringSentence[];
  /** Stems of words that several names of the schema have: they do not tell the fields apart. */
  shared: ReadonlySet<string>;
  /** What the reader has found, by the paths of the fields. */
  readings: ReadonlyMap<string, Reading>;
  /** Fields about which the rules are not certain. */
  questions: OpenQuestion[];
}

export function createJudging(
  source: PageSource,
  names: readonly FieldName[],
  readings: ReadonlyMap<string, Reading> = new Map(),
): Judging {
  const page = lazy(() => pageText(source));
  const measuring = lazy(() => measuringSentences(page().text));
  const labels = lazy(() => labelledPlaces(page().text));
  return { page, labels, measuring, shared: sharedStems(names), readings, questions: [] };
}

export interface OpenQuestion extends ReadingQuestion {
  /** The path of its field. */
  path: string;
  /** How certain the rules are, 0 to 1. */
  confidence: number;
}

// The jobs of the page threads that find passages.
import type { CarriedSource } from '../../page/understanding.ts';
import type { Overview } from '../overview/places.ts';
import type { PassageRequest, PassageSpan } from './find-passages.ts';
import type { NumberedLines } from './numbered-lines.ts';
import type { SummarisedPage } from './summarise.ts';

export interface PassageWork {
  /** Empty if the page does not answer the question. */
  answer(markdown: string, request: PassageRequest): Promise<PassageSpan[]>;
  highlight(markdown: string, request: PassageRequest): Promise<PassageSpan[]>;
  summarise(markdown: string, page: SummarisedPage): Promise<PassageSpan[]>;
  /** Undefined for articles and whatever else is best said by its sentences. */
  overview(source: CarriedSource): Promise<Overview | undefined>;
  numberLines(markdown: string, maxTokens: number): Promise<NumberedLines>;
}

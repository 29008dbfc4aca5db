// The documents of a job one after the other, for the formats that need more than their stored text.
import type { Document } from '../../../contracts/scrape/document.ts';
import { createSlices } from '../../../util/slices.ts';
import { type ResultSlice, textsOf } from './read-slices.ts';

/** A document whose stored content is lost has nothing but a warning. */
export type ExportedDocument = Omit<Document, 'metadata'> & { metadata: Partial<Document['metadata']> };

export async function* readDocuments(slices: AsyncIterable<ResultSlice>): AsyncGenerator<ExportedDocument> {
  const turn = createSlices();
  for await (const slice of slices) {
    for (const text of textsOf(slice)) {
      if (turn.isOver()) await turn.next();
      yield JSON.parse(Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString());
    }
  }
}

/** Meta tags that a page has twice arrive as lists. */
export const oneLine = (value: unknown): string => {
  const text = Array.isArray(value) ? value[0] : value;
  return typeof text === 'string' ? text.replace(/\s+/g, ' ').trim() : '';
};

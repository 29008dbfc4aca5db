// JSON Lines: a document a line. The stored text has no line breaks, so it is sent as it is.
import type { ResultSlice } from './read-slices.ts';

const NEWLINE = '\n'.charCodeAt(0);
const LAST_NEWLINE = Uint8Array.of(NEWLINE);

export async function* writeJsonLines(slices: AsyncIterable<ResultSlice>): AsyncGenerator<Uint8Array> {
  for await (const { json, ends } of slices) {
    // The commas between the documents; the last document has none.
    for (const end of ends.slice(0, -1)) json[end] = NEWLINE;
    yield json;
    yield LAST_NEWLINE;
  }
}

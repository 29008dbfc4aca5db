// JSON: one list of all documents, each on a line of its own.
import type { ResultSlice } from './read-slices.ts';

export async function* writeJsonList(slices: AsyncIterable<ResultSlice>): AsyncGenerator<Uint8Array> {
  let before = '[\n';
  for await (const { json } of slices) {
    yield Buffer.from(before);
    yield json;
    before = ',\n';
  }
  yield Buffer.from(before === ',\n' ? '\n]\n' : '[]\n');
}

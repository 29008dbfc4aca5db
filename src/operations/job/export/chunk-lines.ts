// The chunks of all pages, one a line as JSON, each with the URL and the title of its page.
import { joinTexts } from './join-texts.ts';
import { oneLine, readDocuments } from './read-documents.ts';
import type { ResultSlice } from './read-slices.ts';

export const writeChunkLines = (slices: AsyncIterable<ResultSlice>): AsyncGenerator<Uint8Array> =>
  joinTexts(lines(slices));

async function* lines(slices: AsyncIterable<ResultSlice>): AsyncGenerator<string> {
  for await (const { chunks = [], metadata } of readDocuments(slices)) {
    const page = { url: metadata.url, title: oneLine(metadata.title) };
    for (const chunk of chunks) yield `${JSON.stringify({ ...page, ...chunk })}\n`;
  }
}

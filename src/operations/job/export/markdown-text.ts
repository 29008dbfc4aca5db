// The Markdown of all pages in one text, each below a line with its address.
import { markdownSection } from '../../../archive/page-files/markdown-section.ts';
import { joinTexts } from './join-texts.ts';
import { readDocuments } from './read-documents.ts';
import type { ResultSlice } from './read-slices.ts';

export const writeMarkdown = (slices: AsyncIterable<ResultSlice>): AsyncGenerator<Uint8Array> =>
  joinTexts(sections(slices));

async function* sections(slices: AsyncIterable<ResultSlice>): AsyncGenerator<string> {
  for await (const document of readDocuments(slices)) yield markdownSection(document);
}

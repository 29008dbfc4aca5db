// llms.txt, the list of all pages, and llms-full.txt, their texts, as a site has them in its root.
import { type LlmsPage, llmsPage, llmsSection, llmsTitle, writeLlmsText } from '../../../../text/llms-text.ts';
import { joinTexts } from '../join-texts.ts';
import { readDocuments } from '../read-documents.ts';
import type { ResultSlice } from '../read-slices.ts';

type Slices = AsyncIterable<ResultSlice>;

/** The list is made in memory, and nobody reads a longer one. */
const MAX_LISTED = 50_000;

export const writeLlms = (slices: Slices): AsyncGenerator<Uint8Array> => joinTexts(list(slices));
export const writeLlmsFull = (slices: Slices): AsyncGenerator<Uint8Array> => joinTexts(texts(slices));

async function* list(slices: Slices): AsyncGenerator<string> {
  const pages: LlmsPage[] = [];
  for await (const document of readDocuments(slices)) {
    const page = llmsPage(document);
    if (page) pages.push(page);
    if (pages.length === MAX_LISTED) break;
  }
  if (pages.length > 0) yield writeLlmsText(pages);
}

/** Its title is that of the page that was read first. */
async function* texts(slices: Slices): AsyncGenerator<string> {
  let isFirst = true;
  for await (const document of readDocuments(slices)) {
    const page = llmsPage(document);
    if (!page) continue;
    yield `${isFirst ? `${llmsTitle([page])}\n\n` : '\n\n'}${llmsSection(page, document.markdown?.trimEnd())}`;
    isFirst = false;
  }
  if (!isFirst) yield '\n';
}

// The format `chunks`: the page in pieces for a search index. No model is needed.
import type { FormatMaker } from '../format-maker.ts';

const EMPTY = '`chunks` is empty: the page has no text.';

export const chunks: FormatMaker<'chunks'> = async (source, { maxTokens, overlap }, { work }) => {
  const { url, title, markdown, pageStarts } = source;
  const made = await work.chunks.make({ url, title, markdown, pageStarts }, { maxTokens, overlap });
  return { content: { chunks: made }, warnings: made.length === 0 ? [EMPTY] : [] };
};

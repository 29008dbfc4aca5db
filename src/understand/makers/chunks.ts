// The format `chunks`: the page in pieces for a search index, with vectors if they are asked for. No language model is needed.
import type { FormatMaker } from '../format-maker.ts';

const EMPTY = '`chunks` is empty: the page has no text.';

export const chunks: FormatMaker<'chunks'> = async (source, { maxTokens, overlap, embeddings }, tools) => {
  const { url, title, markdown, pageStarts } = source;
  const made = await tools.work.chunks.make({ url, title, markdown, pageStarts }, { maxTokens, overlap });
  if (made.length === 0) return { content: { chunks: made }, warnings: [EMPTY] };
  if (!embeddings || !tools.embedding) return { content: { chunks: made }, warnings: [] };
  const embedded = await tools.embedding.embed(made, { url, variant: `${maxTokens} ${overlap}` });
  return { content: { chunks: embedded.chunks }, warnings: embedded.warnings };
};

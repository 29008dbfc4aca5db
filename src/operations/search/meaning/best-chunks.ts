// The chunks of found pages that fit a query best, by their words and, where the encoder is there, by what they mean.
import type { FoundChunk } from '../../../contracts/formats/chunk.ts';
import type { Query } from '../../../contracts/search/search-query.ts';
import type { IndexedText } from '../../../index/pages/page-rows.ts';
import { withMeaning } from '../../../text/meaning-scores.ts';
import type { Understander } from '../../../understand/understander.ts';
import type { Caller } from '../../caller.ts';
import { type QueryMeanings, wordsOf } from './query-meanings.ts';
import { wordShares } from './word-shares.ts';

export interface BestChunksDeps {
  understander: Pick<Understander, 'tools'>;
  meanings: Pick<QueryMeanings, 'nearness'>;
}

export interface ChunkedPage {
  url: string;
  title: string;
  markdown: string;
}

interface Wanted {
  query: Query;
  /** Best first. */
  pages: readonly ChunkedPage[];
  limit: number;
  byMeaning: boolean;
  isPrivate: boolean;
  deadline: number;
}

/** No longer than what the encoder reads of a text. */
const LIMITS = { maxTokens: 200, overlap: 0 };
const MAX_PAGES = 20;
const MAX_CHARACTERS = 40_000;
/** The best by words are compared by meaning: 25 ms each. */
const COMPARED = 24;
const WAIT_MS = 1_000;
/** As for pages (index/ranking/ranking-weights.ts). */
const MEANING_WEIGHT = 1;

export async function bestChunks(
  { understander, meanings }: BestChunksDeps,
  { query, pages, limit, byMeaning, isPrivate, deadline }: Wanted,
  caller: Caller,
): Promise<FoundChunk[]> {
  const { work } = understander.tools({ asker: { team: caller.team.id, deadline }, isPrivate }, caller.signal);
  const made = await Promise.all(
    pages.slice(0, MAX_PAGES).map(async ({ url, title, markdown }) => {
      const chunks = await work.chunks.make({ url, title, markdown: markdown.slice(0, MAX_CHARACTERS) }, LIMITS);
      return chunks.map((chunk, place) => ({ url, title, chunk, place }));
    }),
  );
  const all = made.flat();
  const shares = await wordShares(
    wordsOf(query),
    all.map(({ chunk }) => `${chunk.context}\n${chunk.text}`),
  );
  // Where no chunk has a word of the query, the beginnings of pages come first.
  const byWords = all
    .map((found, at) => ({ ...found, share: shares[at]! }))
    .sort((a, b) => b.share - a.share || a.place - b.place)
    .slice(0, Math.max(limit, COMPARED));
  const compared = byWords.slice(0, COMPARED).map(({ chunk }) => `${chunk.context}\n${chunk.text}`);
  const cosines = byMeaning ? await meanings.nearness(query, compared, caller, WAIT_MS) : [];
  const combined = withMeaning(
    byWords.map(({ share }) => share),
    cosines,
    MEANING_WEIGHT,
  );
  const scored = byWords.map((found, at) => ({ ...found, score: combined?.[at]?.score ?? found.share }));
  const best = scored.sort((a, b) => b.score - a.score).slice(0, limit);
  const highest = best[0]?.score || 1;
  return best.map(({ url, title, chunk: { id, headings, text, tokens }, score }) => ({
    ...{ url, title, id, headings, text, tokens },
    score: Math.round((score / highest) * 1e4) / 1e4,
  }));
}

/** The text of the index has a line for each block; what its headings are is known besides. */
export function asMarkdown({ headings, body }: IndexedText): string {
  const known = new Set(headings.split('\n').filter((line) => line !== ''));
  return body
    .split('\n')
    .map((line) => (known.has(line) ? `\n## ${line}\n` : line))
    .join('\n');
}

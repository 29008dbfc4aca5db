// Results of different kinds in one list: by their rank among their own kind, and by how well their texts fit the question.
import type { CodeLicense } from '../../contracts/search/code-item.ts';
import type { DeveloperType } from '../../contracts/search/developer.ts';
import { relevances } from '../../search/relevance.ts';
import { bestPassages } from '../../text/passages/passages.ts';
import { guessLanguage } from '../../text/words/language.ts';
import { queryWords } from '../../text/words/terms.ts';

export interface DeveloperEvidence {
  type: DeveloperType;
  id: string;
  url: string;
  title: string;
  /** Markdown. */
  body: string;
  /** Among its own kind, from 1. */
  rank: number;
  license?: CodeLicense;
  repo?: string;
  number?: number;
}

export interface RankedEvidence {
  evidence: DeveloperEvidence;
  /** By reciprocal ranks. */
  rrf: number;
  /** How well the text fits, from 0 to 1. */
  lexical: number;
}

const RANK_OFFSET = 60;
const PASSAGE_LENGTH = 800;

export function rankEvidence(query: string, all: readonly DeveloperEvidence[]): RankedEvidence[] {
  const fits = relevances(
    query,
    all.map(({ title, body }) => `${title}\n${body}`),
  );
  const places = [...fits.keys()].sort((a, b) => fits[b]! - fits[a]!);
  const placeOf = new Map(places.map((index, place) => [index, place + 1]));
  const ranked = all.map((evidence, index) => ({
    evidence,
    rrf: 1 / (RANK_OFFSET + evidence.rank) + 1 / (RANK_OFFSET + placeOf.get(index)!),
    lexical: fits[index]!,
  }));
  return ranked.sort((a, b) => b.rrf - a.rrf);
}

/** The best passages; if no sentence has words of the query, how the text begins. */
export function passagesOf(text: string, query: string, count: number): string[] {
  const words = { words: queryWords(query), phrases: [] };
  const found = bestPassages(text, guessLanguage(text), words, count, PASSAGE_LENGTH);
  if (found.length > 0) return found.map((passage) => passage.text);
  const start = text.slice(0, PASSAGE_LENGTH).trim();
  return start === '' ? [] : [start];
}

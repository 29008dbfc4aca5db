// Queries that are longer than a search takes: the APIs of other programs have other limits, and their clients do not shorten.
import { MAX_QUERY_LENGTH } from '../../contracts/search/search.ts';

export interface CutQuery {
  query: string;
  warning?: string;
}

/** Cut at the end of a word, if there is one in the second half. */
export function cutQuery(text: string, max = MAX_QUERY_LENGTH): CutQuery {
  const query = text.trim();
  // No query of so many characters is worth splitting into all of them.
  const characters = Array.from(query.slice(0, 2 * (max + 1)));
  if (characters.length <= max) return { query };
  const start = characters.slice(0, max).join('');
  const isWhole = /\s/.test(characters[max]!);
  const end = isWhole ? -1 : start.search(/\s\S*$/);
  const cut = end > start.length / 2 ? start.slice(0, end) : start;
  return { query: cut.trimEnd(), warning: `The query was cut after ${max} characters.` };
}

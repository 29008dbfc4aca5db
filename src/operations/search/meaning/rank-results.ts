// Ranks what providers and maps have found also by what its title and description mean. Most results of the web are where
// their providers put them for reasons that no text shows, so their ranks count more than the meaning.
import type { Query } from '../../../contracts/search/search-query.ts';
import type { Fused } from '../../../search/fuse.ts';
import type { ResultCandidate } from '../../../search/match/visible-result.ts';
import { withMeaning } from '../../../text/meaning-scores.ts';
import { isForeign } from '../highlights.ts';
import type { MeaningCaller, QueryMeanings } from './query-meanings.ts';

const WEIGHT = 0.5;
/** In all, whatever the encoder has to load. A text takes nine. */
const WAIT_MS = 150;
const MOST = 100;
const MAX_DESCRIPTION = 300;

/** Results of the index alone stay as they are: it has compared whole pages. */
export async function rankResults(
  meanings: Pick<QueryMeanings, 'nearness'>,
  query: Query,
  results: Fused<ResultCandidate>[],
  caller: MeaningCaller,
): Promise<Fused<ResultCandidate>[]> {
  if (!results.some(isForeign)) return results;
  return rankByMeaning(meanings, query, results, ({ result }) => result, { caller, waitMs: WAIT_MS });
}

/** The best by their score ranked anew, by what title and description mean. */
export async function rankByMeaning<T extends { score: number }>(
  meanings: Pick<QueryMeanings, 'nearness'>,
  query: Query,
  results: T[],
  textsOf: (result: T) => { title: string; description: string },
  { caller, waitMs }: { caller: MeaningCaller; waitMs: number },
): Promise<T[]> {
  const texts = results.slice(0, MOST).map((result) => {
    const { title, description } = textsOf(result);
    return `${title}\n${description.slice(0, MAX_DESCRIPTION)}`;
  });
  const cosines = await meanings.nearness(query, texts, caller, waitMs);
  const weighed = withMeaning(
    results.map(({ score }) => score),
    cosines,
    WEIGHT,
  );
  return weighed ? results.map((one, at) => ({ ...one, ...weighed[at]! })).sort((a, b) => b.score - a.score) : results;
}

// A search of OpenSearch whose hits are candidates: only their columns are read.
import { columnsOnly } from '../engine/page-store.ts';
import { CANDIDATE_FIELDS } from '../ingest/page-document.ts';
import type { CandidateSearch } from './fetched.ts';
import type { OpenSearchClause, ScopeClauses } from './filter-clauses.ts';

export interface Ordering {
  size: number;
  must?: OpenSearchClause;
  should?: OpenSearchClause[];
  /** By score, unless given. */
  sort?: OpenSearchClause[];
}

export const candidateSearch = (
  { filter, mustNot, named }: ScopeClauses,
  { size, must, should = [], sort = [{ _score: 'desc' }, { change: 'desc' }] }: Ordering,
): CandidateSearch => ({
  size,
  // It only matters whether there are more than requested.
  track_total_hits: size + 1,
  ...columnsOnly(CANDIDATE_FIELDS),
  query: { bool: { filter, must_not: mustNot, must: must ?? [], should: [...should, ...named] } },
  sort,
});

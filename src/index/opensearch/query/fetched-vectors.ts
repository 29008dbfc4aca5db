// The vectors that one search has fetched from OpenSearch so far, and the pages whose vectors are near to that of its query.
import type { TextVector } from '../../../text/text-vectors.ts';
import { columnsOnly, type PageDocuments } from '../engine/page-store.ts';
import { vectorId } from '../ingest/page-document.ts';
import { readVector, type VectorDocument } from '../ingest/vectors.ts';
import type { OpenSearchClause } from './filter-clauses.ts';

/** The vector of a page as it was with this change. */
export interface KnownVector {
  change: number;
  vector: TextVector;
}

export interface NearSearch {
  /** The words of signs of the query. */
  signs: readonly string[];
  filter: OpenSearchClause[];
  most: number;
}

export interface FetchedVectors {
  vector(id: string): KnownVector | undefined;
  /** The ids of pages with the most signs in common; undefined as long as that was not fetched. */
  near(search: NearSearch): readonly string[] | undefined;
}

/** Words of signs: vectors that have nothing in common share one of 64. */
const LEAST_IN_COMMON = 2;

/** `miss` notes what is not there yet. */
export function createFetchedVectors(store: PageDocuments, miss: <T>(set: Set<T>, what: T) => undefined) {
  const vectors = new Map<string, KnownVector | undefined>();
  const nearPages = new Map<string, string[]>();
  const missing = { vectors: new Set<string>(), near: new Set<string>() };
  const fetched: FetchedVectors = {
    vector: (id) => (vectors.has(id) ? vectors.get(id) : miss(missing.vectors, id)),
    near(search) {
      const asked = JSON.stringify(search);
      return nearPages.get(asked) ?? miss(missing.near, asked);
    },
  };
  return {
    ...fetched,
    missing,
    fetches: {
      async vectors() {
        const ids = [...missing.vectors];
        const found = await store.get<VectorDocument>(ids.map(vectorId), ['change', 'vector']);
        for (const [index, id] of ids.entries()) vectors.set(id, found[index] && readVector(found[index]));
      },
      async near() {
        const asked = [...missing.near];
        const answers = await store.search(asked.map((search) => nearestVectors(JSON.parse(search) as NearSearch)));
        for (const [at, { hits }] of answers.entries()) {
          const ids = hits.hits.map(({ fields }) => fields!.vectorOf![0] as string);
          nearPages.set(asked[at]!, ids);
        }
      },
    },
  };
}

const nearestVectors = ({ signs, filter, most }: NearSearch) => ({
  size: most,
  ...columnsOnly(['vectorOf']),
  query: {
    bool: {
      filter,
      should: signs.map((word) => ({ constant_score: { filter: { term: { signs: word } } } })),
      minimum_should_match: LEAST_IN_COMMON,
    },
  },
});

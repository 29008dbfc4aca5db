// Which docs a search may return at all, and which of them have to be read before they are shown.
import type { PageColumns } from '../pages/page-columns.ts';
import { type ColumnFilter, columnFilter, type RequiredKind, type Searched } from './column-filter.ts';
import { type FilterablePage, type Predicate, predicatesOf, type TermMatch } from './predicates.ts';

export interface SearchScope {
  /** 1 at the id of each doc that may be returned; undefined allows every doc. */
  filter?: Uint8Array;
  /** Reads the page where the filter alone cannot decide. */
  fits(docId: number, page: FilterablePage): boolean;
  each(callback: (docId: number) => void): void;
}

/** Docs chosen beforehand: a result must match all `matches`, be in every list of `only` and not in `without`. */
export interface DocSets {
  matches?: readonly TermMatch[];
  only?: readonly (readonly number[])[];
  without?: readonly number[];
}

export interface ScopeBuilder {
  build(search: Searched, kind: RequiredKind, sets?: DocSets): SearchScope;
}

/** How many pages a search reads to check wanted and unwanted predicates. Beyond that, unchecked pages are left out. */
const MAX_READS = { wanted: 600, unwanted: 120 };

export type DocsMatching = (match: TermMatch) => readonly number[];

export function createScopeBuilder(docsMatching: DocsMatching, columns: PageColumns): ScopeBuilder {
  return {
    build(search, kind, { matches = [], only = [], without = [] } = {}) {
      const predicates = predicatesOf(search.query);
      const byColumns = columnFilter(columns, search, kind);
      const wanted = [...predicates.filter(canNarrow).map(({ match }) => match!), ...matches];
      const matching = wanted.map(docsMatching);
      const filter = buildFilter(columns, byColumns, [...matching, ...only], without);
      const checks = predicates
        .filter((predicate) => predicate.holds || predicate.negated)
        .map((predicate) => createCheck(predicate, docsMatching, columns));
      let reads = 0;
      return {
        filter,
        each(callback) {
          const { end, host } = columns;
          const isThere: Uint8Array | Uint32Array = filter ?? host;
          for (let docId = 1; docId < end; docId++) if (isThere[docId] !== 0) callback(docId);
        },
        fits: (docId, page) =>
          checks.every((check) => {
            if (!check.needsReading(docId)) return true;
            reads += 1;
            const { negated } = check.predicate;
            return reads <= (negated ? MAX_READS.unwanted : MAX_READS.wanted) && check.holds(page) !== negated;
          }),
      };
    },
  };
}

const canNarrow = ({ negated, match }: Predicate): boolean => !negated && match !== undefined;

interface Check {
  predicate: Predicate;
  needsReading(docId: number): boolean;
  holds(page: FilterablePage): boolean;
}

/** A negated predicate concerns only the docs that match it; a wanted one concerns every doc left by the filter. */
function createCheck(predicate: Predicate, docsMatching: DocsMatching, columns: PageColumns): Check {
  const holds = predicate.holds ?? (() => true);
  if (!predicate.negated || !predicate.match) return { predicate, holds, needsReading: () => true };
  const found = new Uint8Array(columns.end);
  for (const docId of docsMatching(predicate.match)) found[docId] = 1;
  return { predicate, holds, needsReading: (docId) => found[docId] === 1 };
}

function buildFilter(
  columns: PageColumns,
  byColumns: ColumnFilter,
  sets: readonly (readonly number[])[],
  without: readonly number[],
): Uint8Array | undefined {
  if (sets.length === 0 && !byColumns && without.length === 0) return undefined;
  const { end, host } = columns;
  const filter = new Uint8Array(end);
  const [first, ...others] = sets;
  if (first) {
    for (const docId of first) if (host[docId] !== 0 && (!byColumns || byColumns(docId))) filter[docId] = 1;
  } else {
    for (let docId = 1; docId < end; docId++) {
      if (host[docId] !== 0 && (!byColumns || byColumns(docId))) filter[docId] = 1;
    }
  }
  for (const docIds of others) intersect(filter, docIds);
  for (const docId of without) filter[docId] = 0;
  return filter;
}

function intersect(filter: Uint8Array, docIds: readonly number[]): void {
  const old = filter.slice();
  filter.fill(0);
  for (const docId of docIds) filter[docId] = old[docId]!;
}

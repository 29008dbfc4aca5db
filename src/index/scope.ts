// Which documents a search may show at all, and which of them have to be read before they are shown.
import type { Conditions, Query } from '../contracts/search-query.ts';
import type { Connection } from '../store/sqlite/connection.ts';
import { type ColumnFilter, columnFilter, type Wanted } from './column-filter.ts';
import type { Columns } from './columns.ts';
import { type Test, type TestedPage, testsOf } from './tests.ts';

export interface Scope {
  /** 1 at each document that may be shown; undefined: any. */
  admitted?: Uint8Array;
  /** Does its text fit, as far as that is in doubt? */
  fits(number: number, page: TestedPage): boolean;
  /** Calls back for each document that may be shown. */
  each(visit: (number: number) => void): void;
}

/** Documents that were chosen before: none but those of each list, and none of the others. */
export interface Narrowing {
  only?: readonly (readonly number[])[];
  without?: readonly number[];
}

export interface Matcher {
  /** The documents that an FTS5 expression finds. */
  idsOf(expression: string): number[];
  scope(query: Query, conditions: Conditions, wanted: Wanted, likeness?: Narrowing): Scope;
}

/** So many texts are read for what is wanted, and for what is not; then what is in doubt counts as not fitting. */
const MAX_READ = { wanted: 600, unwanted: 120 };

export function createMatcher(connection: Connection, columns: Columns): Matcher {
  const find = connection.prepare<{ ids: string }>('SELECT json_group_array(rowid) AS ids FROM fts WHERE fts MATCH ?');
  const idsOf = (expression: string) => JSON.parse(find.get(expression)!.ids) as number[];

  return {
    idsOf,
    scope(query, conditions, wanted, { only = [], without = [] } = {}) {
      const tests = testsOf(query);
      const filter = columnFilter(columns, query, conditions, wanted);
      const sets = tests.filter(isNarrowing).map(({ expression }) => idsOf(expression!));
      const admitted = admit(columns, filter, [...sets, ...only], without);
      const checks = tests
        .filter((test) => test.holds || test.negated)
        .map((test) => createCheck(test, idsOf, columns));
      let read = 0;
      return {
        admitted,
        each(visit) {
          const { end, host } = columns;
          const isThere: Uint8Array | Uint32Array = admitted ?? host;
          for (let number = 1; number < end; number++) if (isThere[number] !== 0) visit(number);
        },
        fits: (number, page) =>
          checks.every((check) => {
            const isInDoubt = check.isInDoubt(number);
            if (!isInDoubt) return true;
            read += 1;
            const { negated } = check.test;
            return read <= (negated ? MAX_READ.unwanted : MAX_READ.wanted) && check.holds(page) !== negated;
          }),
      };
    },
  };
}

const isNarrowing = ({ negated, expression }: Test): boolean => !negated && expression !== undefined;

interface Check {
  test: Test;
  isInDoubt(number: number): boolean;
  holds(page: TestedPage): boolean;
}

/** Of an unwanted thing, only those are in doubt that FTS5 finds; of a wanted one, all that are left. */
function createCheck(test: Test, idsOf: (expression: string) => number[], columns: Columns): Check {
  const holds = test.holds ?? (() => true);
  if (!test.negated || !test.expression) return { test, holds, isInDoubt: () => true };
  const found = new Uint8Array(columns.end);
  for (const number of idsOf(test.expression)) found[number] = 1;
  return { test, holds, isInDoubt: (number) => found[number] === 1 };
}

function admit(
  columns: Columns,
  filter: ColumnFilter,
  sets: readonly (readonly number[])[],
  without: readonly number[],
): Uint8Array | undefined {
  if (sets.length === 0 && !filter && without.length === 0) return undefined;
  const { end, host } = columns;
  const admitted = new Uint8Array(end);
  const [first, ...others] = sets;
  if (first) {
    for (const number of first) if (host[number] !== 0 && (!filter || filter(number))) admitted[number] = 1;
  } else {
    for (let number = 1; number < end; number++) {
      if (host[number] !== 0 && (!filter || filter(number))) admitted[number] = 1;
    }
  }
  for (const ids of others) keepOnly(admitted, ids);
  for (const number of without) admitted[number] = 0;
  return admitted;
}

function keepOnly(admitted: Uint8Array, ids: readonly number[]): void {
  const old = admitted.slice();
  admitted.fill(0);
  for (const number of ids) admitted[number] = old[number]!;
}

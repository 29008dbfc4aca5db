// What a query calls and reads, as PostgreSQL itself has understood it: a role cannot be kept from calling built-in functions, of
// which some change the role, run SQL in a text or read files.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ServiceError } from '../../../contracts/errors/errors.ts';
import { lazy } from '../../../util/lazy.ts';
import type { Sql } from '../database/database.ts';

const FILE = join(import.meta.dirname, '../../../../data/sql-functions.json');
const readAllowed = () => new Set((JSON.parse(readFileSync(FILE, 'utf8')) as { postgresql: string[] }).postgresql);

/** Parts of a stored statement that name functions, operators and tables by their numbers. */
const CALLED = /:(?:funcid|aggfnoid|winfnoid) (\d+)/g;
const OPERATORS = /:opfuncid (\d+)/g;
const READ = /:relid (\d+)/g;
/** Made by the grammar, without a function that could be judged. */
const OPAQUE = /\{(?:XMLEXPR|TABLEFUNC|TABLESAMPLECLAUSE|NEXTVALUEEXPR|JSONEXPR)\b/;

interface FunctionRow {
  id: string;
  name: string;
  isBuiltIn: boolean;
  isVolatile: boolean;
  isCast: boolean;
}

export interface StatementCheck {
  /** Throws QUERY_INVALID unless the view reads `tables` of the session only, and calls harmless functions. */
  check(sql: Sql, view: string, tables: readonly string[]): Promise<void>;
}

export function createStatementCheck(): StatementCheck {
  const allowed = lazy(readAllowed);
  return {
    async check(sql, view, tables) {
      const [rule] = await sql<{ tree: string }[]>`
        SELECT ev_action::text AS tree FROM pg_catalog.pg_rewrite WHERE ev_class = ${`pg_temp.${view}`}::regclass`;
      const { tree } = rule!;
      const [called, operators, read] = [CALLED, OPERATORS, READ].map((pattern) => numbersIn(tree, pattern));
      if (OPAQUE.test(tree)) throw refused('It uses a construct that queries may not use.');
      const relations = await sql<{ name: string; isView: boolean }[]>`
        SELECT relname AS name, relnamespace = pg_my_temp_schema() AND relname = ANY(${[...tables, view]}) AS "isView"
        FROM pg_catalog.pg_class WHERE oid = ANY(${read!}::oid[])`;
      const table = relations.find(({ isView }) => !isView);
      if (table) throw refused(`Queries may not read ${table.name}.`);
      const functions = await sql<FunctionRow[]>`
        SELECT proc.oid::text AS id, proname AS name, pronamespace = 'pg_catalog'::regnamespace AS "isBuiltIn",
          provolatile = 'v' AS "isVolatile", EXISTS (SELECT 1 FROM pg_catalog.pg_cast WHERE castfunc = proc.oid) AS "isCast"
        FROM pg_catalog.pg_proc AS proc WHERE oid = ANY(${[...called!, ...operators!]}::oid[])`;
      const isHarmless = ({ id, name, isBuiltIn, isVolatile, isCast }: FunctionRow) =>
        isBuiltIn && (!called!.includes(id) ? !isVolatile : isCast || allowed().has(name));
      const found = functions.find((row) => !isHarmless(row));
      if (found) throw refused(`Not authorized to use function: ${found.name}.`);
    },
  };
}

const numbersIn = (tree: string, pattern: RegExp): string[] => [
  ...new Set([...tree.matchAll(pattern)].map(([, number]) => number!).filter((number) => number !== '0')),
];

const refused = (message: string) =>
  new ServiceError('QUERY_INVALID', { message: `${message} GET /v2/query/schema lists what queries read.` });

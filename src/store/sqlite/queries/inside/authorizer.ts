// Decides about everything that SQLite compiles for a query: it may read the views of its caller, and call harmless functions.
// What the views read is open to the views alone. Their inner names are random, because SQLite also gives the name of a common
// table expression as the one that reads, and a query could give it the name of a view.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, type DatabaseSync } from 'node:sqlite';

const FILE = join(import.meta.dirname, '../../../../../data/sql-functions.json');
/** Functions that make a table of a value. */
const OPEN_MODULES = new Set(['json_each', 'json_tree']);
const RESERVED = /^(?:sqlite_|pragma_)/;

interface Names {
  /** What the query reads. */
  views: ReadonlySet<string>;
  /** Begins the names of what these read. */
  secret: string;
}

/** Runs statements of our own, which SQLite compiles again once there is an authorizer. */
export type RunTrusted = <T>(work: () => T) => T;

export interface Authorizer {
  runTrusted: RunTrusted;
  /** Call it once the views are made: from then on, only queries of the caller can be prepared, and what is trusted. */
  authorize(names: Names): void;
}

export function createAuthorizer(database: DatabaseSync): Authorizer {
  let isTrusted = false;
  return {
    runTrusted(work) {
      isTrusted = true;
      try {
        return work();
      } finally {
        isTrusted = false;
      }
    },
    authorize: (names) => setAuthorizer(database, names, () => isTrusted),
  };
}

function setAuthorizer(database: DatabaseSync, { views, secret }: Names, isTrusted: () => boolean): void {
  const functions = new Set((JSON.parse(readFileSync(FILE, 'utf8')) as { sqlite: string[] }).sqlite);
  const known = namesIn(database);
  const { SQLITE_OK, SQLITE_DENY, SQLITE_SELECT, SQLITE_RECURSIVE, SQLITE_READ, SQLITE_FUNCTION } = constants;
  const isSecret = (name: string | null) => name?.startsWith(secret) ?? false;

  const mayRead = (table: string, column: string | null, schema: string | null): boolean => {
    const name = table.toLowerCase();
    if (isSecret(table) || OPEN_MODULES.has(name)) return true;
    if (views.has(name)) return schema === 'temp' || schema === null;
    // Rows are counted without a column. Only a name of the query itself, such as that of a common table expression, is no table.
    return !column && schema === null && !known.has(name) && !RESERVED.test(name);
  };

  database.setAuthorizer((action, first, second, schema, reader) => {
    if (isTrusted()) return SQLITE_OK;
    if (action === SQLITE_SELECT || action === SQLITE_RECURSIVE) return SQLITE_OK;
    if (action !== SQLITE_READ && action !== SQLITE_FUNCTION) return SQLITE_DENY;
    if (isSecret(reader)) return SQLITE_OK;
    const isAllowed =
      action === SQLITE_READ ? mayRead(first ?? '', second, schema) : functions.has((second ?? '').toLowerCase());
    return isAllowed ? SQLITE_OK : SQLITE_DENY;
  });
}

/** Tables of the file, and those that modules of SQLite make up. */
function namesIn(database: DatabaseSync): ReadonlySet<string> {
  const rows = database
    .prepare('SELECT name FROM main.sqlite_schema UNION SELECT name FROM pragma_module_list')
    .all() as { name: string }[];
  return new Set(rows.map(({ name }) => name.toLowerCase()));
}

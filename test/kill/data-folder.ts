// Checks a data folder from outside for damage, unused rows and files without a row.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The tables that refer to bodies. */
const OWNERS = `SELECT tables.name FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
  WHERE tables.type = 'table' AND columns.name = 'body_id'`;

/** Empty when the folder is intact. No process may be writing to the folder. */
export function folderProblems(dataDir: string): string[] {
  return withDatabase(dataDir, (column) => {
    const named = column('SELECT blob FROM bodies WHERE blob IS NOT NULL');
    const files = blobFiles(dataDir);
    const used = column(OWNERS)
      .map((owner) => `SELECT body_id FROM ${owner} WHERE body_id IS NOT NULL`)
      .join(' UNION ');
    const unused = column(`SELECT id FROM bodies WHERE id NOT IN (${used})`);
    return [
      ...column('PRAGMA integrity_check').filter((line) => line !== 'ok'),
      ...column('PRAGMA foreign_key_check').map((table) => `A row of ${table} refers to nothing.`),
      ...unused.map((id) => `Nothing refers to body ${id}.`),
      ...without(files, named).map((name) => `No row names the file ${name}.`),
      ...without(named, files).map((name) => `The file ${name} is missing.`),
      ...column(UNCOUNTED).map((team) => `The totals of team ${team} are not the sum of its ledger.`),
    ];
  });
}

/** Both are written in one transaction, with what they bill. */
const UNCOUNTED = `SELECT team_id FROM ledger GROUP BY team_id
  HAVING sum(credits) IS NOT (SELECT sum(credits) FROM usage WHERE usage.team_id = ledger.team_id)`;

/** Files that no row names: they belong to a write that is not committed yet. */
export const uncommittedFiles = (dataDir: string): string[] =>
  withDatabase(dataDir, (column) =>
    without(blobFiles(dataDir), column('SELECT blob FROM bodies WHERE blob IS NOT NULL')),
  );

export function blobFiles(dataDir: string): string[] {
  const folder = join(dataDir, 'blobs');
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

function without(names: string[], others: string[]): string[] {
  const left = new Set(names);
  for (const other of others) left.delete(other);
  return [...left];
}

/** `column` returns the first column of a query's rows as text. */
function withDatabase<T>(dataDir: string, read: (column: (sql: string) => string[]) => T): T {
  const database = new DatabaseSync(join(dataDir, 'store.db'), { readOnly: true });
  try {
    return read((sql) =>
      database
        .prepare(sql)
        .all()
        .map((row) => String(Object.values(row)[0])),
    );
  } finally {
    database.close();
  }
}

// The size of an index file, in total and by table.
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const MB = 1024 * 1024;

export interface FileSize {
  wholeMb: number;
  /** By table, including its indexes. The tables of FTS5 count as one. */
  partsMb: Map<string, number>;
}

export function sizeOf(file: string): FileSize {
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const rows = database
      .prepare(
        `SELECT ifnull(m.tbl_name, d.name) AS name, sum(d.pgsize) AS bytes
         FROM dbstat AS d LEFT JOIN sqlite_schema AS m ON m.name = d.name WHERE d.aggregate = 1 GROUP BY 1`,
      )
      .all() as { name: string; bytes: number }[];
    const partsMb = new Map<string, number>();
    for (const { name, bytes } of rows) {
      const part = name.startsWith('fts_') ? 'fts' : name;
      partsMb.set(part, (partsMb.get(part) ?? 0) + bytes / MB);
    }
    return { wholeMb: statSync(file).size / MB, partsMb };
  } finally {
    database.close();
  }
}

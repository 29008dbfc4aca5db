// Looks for secrets in every file below a folder, and in every row of its databases: a value that is longer than a page of
// the file does not stand there in one piece.
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { findInFolder, unpackedParts } from '../../../test/support/found-bytes.ts';

/** One sentence for each secret and place. No process may be writing to the folder. */
export function findSecrets(folder: string, secrets: Readonly<Record<string, string>>): string[] {
  const found = new Set<string>();
  for (const place of findInFolder(folder, Object.values(secrets))) found.add(`A secret is in ${place}`);
  for (const file of globSync('**/*.db', { cwd: folder })) {
    for (const [table, value] of valuesOf(join(folder, file))) {
      for (const content of [value, ...Array.from(unpackedParts(value), ([, unpacked]) => unpacked)]) {
        for (const secret of Object.values(secrets)) {
          if (content.includes(secret)) found.add(`A secret is in table ${table} of ${basename(file)}: ${secret}`);
        }
      }
    }
  }
  return [...found];
}

function* valuesOf(file: string): Generator<[table: string, value: Buffer]> {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = database.prepare(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'`,
    );
    for (const { name } of tables.all() as { name: string }[]) {
      const rows = database.prepare(`SELECT * FROM "${name}"`);
      // Hashes are 64-bit numbers, which JavaScript's cannot hold.
      rows.setReadBigInts(true);
      for (const row of rows.iterate()) {
        for (const value of Object.values(row)) {
          if (value instanceof Uint8Array || typeof value === 'string') yield [name, Buffer.from(value as string)];
        }
      }
    }
  } finally {
    database.close();
  }
}

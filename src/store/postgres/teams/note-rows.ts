// SQL for the notes of the service, which all its processes share.
import type { Notes } from '../../notes.ts';
import type { Base } from '../base.ts';
import type { Sql } from '../database/database.ts';

export interface NoteRows extends Notes {
  /** As `read` and `write`, inside a transaction. */
  readNote(sql: Sql, name: string): Promise<string | undefined>;
  writeNote(sql: Sql, name: string, value: string): Promise<void>;
}

export function createNoteRows({ database }: Pick<Base, 'database'>): NoteRows {
  const { sql: pool } = database;
  const readNote: NoteRows['readNote'] = async (sql, name) =>
    (await sql<{ value: string }[]>`SELECT value FROM notes WHERE name = ${name}`)[0]?.value;
  const writeNote: NoteRows['writeNote'] = async (sql, name, value) =>
    void (await sql`
      INSERT INTO notes (name, value) VALUES (${name}, ${value})
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`);
  return {
    readNote,
    writeNote,
    read: (name) => readNote(pool, name),
    write: (name, value) => writeNote(pool, name, value),
  };
}

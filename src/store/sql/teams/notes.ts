// The notes of the service, which all its processes share.
import type { Notes } from '../../ports/notes.ts';
import type { Database, Queries } from '../database.ts';

export const readNote = async (queries: Queries, name: string): Promise<string | undefined> =>
  (await queries.one<{ value: string }>`SELECT value FROM notes WHERE name = ${name}`)?.value;

export const writeNote = async (queries: Queries, name: string, value: string): Promise<void> =>
  void (await queries.run`
    INSERT INTO notes (name, value) VALUES (${name}, ${value})
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`);

export const createNotes = (database: Database): Notes => ({
  read: (name) => readNote(database, name),
  write: (name, value) => writeNote(database, name, value),
});

// The notes of the service, which all its processes share.
import type { Notes } from '../../notes.ts';
import type { Database } from '../database.ts';

export const createNotes = (database: Database): Notes => ({
  read: async (name) => (await database.one<{ value: string }>`SELECT value FROM notes WHERE name = ${name}`)?.value,
  write: async (name, value) =>
    void (await database.run`
      INSERT INTO notes (name, value) VALUES (${name}, ${value})
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`),
});

// The notes of the service for transactions of the store thread that wait for nothing.

import type { Connection } from '../../util/sqlite.ts';
import type { Notes } from '../notes.ts';
import type { Served } from './served.ts';

export type NoteRows = Served<Notes>;

export function createNoteRows(connection: Connection): NoteRows {
  const find = connection.prepare<{ value: string }>('SELECT value FROM notes WHERE name = ?');
  const put = connection.prepare(
    'INSERT INTO notes (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  );
  return {
    read: (name) => find.get(name)?.value,
    write: (name, value) => void put.run(name, value),
  };
}

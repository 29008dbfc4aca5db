// A database into which a data folder is being moved cannot be used before everything is there.
import { StoreError } from '../ports/store-error.ts';
import type { PostgresDatabase } from './database/database.ts';

export async function checkMove({ sql }: Pick<PostgresDatabase, 'sql'>): Promise<void> {
  const unfinished = await sql`SELECT 1 FROM folder_moves WHERE finished_at IS NULL`;
  if (unfinished.length > 0)
    throw new StoreError(
      'The move of a data folder into this database is not finished. Run `trawl migrate --from DIR` again: it goes on where it was.',
    );
}

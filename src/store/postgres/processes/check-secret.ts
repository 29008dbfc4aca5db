// All processes of a database must have the same secret: the first one stores a check value of it, never the secret.
import { createHmac } from 'node:crypto';
import { isSameSecret } from '../../../util/hash.ts';
import { StoreError } from '../../ports/store-error.ts';
import type { PostgresDatabase } from '../database/database.ts';

export const WRONG_SECRET =
  'TRAWL_SECRET is not the secret that this database was made with. Set the same one for every process, or set TRAWL_DATABASE_URL to another database.';

const checkOf = (secret: Uint8Array): string =>
  createHmac('sha256', secret).update('which secret this database belongs to').digest('hex');

export async function checkSecret({ sql }: Pick<PostgresDatabase, 'sql'>, secret: Uint8Array): Promise<void> {
  await sql`INSERT INTO installation (secret_check) VALUES (${checkOf(secret)}) ON CONFLICT DO NOTHING`;
  if (await isSecretOf({ sql }, secret)) return;
  throw new StoreError(WRONG_SECRET);
}

/** Changes nothing. Undefined if no process has used the database yet. */
export async function isSecretOf(
  { sql }: Pick<PostgresDatabase, 'sql'>,
  secret: Uint8Array,
): Promise<boolean | undefined> {
  const [row] = await sql<{ check: string }[]>`SELECT secret_check AS check FROM installation`;
  return row && isSameSecret(row.check, checkOf(secret));
}

// What has to be true of the server before its tables are looked at, and the sentence that an operator reads if it is not.
import { raceTimeout } from '../../../util/abort.ts';
import { StoreError } from '../../ports/store-error.ts';
import type { PostgresDatabase } from './database.ts';
import { connectionLost } from './pool.ts';

const OLDEST_MAJOR = 15;
const NUMBERS_PER_MAJOR = 10_000;

/** The driver itself would try forever if something accepts connections and closes them, as proxies do. */
const ANSWER_MS = 10_000;

/** Returns the version of the server. Rejects with a StoreError. */
export async function checkServer({ sql }: Pick<PostgresDatabase, 'sql'>): Promise<string> {
  const asked = sql<{ version: string; number: number; isReplica: boolean }[]>`
    SELECT current_setting('server_version') AS version, current_setting('server_version_num')::integer AS number,
      pg_is_in_recovery() AS "isReplica"`.catch((error: unknown) => {
    throw unusable(error);
  });
  const [server] = await raceTimeout(asked, ANSWER_MS, () => {
    throw unusable(connectionLost());
  });
  const { version, number, isReplica } = server!;
  if (Math.floor(number / NUMBERS_PER_MAJOR) < OLDEST_MAJOR) {
    throw new StoreError(
      `The database is PostgreSQL ${version}, which is too old. Update it to ${OLDEST_MAJOR} or later, or set TRAWL_DATABASE_URL to another one.`,
    );
  }
  if (isReplica) {
    throw new StoreError(
      'The database is a replica, which cannot be written. Set TRAWL_DATABASE_URL to the primary server.',
    );
  }
  return version;
}

export const unusable = (cause: unknown): StoreError =>
  new StoreError(
    `The database cannot be used: ${(cause as Error).message.replace(/\.$/, '')}. Check TRAWL_DATABASE_URL, and whether PostgreSQL runs there.`,
    { cause },
  );

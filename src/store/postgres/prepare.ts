// Gets the database ready before anything else uses it. A process whose database is away does not start.
import { StoreError } from '../ports/store-error.ts';
import { checkMove } from './check-move.ts';
import { checkServer, unusable } from './database/check-server.ts';
import type { PostgresDatabase } from './database/database.ts';
import { outageOf } from './database/faults.ts';
import { migrate } from './database/migrate.ts';
import { createWatchdog, type WatchdogTimes } from './database/watchdog.ts';
import { checkSecret } from './processes/check-secret.ts';

/** All migrations together. */
const LONGEST_MS = 3_600_000;

/** Rejects with a StoreError, also if the database stops to answer in the middle of it. */
export async function prepare(
  database: PostgresDatabase,
  secret: Uint8Array,
  times?: Partial<WatchdogTimes>,
): Promise<void> {
  await checkServer(database);
  const watchdog = createWatchdog({ database, times: { ...times, longestMs: LONGEST_MS } });
  try {
    await watchdog.watch(async () => {
      await migrate(database);
      await checkMove(database);
      await checkSecret(database, secret);
    });
  } catch (error) {
    throw error instanceof StoreError || outageOf(error) === undefined ? error : unusable(error);
  }
}

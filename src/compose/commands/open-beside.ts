// The store for a command that works beside a running service: its data folder, or the database that its processes share.
import type { Config } from '../../config/settings.ts';
import type { Store } from '../../store/ports/store.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { objectsOf } from '../start-up.ts';

const CONNECTIONS = 2;

export async function openBeside({ dataDir, cacheMaxBytes, databaseUrl, secret, blobs }: Config): Promise<Store> {
  if (databaseUrl === undefined || secret === undefined)
    return openSqliteStore({ dataDir, cacheMaxBytes, lock: false });
  const { openPostgresStore } = await import('../../store/postgres/postgres-store.ts');
  return openPostgresStore({
    ...{ url: databaseUrl, secret, dataDir, cacheMaxBytes, connections: CONNECTIONS, lock: false },
    openObjects: blobs && objectsOf(blobs, secret),
  });
}

// The ports of runs and of what the service sends by itself, with what only PostgreSQL can say.
import type { Remover } from '../../sql/database.ts';
import {
  createRunParts as createSharedParts,
  type RunPartsDeps as SharedDeps,
  type RunParts as SharedParts,
} from '../../sql/runs/run-parts.ts';
import type { Base } from '../base.ts';

/** What the other areas share with this one. */
interface RunPartsDeps extends Omit<SharedDeps, 'sizes'> {
  cacheBytes(): Promise<number>;
}

interface RunParts {
  ports: SharedParts['ports'];
  removers: Remover[];
  /** Returns what this process was given to send, because it ends. */
  release(): Promise<void>;
}

export function createRunParts({ database: { sql } }: Base, { cacheBytes, ...shared }: RunPartsDeps): RunParts {
  const parts = createSharedParts({ ...shared, sizes: { cacheBytes, storeBytes: () => databaseSize(sql) } });
  const { deliveries, mails } = parts.ports;
  return { ...parts, release: async () => void (await Promise.all([deliveries.release(), mails.release()])) };
}

async function databaseSize(sql: Base['database']['sql']): Promise<number> {
  const [size] = await sql<{ bytes: number }[]>`SELECT pg_database_size(current_database()) AS bytes`;
  return size!.bytes;
}

// Checks a shared database without changing anything in it, also while processes use it.
import { checkMove } from '../../postgres/check-move.ts';
import { checkServer } from '../../postgres/database/check-server.ts';
import { connect, type PostgresDatabase } from '../../postgres/database/database.ts';
import { readVersion } from '../../postgres/database/migrate.ts';
import { isSecretOf, WRONG_SECRET } from '../../postgres/processes/check-secret.ts';
import { createProcessRows } from '../../postgres/processes/process-rows.ts';
import { failure, type InspectionFinding } from './finding.ts';

interface InspectDatabaseOptions {
  /** TRAWL_DATABASE_URL. */
  url: string;
  secret: Uint8Array;
}

const CHECK = 'database';

export async function inspectDatabase({ url, secret }: InspectDatabaseOptions): Promise<InspectionFinding[]> {
  const database = connect({ url, connections: 1 });
  try {
    return await inspect(database, secret);
  } catch (error) {
    return [failure(CHECK, (error as Error).message)];
  } finally {
    await database.close();
  }
}

async function inspect(database: PostgresDatabase, secret: Uint8Array): Promise<InspectionFinding[]> {
  const server = `PostgreSQL ${await checkServer(database)}`;
  const version = await readVersion(database);
  if (!version) return [{ check: CHECK, state: 'ok', text: `${server}, empty; the first start makes the tables` }];
  const { found, newest, problem } = version;
  if (problem !== undefined) return [failure(CHECK, problem)];
  const next = found < newest ? `; the next start migrates it to ${newest}` : '';
  const schema: InspectionFinding = { check: CHECK, state: 'ok', text: `${server}, schema ${found}${next}` };
  // Older ones do not have all the tables that the other checks read.
  return found < newest ? [schema] : [schema, ...(await inspectTables(database, secret))];
}

async function inspectTables(database: PostgresDatabase, secret: Uint8Array): Promise<InspectionFinding[]> {
  await checkMove(database);
  const isSame = await isSecretOf(database, secret);
  const registry = createProcessRows(database);
  const alive = await registry.list((await registry.time())!);
  return [
    isSame === false
      ? failure('secret', WRONG_SECRET)
      : { check: 'secret', state: 'ok', text: 'TRAWL_SECRET is the secret of this database' },
    {
      check: 'processes',
      state: 'ok',
      text: alive.map(({ name, role }) => `${name} (${role})`).join(', ') || 'none runs',
    },
  ];
}

// Moves an embedded data folder into PostgreSQL and its blob store: copies everything, compares it, then releases the database.
import { timingSafeEqual } from 'node:crypto';
import { DataFolderError } from '../../data-folder/data-folder.ts';
import type { BlobStore } from '../../ports/files/blob-store.ts';
import { connect, type PostgresDatabase } from '../../postgres/database/database.ts';
import { migrate } from '../../postgres/database/migrate.ts';
import { type OpenObjects, openBlobs } from '../../postgres/open-blobs.ts';
import { checkSecret } from '../../postgres/processes/check-secret.ts';
import { recountMonths } from '../../postgres/teams/monthly-usage.ts';
import { type Compared, compareTable } from './compare-table.ts';
import { type CopyDeps, copyTable } from './copy-table.ts';
import { openTable, type TargetTable } from './database-target.ts';
import { type FolderSource, openFolder } from './folder-source.ts';
import { TABLES, type TablePlan } from './table-plan.ts';

export interface MoveOptions {
  /** The data folder. It stays as it is. */
  from: string;
  url: string;
  secret: Uint8Array;
  /** Absent: large contents go into the database, too. */
  openObjects?: OpenObjects;
  onProgress?: (words: string) => void;
}

export interface MoveSummary extends Compared {
  tables: number;
}

const INDEX_TABLE = 'index_entries';

export async function moveFolder(options: MoveOptions): Promise<MoveSummary> {
  const source = openFolder(options.from);
  try {
    checkFolder(source, options);
    const database = connect({ url: options.url, connections: 4 });
    try {
      return await moveInto(database, source, options);
    } finally {
      await database.close();
    }
  } finally {
    source.close();
  }
}

function checkFolder({ secret, objects }: FolderSource, options: MoveOptions): void {
  if (!timingSafeEqual(secret, options.secret)) {
    throw new DataFolderError(
      `TRAWL_SECRET is not the secret of ${options.from}, with which its contents are encrypted and its links signed. Set it to that, here and for all processes: TRAWL_SECRET=hex:$(od -An -vtx1 ${options.from}/secret | tr -d ' \\n')`,
    );
  }
  if (objects > 0 && !options.openObjects) {
    throw new DataFolderError(
      `${objects} large contents of ${options.from} are in an object store. Set TRAWL_BLOBS_URL as it was set for the folder.`,
    );
  }
}

async function moveInto(database: PostgresDatabase, source: FolderSource, options: MoveOptions): Promise<MoveSummary> {
  await migrate(database);
  await begin(database, source);
  await checkSecret(database, options.secret);
  const blobs = await openBlobs(database, options.openObjects);
  try {
    return await moveTables(database, source, blobs, options);
  } finally {
    await blobs.close();
  }
}

/** Notes the origin of what the database is going to have, or finds that it is the same. */
async function begin(database: PostgresDatabase, { origin }: FolderSource): Promise<void> {
  await database.transaction(async (sql) => {
    await sql`LOCK TABLE folder_moves IN EXCLUSIVE MODE`;
    const [move] = await sql<{ origin: string; finishedAt: Date | null }[]>`
      SELECT origin, finished_at AS "finishedAt" FROM folder_moves`;
    if (move?.finishedAt)
      throw new DataFolderError(
        `A data folder was moved into this database already, on ${move.finishedAt.toISOString()}. Start Trawl on it, or set TRAWL_DATABASE_URL to an empty database.`,
      );
    if (move && move.origin !== origin)
      throw new DataFolderError(
        'The move of another data folder into this database has begun. Finish that one, or set TRAWL_DATABASE_URL to an empty database.',
      );
    if (move) return;
    for (const { name } of TABLES) {
      if ((await sql.unsafe(`SELECT 1 FROM ${name} LIMIT 1`)).length > 0)
        throw new DataFolderError(
          'The database has data already, which does not come from this folder. Set TRAWL_DATABASE_URL to an empty database.',
        );
    }
    await sql`INSERT INTO folder_moves (origin) VALUES (${origin})`;
  });
}

async function moveTables(
  database: PostgresDatabase,
  source: FolderSource,
  blobs: BlobStore,
  { onProgress = () => {} }: MoveOptions,
): Promise<MoveSummary> {
  const deps = (verb: string): CopyDeps => ({
    ...{ source, database, blobs },
    onProgress: sayEachTenth((table, done, total) => onProgress(`${verb} ${table}: ${done} of ${total} rows`)),
  });
  const tables: { plan: TablePlan; table: TargetTable }[] = [];
  for (const plan of TABLES) tables.push({ plan, table: await openTable(database, plan) });
  for (const { plan, table } of tables) await copyTable(plan, table, deps('Copying'));

  const sum: MoveSummary = { tables: tables.length, rows: 0, blobs: 0, lost: 0 };
  for (const { plan, table } of tables) {
    const { rows, blobs: contents, lost } = await compareTable(plan, table, deps('Comparing'));
    sum.rows += rows;
    sum.blobs += contents;
    sum.lost += lost;
  }
  await database.transaction(async (sql) => {
    for (const { plan, table } of tables)
      if (plan.identity !== undefined) await table.setLastNumber(sql, source.lastNumber(plan));
    // The index of the new installation is empty, so it reads every change from the first one on.
    const entries = TABLES.find(({ name }) => name === INDEX_TABLE)!;
    await sql`UPDATE index_feed SET newest = ${source.lastNumber(entries)}`;
    await recountMonths(sql);
    await sql`UPDATE folder_moves SET finished_at = now()`;
  });
  return sum;
}

/** A table may have thousands of batches. */
function sayEachTenth(say: CopyDeps['onProgress']): CopyDeps['onProgress'] {
  let said = '';
  return (table, done, total) => {
    const tenth = `${table} ${Math.floor((10 * done) / Math.max(1, total))}`;
    if (tenth === said) return;
    said = tenth;
    say(table, done, total);
  };
}

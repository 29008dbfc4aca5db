// Checks a data folder without changing anything in it, also while a service uses it.
import { accessSync, constants, existsSync, readdirSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { tooOld } from '../../data-folder/migration-files.ts';
import { readMigrations } from '../../sqlite/database/open-database.ts';
import { readBlobNames } from '../../sqlite/objects/blob-names.ts';
import { failure, type InspectionFinding } from './finding.ts';

export interface InspectOptions {
  dataDir: string;
  minFreeBytes: number;
  now: number;
  /** What is in engines instead of the folder. */
  isElsewhere?: { store: boolean; index: boolean };
}

type Check = (options: InspectOptions) => InspectionFinding[];

const RESTORE = 'Stop the service, move the data folder away, and run `trawl restore` with a backup.';
const MEGABYTE = 1_048_576;
/** A difference that no two clocks have by chance. */
const CLOCK_TOLERANCE_MS = 60_000;
const SHOWN_PROBLEMS = 5;

export function inspectFolder(options: InspectOptions): InspectionFinding[] {
  const { dataDir, isElsewhere } = options;
  if (!existsSync(dataDir)) {
    const text = `${dataDir} does not exist yet`;
    return [{ check: 'data folder', state: 'warn', text, todo: 'The first start makes it. Is TRAWL_DATA_DIR right?' }];
  }
  const checks = [
    inspectAccess,
    ...(isElsewhere?.store ? [] : [inspectSecret]),
    inspectDisk,
    ...(isElsewhere?.store ? [] : [inspectStore]),
    ...(isElsewhere?.index ? [] : [inspectIndex]),
  ];
  return checks.flatMap((check) => guarded(check, options));
}

/** A check that breaks is a finding, too, and does not keep the others from being made. */
function guarded(check: Check, options: InspectOptions): InspectionFinding[] {
  try {
    return check(options);
  } catch (error) {
    const name = check.name.replace('inspect', '').toLowerCase();
    return [{ check: name, state: 'fail', text: (error as Error).message, todo: 'Mend that, and run doctor again.' }];
  }
}

const inspectAccess: Check = ({ dataDir }) => {
  const check = 'data folder';
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const text = `${dataDir} cannot be written (${(error as NodeJS.ErrnoException).code})`;
    return [{ check, state: 'fail', text, todo: 'Give the user of the service read and write access to it.' }];
  }
  const isOpen = (statSync(dataDir).mode & 0o077) !== 0;
  if (!isOpen) return [{ check, state: 'ok', text: dataDir }];
  return [{ check, state: 'warn', text: `other users can look into ${dataDir}`, todo: `Run: chmod 700 ${dataDir}` }];
};

const inspectSecret: Check = ({ dataDir }) => {
  const file = join(dataDir, 'secret');
  if (!existsSync(file)) {
    const isNew = !existsSync(join(dataDir, 'store.db'));
    const text = `${file} is missing`;
    const todo = 'Restore it from a backup. Without it, profiles, stored requests and file links are lost.';
    return [{ check: 'secret', state: isNew ? 'ok' : 'fail', text, ...(!isNew && { todo }) }];
  }
  const { length } = readFileSync(file);
  if (length === 32) return [{ check: 'secret', state: 'ok', text: '32 bytes' }];
  return [{ check: 'secret', state: 'fail', text: `${file} has ${length} bytes instead of 32`, todo: RESTORE }];
};

const inspectDisk: Check = ({ dataDir, minFreeBytes }) => {
  const { bavail, bsize } = statfsSync(dataDir);
  const free = bavail * bsize;
  const text = `${Math.floor(free / MEGABYTE)} MB free`;
  const todo = 'Make space, or lower TRAWL_CACHE_MAX_MB.';
  if (free < 16 * MEGABYTE) return [{ check: 'disk', state: 'fail', text, todo }];
  if (free < minFreeBytes)
    return [{ check: 'disk', state: 'warn', text: `${text}, less than TRAWL_MIN_FREE_MB`, todo }];
  return [{ check: 'disk', state: 'ok', text }];
};

const inspectStore: Check = (options) => {
  const file = join(options.dataDir, 'store.db');
  if (!existsSync(file)) return [{ check: 'store', state: 'ok', text: `${file} does not exist yet` }];
  return openForReading('store', file, (database) => {
    const findings = [versionIn(file, database), integrityOf('store', file, database, RESTORE)];
    // The other checks read tables that this schema may not have.
    if (findings[0]!.state === 'fail') return findings;
    return [
      ...findings,
      ...guarded(() => [blobsOf(options.dataDir, database)], options),
      ...guarded(() => [clockOf(database, options.now)], options),
    ];
  });
};

function versionIn(file: string, database: DatabaseSync): InspectionFinding {
  const check = 'store version';
  const migrations = readMigrations();
  const newest = migrations.at(-1)!.version;
  const found = versionOf(database);
  const problem = tooOld(`The database ${file}`, found, migrations);
  if (problem !== undefined) return failure(check, problem);
  if (found > newest) {
    const text = `${file} has schema ${found}, and this program knows ${newest}`;
    return { check, state: 'fail', text, todo: 'Update Trawl.' };
  }
  const next = found < newest ? `; the next start migrates it to ${newest}` : '';
  return { check, state: 'ok', text: `schema ${found}${next}` };
}

const inspectIndex: Check = ({ dataDir }) => {
  const file = join(dataDir, 'index.db');
  if (!existsSync(file)) return [{ check: 'index', state: 'ok', text: 'not made yet; the first search makes it' }];
  const todo = 'Stop the service and delete index.db: the next start rebuilds it from the store.';
  return openForReading('index', file, (database) => [integrityOf('index', file, database, todo)], todo);
};

function openForReading(
  check: string,
  file: string,
  use: (database: DatabaseSync) => InspectionFinding[],
  todo: string = RESTORE,
): InspectionFinding[] {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
    return use(database);
  } catch (error) {
    return [{ check, state: 'fail', text: `${file} cannot be read (${(error as Error).message})`, todo }];
  } finally {
    database?.close();
  }
}

function integrityOf(check: string, file: string, database: DatabaseSync, todo: string): InspectionFinding {
  const problems = database
    .prepare(`PRAGMA integrity_check(${SHOWN_PROBLEMS})`)
    .all()
    .map((row) => String(Object.values(row)[0]).replaceAll('\n', '; '));
  if (problems.length === 1 && problems[0] === 'ok') return { check, state: 'ok', text: `${file} is intact` };
  return { check, state: 'fail', text: `${file} is damaged: ${problems.join('; ')}`, todo };
}

/** Large contents: each row that names a file has one. Files without a row are removed at the next start. */
function blobsOf(dataDir: string, database: DatabaseSync): InspectionFinding {
  const { inFolder, moved } = readBlobNames(database);
  const folder = join(dataDir, 'blobs');
  const found = new Set(
    (existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [])
      .filter(
        (entry) => entry.isFile() && statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size,
      )
      .map(({ name }) => name),
  );
  // A running service may have removed it in the meantime, with its row, or moved it.
  const absent = inFolder.filter((blob) => !found.has(blob));
  const now = absent.length === 0 ? new Set() : new Set(readBlobNames(database).inFolder);
  const missing = absent.filter((blob) => now.has(blob)).length;
  const elsewhere = moved > 0 ? `; ${moved} more are in the object store` : '';
  if (missing === 0)
    return { check: 'blobs', state: 'ok', text: `all ${inFolder.length} large contents are there${elsewhere}` };
  return {
    check: 'blobs',
    state: 'warn',
    text: `${missing} of ${inFolder.length} large contents are missing or empty in ${folder}`,
    todo: 'Cached pages are fetched again by themselves; results that are lost say so. Check the disk, or restore a backup.',
  };
}

function clockOf(database: DatabaseSync, now: number): InspectionFinding {
  const { newest } = database
    .prepare(
      `SELECT max(coalesce((SELECT max(fetched_at) FROM pages), 0), coalesce((SELECT max(created_at) FROM jobs), 0),
         coalesce((SELECT max(created_at) FROM scrapes), 0)) AS newest`,
    )
    .get() as { newest: number };
  const ahead = newest - now;
  if (ahead <= CLOCK_TOLERANCE_MS) return { check: 'clock', state: 'ok', text: 'nothing stored is from the future' };
  return {
    check: 'clock',
    state: 'warn',
    text: `something was stored ${Math.round(ahead / 1000)} seconds after the time that this machine has now`,
    todo: 'Set the clock of the machine (NTP). The service follows a jump slowly and loses nothing.',
  };
}

const versionOf = (database: DatabaseSync): number =>
  Number(database.prepare('PRAGMA user_version').get()?.user_version);

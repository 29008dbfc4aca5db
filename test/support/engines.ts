// With `npm run test:cluster`, the services of the wire tests use shared engines instead of their data folder. Each has a
// database, an index and a prefix in the bucket of its own, named after its data folder, so that a restart finds them again.
import postgres from 'postgres';
import { sha256 } from '../../src/util/hash.ts';

const { TRAWL_TEST_ENGINES, TRAWL_TEST_POSTGRES, TRAWL_TEST_OPENSEARCH, TRAWL_TEST_S3, TRAWL_TEST_PROCESSES } =
  process.env;

/** Whether services use a shared database, so that nothing is in their data folder. */
export const usesEngines = TRAWL_TEST_ENGINES === '1' && TRAWL_TEST_POSTGRES !== undefined;

/** How many processes answer for one service. */
export const PROCESSES = TRAWL_TEST_ENGINES === '1' ? Number(TRAWL_TEST_PROCESSES ?? 1) : 1;

/** Why a test is skipped that looks into the data folder of a service. */
export const withoutFolder = usesEngines && 'nothing is in the data folder';

export interface OwnEngines {
  settings: Record<string, string>;
  remove(): Promise<void>;
}

const NAME_LENGTH = 16;

/** Undefined in an ordinary run. Each engine can be used alone. */
export async function createEngines(dataDir: string): Promise<OwnEngines | undefined> {
  if (TRAWL_TEST_ENGINES !== '1') return undefined;
  const name = nameOf(dataDir);
  const database = TRAWL_TEST_POSTGRES === undefined ? undefined : await createDatabase(TRAWL_TEST_POSTGRES, name);
  return {
    settings: {
      ...database?.settings,
      ...(TRAWL_TEST_OPENSEARCH && { TRAWL_INDEX_URL: withPath(TRAWL_TEST_OPENSEARCH, `/${name}`) }),
      ...(TRAWL_TEST_S3 && { TRAWL_BLOBS_URL: withPath(TRAWL_TEST_S3, `${new URL(TRAWL_TEST_S3).pathname}/${name}`) }),
    },
    async remove() {
      await database?.remove();
      if (TRAWL_TEST_OPENSEARCH) await fetch(new URL(`/${name}*`, TRAWL_TEST_OPENSEARCH), { method: 'DELETE' });
    },
  };
}

/** The settings with which a command finds the store of the service that has this data folder. */
export async function storeSettings(dataDir: string): Promise<Record<string, string>> {
  const hasOwn = TRAWL_TEST_ENGINES === '1' && (await hasDatabase(dataDir));
  return { TRAWL_DATA_DIR: dataDir, ...(hasOwn && (await createEngines(dataDir))?.settings) };
}

/** Services that run inside of a test use their data folder in any case. */
async function hasDatabase(dataDir: string): Promise<boolean> {
  if (TRAWL_TEST_POSTGRES === undefined) return false;
  const admin = postgres(TRAWL_TEST_POSTGRES, { max: 1, onnotice: () => {} });
  const found = await admin`SELECT 1 FROM pg_database WHERE datname = ${nameOf(dataDir)}`.finally(() => admin.end());
  return found.length > 0;
}

const nameOf = (dataDir: string): string => `trawl_${sha256(dataDir).slice(0, NAME_LENGTH)}`;

async function createDatabase(server: string, name: string): Promise<OwnEngines> {
  const withAdmin = async (work: (admin: postgres.Sql) => Promise<unknown>) => {
    const admin = postgres(server, { max: 1, onnotice: () => {} });
    await work(admin).finally(() => admin.end());
  };
  await withAdmin(async (admin) => {
    const [known] = await admin`SELECT 1 FROM pg_database WHERE datname = ${name}`;
    if (!known) await admin.unsafe(`CREATE DATABASE ${name}`);
  });
  return {
    settings: {
      TRAWL_DATABASE_URL: withPath(server, `/${name}`),
      TRAWL_DATABASE_CONNECTIONS: '5',
      TRAWL_SECRET: 'a secret of the tests that is long enough',
    },
    remove: () => withAdmin((admin) => admin.unsafe(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  };
}

function withPath(url: string, path: string): string {
  const changed = new URL(url);
  changed.pathname = path;
  return changed.href;
}

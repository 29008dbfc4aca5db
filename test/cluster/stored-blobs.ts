// Compares the blobs that are stored with those that rows name, after a sweep as it happens two hours later.
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../src/compose/start-up.ts';
import { readConfig } from '../../src/config/settings.ts';
import { createLog } from '../../src/runtime/log.ts';
import { createWorkScope } from '../../src/runtime/work-scope.ts';
import { openS3 } from '../../src/store/blobs/s3/open-s3.ts';
import type { BlobStore } from '../../src/store/ports/files/blob-store.ts';
import { connect } from '../../src/store/postgres/database/database.ts';
import { openBlobs } from '../../src/store/postgres/open-blobs.ts';
import { createBlobSweep } from '../../src/store/postgres/pages/sweep/blob-sweep.ts';
import { systemClock } from '../../src/util/clock.ts';

const LATER_MS = 2 * 3_600_000;
const PAGE = 1_000;

/** Sentences; none if every blob has its row and every row its blob. */
export async function blobProblems(settings: Record<string, string>): Promise<string[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'trawl-blobs-'));
  const config = readConfig({ ...settings, TRAWL_DATA_DIR: dataDir });
  const store = await openStore(config, {
    scope: createWorkScope(),
    lifecycle: { isReady: false },
    log: createLog('error'),
  });
  try {
    await store.pages.sweep(systemClock.now() + LATER_MS);
    await store.pages.sweep(systemClock.now() + LATER_MS);
  } finally {
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
  const database = connect({ url: config.databaseUrl!, connections: 2 });
  const { blobs: s3, secret } = config;
  const owner = createHmac('sha256', secret!).update('blobs').digest('hex');
  const blobs = await openBlobs(database, s3 && ((isInUse) => openS3(s3, { owner, isInUse })));
  try {
    await createBlobSweep(database, hoursLater(blobs)).removeOrphans();
    const rows = await database.sql<{ name: string }[]>`SELECT name FROM named_blobs`;
    const named = new Set(rows.map(({ name }) => name));
    const stored = await namesOf(blobs);
    const orphans = [...stored].filter((name) => !named.has(name)).length;
    const lost = [...named].filter((name) => !stored.has(name)).length;
    return [
      ...(named.size > 0 ? [] : ['No large body was stored, so blobs were not tried.']),
      ...(orphans === 0 ? [] : [`${orphans} of ${stored.size} blobs have no row after the sweep.`]),
      ...(lost === 0 ? [] : [`${lost} of ${named.size} rows have lost their blob.`]),
    ];
  } finally {
    await blobs.close();
    await database.close();
  }
}

/** The blobs as they will be dated then. The sweep goes by the clock of their store, which cannot be set. */
function hoursLater(blobs: BlobStore): BlobStore {
  const added = new Set<string>();
  return {
    ...blobs,
    put(name, content) {
      added.add(name);
      return blobs.put(name, content);
    },
    list: async (after, limit) =>
      (await blobs.list(after, limit)).map(({ writtenAt, ...blob }) => ({
        ...blob,
        writtenAt: added.has(blob.name) ? writtenAt : writtenAt - LATER_MS,
      })),
  };
}

async function namesOf(blobs: BlobStore): Promise<Set<string>> {
  const names = new Set<string>();
  for (let after = ''; ; ) {
    const page = await blobs.list(after, PAGE);
    for (const { name } of page) names.add(name);
    if (page.length < PAGE) return names;
    after = page.at(-1)!.name;
  }
}

// What a service does at its start: it opens the store, says where it listens, and prepares what takes a while.
import { createHmac } from 'node:crypto';
import type { Config } from '../config/settings.ts';
import type { Log } from '../runtime/log.ts';
import type { WorkScope } from '../runtime/work-scope.ts';
import type { S3Settings } from '../store/blobs/s3/s3-settings.ts';
import { readSecret } from '../store/data-folder/data-secret.ts';
import { removeServiceFile, writeServiceFile } from '../store/data-folder/service-file.ts';
import type { BlobStore } from '../store/ports/files/blob-store.ts';
import type { ExportBucket } from '../store/ports/files/export-bucket.ts';
import type { Store } from '../store/ports/store.ts';
import { openSqliteStore, type SqliteStoreOptions } from '../store/sqlite/sqlite-store.ts';
import { confinementProblems } from './confinement.ts';
import { installModels } from './install-models.ts';

/** Commands of the same user find the service by this file. An embedded one only removes what a killed service has left. */
export function announce({ dataDir, auth, publicUrl }: Config, url: string, isEmbedded: boolean): void {
  if (isEmbedded) removeServiceFile(dataDir);
  else writeServiceFile(dataDir, { url, publicUrl, pid: process.pid, needsKey: auth === 'required' });
}

interface Parts {
  models: { check(signal: AbortSignal): Promise<unknown> };
  isEmbedded: boolean;
  log: Log;
  signal: AbortSignal;
}

/** Not awaited: this starts programs and waits for servers, and nothing else depends on the answers. */
export function prepareInBackground(config: Config, { models, isEmbedded, log, signal }: Parts): Promise<unknown>[] {
  if (isEmbedded) return [];
  confinementProblems(config).then((problems) => {
    for (const problem of problems) log.warn(problem);
  });
  return [installModels(config, log, signal), models.check(signal)];
}

interface StoreParts {
  scope: Pick<WorkScope, 'current'>;
  lifecycle: { isReady: boolean };
  onFatal?: (error: Error) => void;
  log: Log;
}

/** The secret of the installation. To be called once the store is open, which has checked it. */
export const installationSecret = ({ databaseUrl, secret, dataDir }: Config): Uint8Array =>
  databaseUrl !== undefined && secret ? secret : readSecret(dataDir);

/** The store that the settings name. What an embedded service does not need is not loaded. */
export async function openStore(config: Config, parts: StoreParts): Promise<Store> {
  const { databaseUrl, secret, databaseConnections, dataDir, cacheMaxBytes } = config;
  const onWritable = (problem: string | undefined) => {
    if (problem === undefined) parts.log.warn('the store can be written again');
    else parts.log.error({ reason: problem }, 'the store cannot be written');
  };
  const shared = { dataDir, cacheMaxBytes, currentTeam: parts.scope.current, onWritable };
  if (databaseUrl === undefined || secret === undefined) return openEmbedded(config, parts, shared);
  const { openPostgresStore } = await import('../store/postgres/postgres-store.ts');
  return openPostgresStore({
    ...shared,
    ...{ url: databaseUrl, secret, connections: databaseConnections },
    openObjects: config.blobs && objectsOf(config.blobs, secret),
  });
}

/** Marks what belongs to an installation: those who know the secret are the same one. */
export const ownerOf = (what: 'blobs' | 'index', secret: Uint8Array): string =>
  createHmac('sha256', secret).update(what).digest('hex');

/** Where exports can be written to: the same bucket. What writes there is loaded with the first of them. */
export const exportBucketOf = ({ blobs }: Pick<Config, 'blobs'>): ExportBucket | undefined =>
  blobs && {
    write: async (...file) => (await import('../store/blobs/s3/s3-exports.ts')).createS3Exports(blobs).write(...file),
  };

/** Opens the object store. */
export const objectsOf =
  (settings: S3Settings, secret: Uint8Array) =>
  async (isInUse: boolean): Promise<BlobStore> => {
    const { openS3 } = await import('../store/blobs/s3/open-s3.ts');
    return openS3(settings, { owner: ownerOf('blobs', secret), isInUse });
  };

function openEmbedded(
  config: Config,
  { lifecycle, onFatal, log }: StoreParts,
  shared: Pick<SqliteStoreOptions, 'dataDir' | 'cacheMaxBytes' | 'currentTeam' | 'onWritable'>,
): Promise<Store> {
  const { minFreeBytes, secret, blobs } = config;
  return openSqliteStore({
    ...shared,
    secret,
    minFreeBytes,
    ...(blobs && {
      objects: {
        settings: blobs,
        // Only the owner of the folder reads its secret, and it is the owner when this is called.
        open: (isInUse) => objectsOf(blobs, installationSecret(config))(isInUse),
        onProblem: (problem) => {
          if (problem === undefined) log.warn('the object store takes large contents again');
          else log.error({ reason: problem }, 'large contents wait in the data folder');
        },
      },
    }),
    onCrash: (error) => {
      lifecycle.isReady = false;
      log.error({ err: error }, 'the store thread has died');
      onFatal?.(error);
    },
  });
}

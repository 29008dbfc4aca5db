// Calls of the store thread are synchronous, an object store is not. A call that needs a body from there ends, the body is
// fetched while other calls run, and the call is repeated with it.
import { lazy } from '../../../util/lazy.ts';
import type { S3Settings } from '../../blobs/s3/s3-settings.ts';
import type { Awaitable } from '../../sql/database.ts';
import type { DiskGuard } from '../database/disk-guard.ts';

/** Undefined for a body that is lost. */
export type FetchedBodies = ReadonlyMap<string, Uint8Array | undefined>;

/** The current call needs bodies that are in the object store. */
export class BodiesElsewhere extends Error {
  readonly names: readonly string[];

  constructor(names: readonly string[]) {
    super('Bodies have to be fetched from the object store.');
    this.names = names;
  }
}

/** How the service recognises that the object store, not the disk, has failed. */
export const OBJECTS_FAILED = 'OBJECTS_FAILED';

export type BodyFetcher = Pick<DiskGuard, 'run'>;

interface FetchDeps {
  withFetched<T>(fetched: FetchedBodies, call: () => Awaitable<T>): Promise<T>;
}

/** Calls are transactions or only read, so one that failed can be repeated. */
export function createBodyFetcher(settings: S3Settings, { withFetched }: FetchDeps): BodyFetcher {
  // With the first use.
  const open = lazy(async () => {
    const [{ createS3Blobs }, { createS3Requests }] = await Promise.all([
      import('../../blobs/s3/s3-blobs.ts'),
      import('../../blobs/s3/s3-requests.ts'),
    ]);
    return createS3Blobs(createS3Requests(settings), settings);
  });

  const fetchAll = async (names: readonly string[], fetched: Map<string, Uint8Array | undefined>): Promise<void> => {
    try {
      const blobs = await open();
      await Promise.all(names.map(async (name) => void fetched.set(name, await blobs.read(name))));
    } catch (cause) {
      throw Object.assign(new Error((cause as Error).message, { cause }), { code: OBJECTS_FAILED });
    }
  };

  const repeat = async <T>(call: () => Awaitable<T>, missing: BodiesElsewhere): Promise<T> => {
    const fetched = new Map<string, Uint8Array | undefined>();
    for (let wanted = missing; ; ) {
      await fetchAll(wanted.names, fetched);
      try {
        return await withFetched(fetched, call);
      } catch (error) {
        if (!(error instanceof BodiesElsewhere)) throw error;
        wanted = error;
      }
    }
  };

  return {
    async run(call) {
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof BodiesElsewhere)) throw error;
        // A caller in another thread waits for its answer anyway, so this may take as long as the object store does.
        return repeat(call, error);
      }
    },
  };
}

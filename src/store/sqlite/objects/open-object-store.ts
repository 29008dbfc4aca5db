// The object store of a data folder: opened with it, and filled by a mover that runs as long as it is open.

import type { S3Settings } from '../../blobs/s3/s3-settings.ts';
import type { BlobStore } from '../../ports/files/blob-store.ts';
import { createObjectMover, type MoverTimes } from './object-mover.ts';
import type { ObjectPort } from './object-rows.ts';

export interface ObjectStoreOptions {
  /** For the store thread, which reads there itself. */
  settings: S3Settings;
  /** `isInUse`: the folder already refers to objects, so they have to be there. */
  open(isInUse: boolean): Promise<BlobStore>;
  /** Bodies wait in the data folder for that reason, or no longer. */
  onProblem?: (problem: string | undefined) => void;
  times?: MoverTimes;
}

export interface ObjectStore {
  blobs: BlobStore;
  close(): Promise<void>;
}

export async function openObjectStore(
  { open, onProblem, times }: ObjectStoreOptions,
  objects: ObjectPort,
): Promise<ObjectStore> {
  const blobs = await open(await objects.isInUse());
  const mover = createObjectMover({ objects, blobs, onProblem, times });
  return { blobs, close: mover.close };
}

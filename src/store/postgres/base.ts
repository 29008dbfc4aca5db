// What every part of the Postgres adapter is made from.

import type { SealedRequests } from '../encoding/sealed-requests.ts';
import type { BlobStore } from '../ports/files/blob-store.ts';
import type { PostgresDatabase } from './database/database.ts';

export interface Base {
  database: PostgresDatabase;
  /** Bodies that are too large for a row. */
  blobs: BlobStore;
  sealed: SealedRequests;
  /** Shared by all processes: signs links, and encrypts what is stored. */
  secret: Uint8Array;
  limits: { cacheMaxBytes: number; filesMaxBytes: number };
}

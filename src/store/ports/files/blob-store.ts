// Port: large bodies under names that their rows refer to. A blob is written before the transaction that names it, and removed
// after the one that forgets it. What neither happened to is an orphan, which the sweep removes.
import type { Readable } from 'node:stream';
import type { ByteRange, DirectLink } from './file-store.ts';

/** Bytes in memory, or a file that is too large for it and may be moved. */
export type BlobContent = Uint8Array | { path: string; size: number };

export interface ListedBlob {
  name: string;
  size: number;
  /** When it was written, by the clock of the store. */
  writtenAt: number;
}

export interface BlobStore {
  /** Names are unique: nothing is ever written twice under the same one. It is durable when this resolves. */
  put(name: string, content: BlobContent): Promise<void>;
  /** Undefined if there is no such blob. */
  read(name: string): Promise<Uint8Array | undefined>;
  /** All bytes or a range, as they come. Undefined if there is no such blob. */
  stream(name: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Names without a blob are ignored. */
  remove(names: readonly string[]): Promise<void>;
  /** In the order of their names, after that one: for the sweep. */
  list(after: string, limit: number): Promise<ListedBlob[]>;
  /** A link to the blob itself. Absent or undefined if only this service can read it. */
  link?(name: string, options: DirectLink): Promise<string | undefined>;
  /** Resolves if blobs can be read and written at the moment. */
  probe(): Promise<void>;
  close(): Promise<void>;
}

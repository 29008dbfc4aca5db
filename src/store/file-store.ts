// Port: files that callers fetch by an address: screenshots, documents, media. Each is there until its time is over.
import type { Readable } from 'node:stream';

interface FileFacts {
  /** Random, 128 bits, as 32 hex digits: nobody can guess it. */
  id: string;
  type: string;
  createdAt: number;
  expiresAt: number;
}

export interface NewFile extends FileFacts {
  bytes: Uint8Array;
}

export interface FileOnDisk extends FileFacts {
  /** In the data folder; the file is moved, not copied. */
  path: string;
}

/** Both ends belong to it. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface StoredFile {
  type: string;
  size: number;
  expiresAt: number;
  /** The bytes, all of them or a range. A large file is read from the disk as it is wanted. */
  read(range?: ByteRange): Readable;
}

export interface FileStore {
  /** The bytes are copied. Older files may have to go for it, where all of them together would take too much. */
  add(file: NewFile): Promise<void>;
  /** The same for a file that is too large to be read. */
  adopt(file: FileOnDisk): Promise<void>;
  /** Undefined when there is none, or not any more. */
  find(id: string, now: number): Promise<StoredFile | undefined>;
}

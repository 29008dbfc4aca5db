// Port: files that callers download through a link: screenshots, documents, media. Each exists until it expires.
import type { Readable } from 'node:stream';

export interface FileFacts {
  /** 128 random bits as 32 hex digits, which nobody can guess. */
  id: string;
  type: string;
  createdAt: number;
  expiresAt: number;
  /** The job whose documents it holds: it goes with the job, and before other files if there is too much. */
  jobId?: string;
}

export interface NewFile extends FileFacts {
  bytes: Uint8Array;
}

export interface FileOnDisk extends FileFacts {
  /** In the data folder. The file is moved, not copied. */
  path: string;
}

/** Both ends are inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/** A link to the bytes in an object store, with the headers of its answer. */
export interface DirectLink {
  /** How long it is valid. */
  seconds: number;
  type: string;
  /** `Content-Disposition` */
  disposition: string;
}

export interface StoredFile {
  type: string;
  size: number;
  expiresAt: number;
  /** All bytes or a range. Large files are streamed from where they are. */
  read(range?: ByteRange): Readable;
  /** A link to the file in the object store, if it is there and callers may download it from there. */
  link?(options: DirectLink): Promise<string | undefined>;
}

export interface FileStore {
  /** Copies the bytes. The oldest files are removed if all of them together exceed the size limit. */
  add(file: NewFile): Promise<void>;
  /** Like `add`, for a file too large to read into memory. */
  adopt(file: FileOnDisk): Promise<void>;
  /** Writes the content to disk as it comes, then keeps it. False, and nothing is kept, if that would take too much space. */
  write(file: FileFacts, content: AsyncIterable<Uint8Array>): Promise<boolean>;
  /** Keeps the file until then, unless it is kept longer already. It counts as new. Undefined if it is gone. */
  renew(id: string, times: Pick<FileFacts, 'createdAt' | 'expiresAt'>): Promise<{ type: string } | undefined>;
  /** Undefined if unknown or expired. */
  find(id: string, now: number): Promise<StoredFile | undefined>;
}

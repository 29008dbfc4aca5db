// Port: files that callers fetch by an address: screenshots, documents, media. Each is there until its time is over.

export interface NewFile {
  /** Random, 128 bits, as 32 hex digits: nobody can guess it. */
  id: string;
  bytes: Uint8Array;
  type: string;
  createdAt: number;
  expiresAt: number;
}

export interface StoredFile {
  bytes: Uint8Array;
  type: string;
  expiresAt: number;
}

export interface FileStore {
  /** The bytes are copied. Older files may have to go for it, where all of them together would take too much. */
  add(file: NewFile): Promise<void>;
  /** Undefined when there is none, or not any more. */
  find(id: string, now: number): Promise<StoredFile | undefined>;
}

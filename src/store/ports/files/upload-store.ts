// Port: files sent by callers. A file sent with its request ends with that request. A file sent ahead, to its own URL,
// exists until it has been parsed or has expired.
import type { Readable } from 'node:stream';

export type UploadContent = AsyncIterable<Uint8Array>;

/** A file on disk without a name, so that it disappears with the process. */
export interface HeldFile {
  size: number;
  read(): Promise<Uint8Array>;
  /** Both ends are inclusive. */
  readRange(range: { start: number; end: number }): Readable;
  release(): Promise<void>;
}

export interface NewUpload {
  /** A UUID. */
  id: string;
  teamId: string;
  /** The caller's name for the file. */
  name: string;
  type: string;
  /** The size announced by the caller. */
  declaredSize?: number;
  createdAt: number;
  /** Until when the file may be sent ... */
  openUntil: number;
  /** ... and until when it is kept. */
  expiresAt: number;
}

export interface Upload extends Omit<NewUpload, 'id' | 'createdAt'> {
  /** Size of the file, once received. */
  size?: number;
}

export interface UploadStore {
  /** Keeps the content on disk instead of in memory for the duration of a request. */
  hold(content: UploadContent): Promise<HeldFile>;
  /** False, without storing anything, if the team already has `limit` uploads that wait for a file or for parsing. */
  add(upload: NewUpload, limit: number): Promise<boolean>;
  /** Undefined if unknown, if no file came in time, or if expired. */
  find(id: string, now: number): Promise<Upload | undefined>;
  /** Receives the file. False if there already is one, or no such upload: the first complete file counts. */
  receive(id: string, content: UploadContent): Promise<boolean>;
  /** Undefined if no file was received, or if it has expired. */
  read(id: string, now: number): Promise<Uint8Array | undefined>;
  remove(id: string): Promise<void>;
}

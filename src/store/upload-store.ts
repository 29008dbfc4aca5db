// Port: files that callers bring. One that comes with its request is gone with it; one that is sent ahead, to an address
// of its own, is there until it was parsed or its time is over.

export type Content = AsyncIterable<Uint8Array>;

/** A file on the disk that has no name: whatever happens to the process, it is gone with it. */
export interface HeldFile {
  size: number;
  read(): Promise<Uint8Array>;
  release(): Promise<void>;
}

export interface NewUpload {
  /** A UUID. */
  id: string;
  teamId: string;
  /** As the caller calls the file. */
  name: string;
  type: string;
  /** What the caller says that it will have. */
  declaredSize?: number;
  createdAt: number;
  /** Until when the file may be sent ... */
  openUntil: number;
  /** ... and until when it is kept. */
  expiresAt: number;
}

export interface Upload extends Omit<NewUpload, 'id' | 'createdAt'> {
  /** Of the file, once it is there. */
  size?: number;
}

export interface UploadStore {
  /** Keeps what comes out of memory for as long as a request takes. */
  hold(content: Content): Promise<HeldFile>;
  /** False, and nothing is kept, when so many of the team wait already: for their file, or with it to be parsed. */
  add(upload: NewUpload, limit: number): Promise<boolean>;
  /** Undefined when there is none, when no file has come in time, and when it is not kept any more. */
  find(id: string, now: number): Promise<Upload | undefined>;
  /** Takes the file in. False when there is one already, or no such upload: the first that is there whole counts. */
  receive(id: string, content: Content): Promise<boolean>;
  /** The file; undefined where none has come, and for what is not kept any more. */
  read(id: string, now: number): Promise<Uint8Array | undefined>;
  remove(id: string): Promise<void>;
}

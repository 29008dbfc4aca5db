// Port: the vectors of the chunks of pages, so that of a page that is read again only new chunks are embedded. Their bytes are
// those of understand/chunks/vector-bytes.ts.

export interface ChunkVectorKey {
  /** As in page/site-memory.ts. Deleting pages of the site deletes what is kept. */
  site: string;
  /** A hash of the URL and of what makes its vectors. */
  page: string;
}

export interface ChunkVectorStore {
  /** What is kept for this team and page. Counts as a use. */
  find(teamId: string, key: ChunkVectorKey, now: number): Promise<Uint8Array | undefined>;
  /** Replaces what is kept. */
  put(teamId: string, key: ChunkVectorKey, vectors: Uint8Array, now: number): Promise<void>;
}

/** For all teams together. Those that were used longest ago make room. */
export const MAX_VECTOR_PAGES = 20_000;
export const UNUSED_VECTORS_MS = 30 * 24 * 60 * 60_000;

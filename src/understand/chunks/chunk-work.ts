// The job of the format `chunks` in the thread.
import type { Chunk } from '../../contracts/formats/chunk.ts';
import type { PageText } from '../../page/understanding.ts';
import type { ChunkLimits } from './pack-parts.ts';

/** What of a page its chunks are made from. */
export type ChunkedText = Pick<PageText, 'url' | 'title' | 'markdown' | 'pageStarts'>;

export interface ChunkWork {
  /** In the order of the page. */
  make(text: ChunkedText, limits: ChunkLimits): Promise<Chunk[]>;
}

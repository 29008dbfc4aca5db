// The embedded index: a file that one thread owns.
import type { IndexThreadSettings } from './index-thread.ts';
import { type OwnedPageIndex, openThreadIndex, type ThreadIndexOptions } from './thread-index.ts';

export interface PageIndexOptions extends Pick<ThreadIndexOptions, 'onCrash' | 'idleMs'> {
  /** The database file. A damaged one is replaced. */
  file: string;
}

export const openPageIndex = ({ file, onCrash, idleMs }: PageIndexOptions): Promise<OwnedPageIndex> =>
  openThreadIndex({
    entry: new URL('./index-thread.ts', import.meta.url),
    workerData: { file } satisfies IndexThreadSettings,
    onCrash,
    idleMs,
  });

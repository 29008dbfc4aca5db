// The index thread. It alone owns index.db, so that neither searches nor changes block the event loop of the service.
import { workerData } from 'node:worker_threads';
import { type Served, serveThread } from '../runtime/threads/thread.ts';
import { createIndex, type Index } from './create-index.ts';
import { isDamage, openIndexFile, removeIndexFile } from './index-file.ts';
import type { PageIndex } from './page-index.ts';

export interface IndexThreadSettings {
  file: string;
}

serveThread<PageIndex>(hostIndex(workerData as IndexThreadSettings));

function hostIndex({ file }: IndexThreadSettings): Served<PageIndex> {
  // A failed upkeep step is retried after the next changes. Damage also shows in calls, which handle it.
  const open = () => openIndexFile(file, (database) => createIndex(database, () => {}));
  let index = open();

  async function startOver(): Promise<void> {
    await index.close();
    removeIndexFile(file);
    index = open();
  }

  /** If the file turns out to be damaged, the index starts over with an empty one, and the current call fails. */
  async function use<T>(work: (index: Index) => T | Promise<T>): Promise<T> {
    const used = index;
    try {
      return await work(used);
    } catch (error) {
      if (isDamage(error) && used === index) await startOver();
      throw error;
    }
  }

  return {
    applied: () => use((own) => own.applied()),
    apply: (changes) => use((own) => own.apply(changes)),
    clear: startOver,
    web: (search) => use((own) => own.web(search)),
    news: (search) => use((own) => own.news(search)),
    images: (search) => use((own) => own.images(search)),
    find: (find) => use((own) => own.find(find)),
    passages: (wanted) => use((own) => own.passages(wanted)),
    stats: () => use((own) => own.stats()),
    close: () => index.close(),
    onRest: () => index.releaseMemory(),
  };
}

// The index thread. It alone owns index.db, so that neither searches nor changes block the event loop of the service.
import { workerData } from 'node:worker_threads';
import { type Served, serveThread } from '../runtime/threads/thread.ts';
import { createIndex, type Index } from './create-index.ts';
import { isDamage } from './index-file.ts';
import { openIndexVersions } from './index-versions.ts';
import type { PageIndex } from './page-index.ts';
import { createSearchTurns } from './search-turns.ts';

export interface IndexThreadSettings {
  file: string;
}

serveThread<PageIndex>(hostIndex(workerData as IndexThreadSettings));

function hostIndex({ file }: IndexThreadSettings): Served<PageIndex> {
  // A failed upkeep step is retried after the next changes. Damage also shows in calls, which handle it.
  const turns = createSearchTurns();
  const versions = openIndexVersions(file, (database) => createIndex(database, () => {}, turns.free));

  /** If the file turns out to be damaged, the index starts over with an empty one, and the current call fails. */
  async function use<T>(work: (index: Index) => T | Promise<T>): Promise<T> {
    const used = await versions.serving();
    try {
      return await work(used);
    } catch (error) {
      if (isDamage(error) && used === (await versions.serving())) await versions.startOver();
      throw error;
    }
  }

  async function inTurn<T>(search: (index: Index) => T): Promise<T> {
    await turns.mine();
    return use(search);
  }

  return {
    applied: () => use((own) => own.applied()),
    apply: (changes) => use(() => versions.apply(changes)),
    appliedNext: async () => versions.appliedNext(),
    applyNext: (changes) => use(() => versions.applyNext(changes)),
    clear: versions.startOver,
    web: (search) => inTurn((own) => own.web(search)),
    news: (search) => inTurn((own) => own.news(search)),
    images: (search) => inTurn((own) => own.images(search)),
    find: (find) => inTurn((own) => own.find(find)),
    suggest: (wanted) => inTurn((own) => own.suggest(wanted)),
    passages: (wanted) => inTurn((own) => own.passages(wanted)),
    texts: (wanted) => inTurn((own) => own.texts(wanted)),
    missingVectors: (most) => use((own) => own.missingVectors(most)),
    addVectors: (vectors) => use((own) => own.addVectors(vectors)),
    stats: () => use((own) => own.stats()),
    close: versions.close,
    onRest: versions.releaseMemory,
  };
}

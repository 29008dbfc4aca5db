// The ports about pages. Where calls carry pages, bytes move between the threads in both directions.
import { Moved, override, type Remote } from '../../../runtime/threads/thread.ts';
import { keepOutcomes } from '../../calls/kept-outcomes.ts';
import { openFound } from '../../encoding/stored-outcome.ts';
import type { Store } from '../../ports/store.ts';
import type { StoreThread } from '../hosted-store.ts';
import { PageMover, withCopiedContent } from './page-mover.ts';

type PagePorts = Pick<
  Store,
  'pages' | 'scrapes' | 'queue' | 'history' | 'stored' | 'sites' | 'chunkVectors' | 'archives'
>;

/** Marks work that a call begins with, before it is sent: the store is not closed meanwhile. */
export type Prepare = <Value>(work: Promise<Value>) => Promise<Value>;

export function createPagePorts(remote: Remote<StoreThread>, prepared: Prepare): PagePorts {
  return {
    history: remote.history,
    stored: remote.stored,
    sites: remote.sites,
    chunkVectors: remote.chunkVectors,
    archives: remote.archives,
    pages: override<Store['pages']>(remote.pages as unknown as Store['pages'], {
      async save(toStore) {
        const mover = new PageMover();
        const moved = mover.toStore(await prepared(withCopiedContent(toStore)));
        return remote.pages.save(new Moved(moved, mover.buffers));
      },
      find: keepOutcomes(remote.pages.find),
    }),
    scrapes: override<Store['scrapes']>(remote.scrapes as unknown as Store['scrapes'], {
      // The content is about to be sent to the caller.
      async add(charge, record) {
        const mover = new PageMover();
        const toStore = mover.toStore(await prepared(withCopiedContent(record.toStore)));
        return remote.scrapes.add(charge, new Moved({ ...record, toStore }, mover.buffers));
      },
      find: async (...args) => openFound(await remote.scrapes.find(...args)),
    }),
    queue: override<Store['queue']>(remote.queue, {
      async finish(owner, ended, now) {
        const mover = new PageMover();
        try {
          return await remote.queue.finish(owner, new Moved(mover.tasks(ended), mover.buffers), now);
        } catch (error) {
          mover.takeBack(error);
          throw error;
        }
      },
    }),
  };
}

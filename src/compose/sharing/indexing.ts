// The indexer, and how it shares the feed with those of other processes: each feeds an index of its own, or one of them feeds the
// index that all search.
import type { Config } from '../../config/settings.ts';
import type { PageIndex } from '../../index/page-index.ts';
import { createIndexer, type Indexer } from '../../jobs/indexer.ts';
import type { Log } from '../../runtime/log.ts';
import { readIndexName } from '../../store/data-folder/index-name.ts';
import type { Store } from '../../store/ports/store.ts';
import type { Clock } from '../../util/clock.ts';
import { uuidv7 } from '../../util/ids.ts';

interface Parts {
  store: Pick<Store, 'feed' | 'leases' | 'wakeUps'>;
  index: PageIndex;
  clock: Clock;
  log: Log;
}

/** Name of the lease and of the consumer for the index that all processes share. */
const SHARED_INDEX = 'shared-index';
/** How long a process that has died keeps the others from feeding the index. */
const TURN_MS = 10_000;

export function composeIndexer(config: Pick<Config, 'indexUrl' | 'dataDir'>, parts: Parts): Indexer {
  const { store, index, clock, log } = parts;
  const { feed, wakeUps } = store;
  if (!wakeUps.isShared) return createIndexer({ feed, index, log });
  const isSharedIndex = config.indexUrl !== undefined;
  const indexer = createIndexer({
    ...{ feed, index, log, isShared: true },
    consumer: isSharedIndex ? SHARED_INDEX : readIndexName(config.dataDir),
    ...(isSharedIndex && { turn: takeTurns(store, clock) }),
  });
  // `now`: somebody may search for the page at once.
  wakeUps.on('feed', (when) => (when === 'later' ? indexer.wakeLater() : indexer.wake()), 'others');
  return {
    ...indexer,
    wake() {
      indexer.wake();
      wakeUps.notify('feed', 'now');
    },
    wakeLater() {
      indexer.wakeLater();
      wakeUps.notify('feed', 'later');
    },
  };
}

function takeTurns({ leases, wakeUps }: Pick<Store, 'leases' | 'wakeUps'>, clock: Pick<Clock, 'now'>) {
  const owner = uuidv7(clock.now());
  return {
    take() {
      const now = clock.now();
      return leases.hold(SHARED_INDEX, owner, now + TURN_MS, now);
    },
    onWaiting: () => wakeUps.notify('feed', 'later'),
  };
}

// The parts that search: the index, the indexer that feeds it from the store, the providers, and the manual.
import { join } from 'node:path';
import type { Config } from '../config/settings.ts';
import type { Identify } from '../fetch/identity.ts';
import { createManual, type Manual } from '../fetch/manual.ts';
import { openPageIndex } from '../index/open-index.ts';
import { createIndexer } from '../jobs/indexer.ts';
import type { Egress } from '../net/egress.ts';
import type { ReadPageDeps } from '../operations/page/read-page.ts';
import { indexManual } from '../operations/search/index-manual.ts';
import { usesIndex } from '../search/federation/choose-providers.ts';
import { createFederation } from '../search/federation/federation.ts';
import type { Store } from '../store/store.ts';
import { raceTimeout } from '../util/abort.ts';
import type { Clock } from '../util/clock.ts';
import { lazy } from '../util/lazy.ts';
import type { Log } from '../util/log.ts';

const MANUAL_MS = 5_000;
/** When the manual is indexed if nobody searches before. The first seconds belong to the first requests. */
const MANUAL_AFTER_MS = 10_000;
const MANUAL_FOLDER = join(import.meta.dirname, '../..', 'docs');

interface Parts {
  store: Store;
  egress: Egress;
  identify: Identify;
  clock: Clock;
  log: Log;
}

export async function composeSearch(config: Config, { store, egress, identify, clock, log }: Parts) {
  const index = await openPageIndex({
    file: join(config.dataDir, 'index.db'),
    onCrash: (error) => log.error({ err: error }, 'the index thread has died'),
  });
  const indexer = createIndexer({ feed: store.feed, index, log });
  const providers = createFederation({
    settings: config.searchProviders,
    egress,
    clock,
    log,
    contact: config.contact,
    pageHeaders: (language) => identify({ mobile: false, location: { country: 'US', languages: [language] } }),
    limitMs: config.providerTimeoutMs,
  });
  const closing = new AbortController();
  let renewing = Promise.resolve();
  let manualTimer: NodeJS.Timeout | undefined;
  let manualIndexed = async () => {};
  return {
    parts: {
      index,
      indexer,
      providers,
      asksIndex: usesIndex(config.searchProviders),
      manualIndexed: () => manualIndexed(),
    },
    /** Indexes what an earlier run of the program left over. The manual follows with the first search, or in a while. */
    async resume(reading: ReadPageDeps & { manual: Manual }) {
      await indexer.resume();
      if (!config.indexManual) return;
      manualIndexed = lazy(() => {
        clearTimeout(manualTimer);
        renewing = indexManual({ ...reading, notes: store.notes, indexer }, closing.signal).catch((error: unknown) => {
          if (!closing.signal.aborted) log.error({ err: error }, 'the manual could not be indexed');
        });
        // The first search should find the manual, but must not wait for it forever.
        return raceTimeout(renewing, MANUAL_MS, () => {});
      });
      manualTimer = setTimeout(() => manualIndexed().then(index.endUnlessSearched), MANUAL_AFTER_MS).unref();
    },
    async close() {
      closing.abort();
      clearTimeout(manualTimer);
      await renewing;
      await indexer.close();
      await index.close();
    },
  };
}

/** The manual at the address where it is shown, and an egress whose check lets its pages pass: no socket is opened for them. */
export function composeManual(baseUrl: () => string | undefined, egress: Egress, clock: Clock) {
  const manual = createManual({ folder: MANUAL_FOLDER, baseUrl, clock });
  const withManual: Egress = {
    ...egress,
    check: (url) => {
      if (!manual.has(url)) egress.check(url);
    },
  };
  return { manual, egress: withManual };
}

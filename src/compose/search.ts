// The parts that search: the index, the indexer that feeds it from the store, the providers, and the manual.
import { join } from 'node:path';
import type { Config } from '../config/settings.ts';
import type { SentenceVectors } from '../encoders/encoders.ts';
import type { Identify } from '../fetch/identity.ts';
import { createManual, type Manual } from '../fetch/manual.ts';
import { openPageIndex } from '../index/open-index.ts';
import type { OwnedPageIndex } from '../index/thread-index.ts';
import type { Indexer } from '../jobs/indexer.ts';
import { createVectoriser, type Vectoriser, type VectoriserDeps } from '../jobs/indexing/vectorise.ts';
import type { Egress } from '../net/egress.ts';
import type { ReadPageDeps } from '../operations/page/read-page.ts';
import { indexManual } from '../operations/search/index-manual.ts';
import { createQueryMeanings } from '../operations/search/meaning/query-meanings.ts';
import { createGate } from '../runtime/gate/gate.ts';
import type { Log } from '../runtime/log.ts';
import { usesIndex } from '../search/federation/choose-providers.ts';
import { createFederation } from '../search/federation/federation.ts';
import type { Store } from '../store/ports/store.ts';
import { StoreError } from '../store/ports/store-error.ts';
import { raceTimeout } from '../util/abort.ts';
import type { Clock } from '../util/clock.ts';
import { uuidv7 } from '../util/ids.ts';
import { lazy } from '../util/lazy.ts';
import { composeIndexer } from './sharing/indexing.ts';
import { ownerOf } from './start-up.ts';

const MANUAL_MS = 5_000;
/** When the manual is indexed if nobody searches before. The first seconds belong to the first requests. */
const MANUAL_AFTER_MS = 10_000;
/** How long a process that has died keeps the others from making vectors. */
const TURN_MS = 60_000;
const MANUAL_FOLDER = join(import.meta.dirname, '../..', 'docs');

interface Parts {
  store: Store;
  /** Secret of the installation. */
  secret: Uint8Array;
  egress: Egress;
  identify: Identify;
  sentences: SentenceVectors;
  clock: Clock;
  log: Log;
}

export async function composeSearch(config: Config, { store, secret, egress, identify, sentences, clock, log }: Parts) {
  const index = await openIndex(config, secret, log);
  const fed = composeIndexer(config, { store, index, clock, log });
  const vectoriser =
    config.semantic === 'off'
      ? undefined
      : createVectoriser({ index, sentences, clock, log, ...vectorTurns(config, store, clock) });
  const indexer = vectoriser ? withVectors(fed, vectoriser) : fed;
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
      indexGate: createGate({ size: 1, clock }),
      indexer,
      meanings: createQueryMeanings(sentences, config.semantic),
      providers,
      asksIndex: usesIndex(config.searchProviders),
      manualIndexed: () => manualIndexed(),
    },
    /** Indexes what an earlier run of the program left over. The manual follows with the first search, or in a while. */
    async resume(reading: ReadPageDeps & { manual: Manual }) {
      await indexer.resume();
      // Processes that share an index would each put the manual there under an address of their own.
      if (!config.indexManual || (store.wakeUps.isShared && config.publicUrl === undefined)) return;
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
      await vectoriser?.close();
      await indexer.close();
      await index.close();
    },
  };
}

/** One of the processes that share an index makes the vectors. */
function vectorTurns({ indexUrl }: Config, { leases, wakeUps }: Store, clock: Clock): Pick<VectoriserDeps, 'takeTurn'> {
  if (indexUrl === undefined || !wakeUps.isShared) return {};
  const owner = uuidv7(clock.now());
  return { takeTurn: () => leases.hold('vectors', owner, clock.now() + TURN_MS, clock.now()) };
}

/** Pages get their vectors when no more of them come in. */
const withVectors = (indexer: Indexer, vectoriser: Vectoriser): Indexer => ({
  ...indexer,
  wake() {
    indexer.wake();
    vectoriser.later();
  },
  wakeLater() {
    indexer.wakeLater();
    vectoriser.later();
  },
  async refresh(signal, ms) {
    await indexer.refresh(signal, ms);
    vectoriser.soon();
  },
});

/** The index that the settings name. What an embedded service does not need is not loaded. */
async function openIndex({ indexUrl, dataDir }: Config, secret: Uint8Array, log: Log): Promise<OwnedPageIndex> {
  const onCrash = (error: Error) => log.error({ err: error }, 'the index thread has died');
  if (indexUrl === undefined) return openPageIndex({ file: join(dataDir, 'index.db'), onCrash });
  const { openOpenSearchIndex } = await import('../index/opensearch/open-opensearch-index.ts');
  const opened = await openOpenSearchIndex({
    url: indexUrl,
    installation: ownerOf('index', secret),
    onCrash,
    onUnreachable: (reason) => log.error({ reason }, 'OpenSearch cannot be reached, searches fail until it can'),
  });
  if ('problem' in opened) throw new StoreError(opened.problem);
  return opened;
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

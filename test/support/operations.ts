// The operations of a service in this process, with its real store, threads and network, for tests that call them directly.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeJobs } from '../../src/compose/jobs.ts';
import { composePages } from '../../src/compose/pages.ts';
import { composeSecurity } from '../../src/compose/policy/audit.ts';
import { composePolicy } from '../../src/compose/policy/policy.ts';
import { composeSearch } from '../../src/compose/search.ts';
import { readConfig } from '../../src/config/settings.ts';
import { METRICS } from '../../src/contracts/operator/metrics.ts';
import type { Caller } from '../../src/operations/caller.ts';
import { createFileLinks } from '../../src/operations/files.ts';
import type { WebToolsDeps } from '../../src/operations/gather/create-web-tools.ts';
import { DEFAULT_TEAM } from '../../src/operations/team/keys.ts';
import type { ThreatCheckDeps } from '../../src/operations/threats/open-threat-check.ts';
import { createFeatures } from '../../src/policy/features.ts';
import { createLog } from '../../src/runtime/log.ts';
import { createMetrics } from '../../src/runtime/metrics.ts';
import { NO_TRACER } from '../../src/runtime/tracer.ts';
import { createWorkScope } from '../../src/runtime/work-scope.ts';
import { readSecret } from '../../src/store/data-folder/data-secret.ts';
import type { Store } from '../../src/store/ports/store.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { systemClock } from '../../src/util/clock.ts';
import { noThreats } from './threats.ts';

export interface OpenOperations {
  deps: WebToolsDeps;
  store: Store;
  /** Caller of the default team. */
  caller: Omit<Caller, 'signal'>;
  close(): Promise<void>;
}

/** `settings` are environment variables, for example those of a test web. */
export async function openOperations(
  settings: Record<string, string> = {},
  judging: ThreatCheckDeps = noThreats,
): Promise<OpenOperations> {
  const dataDir = await mkdtemp(join(tmpdir(), 'trawl-data-'));
  const config = readConfig({
    ...{
      TRAWL_BROWSER: 'off',
      TRAWL_KEYLESS_PROVIDERS: 'off',
      TRAWL_INDEX_MANUAL: 'off',
      TRAWL_SEMANTIC: 'off',
      TRAWL_LOG_LEVEL: 'error',
    },
    ...settings,
    TRAWL_DATA_DIR: dataDir,
  });
  const log = createLog(config.logLevel);
  const [clock, scope, metrics] = [systemClock, createWorkScope(), createMetrics(METRICS)];
  const store = await openSqliteStore({
    dataDir,
    currentTeam: scope.current,
    cacheMaxBytes: config.cacheMaxBytes,
  });
  const secret = readSecret(dataDir);
  const fileLinks = createFileLinks({ files: store.files, secret, clock });
  const nowhere = () => undefined;
  const { security, onRefused } = composeSecurity({ store, scope, metrics, clock, log });
  const policy = composePolicy(config, { store, processId: 'test', metrics, security, clock, log });
  const { budgets, concurrency } = policy.parts;
  const pages = composePages(config, {
    ...{
      store,
      policy,
      processId: 'test',

      fileLinks,
      onRefused,
      security,
      metrics,
      tracer: NO_TRACER,
      clock,
      log,
    },
    ...{ processes: { peers: undefined }, ownAddress: nowhere, baseUrl: nowhere },
  });
  const { reading, identify } = pages;
  const searching = await composeSearch(config, {
    ...{ store, secret, egress: reading.egress, identify, clock, log },
    sentences: pages.sentences,
  });
  const { indexer } = searching.parts;
  const [slots, work] = [concurrency.pages, { identify, indexer, pageReservations: policy.pageReservations }];
  const jobs = composeJobs(config, {
    duty: 'all',
    ...reading,
    ...judging,
    ...work,
    store,
    scope,
    slots,
    log,
    tracer: NO_TRACER,
  });
  const team = await store.teams.ensureTeam(DEFAULT_TEAM, clock.now());
  return {
    store,
    caller: { team },
    deps: {
      ...reading,
      ...searching.parts,
      ...jobs.parts,
      ...judging,
      ...{ ledger: store.ledger, budgets, scrapes: store.scrapes, queue: store.queue, jobs: store.jobs },
      ...{
        featuresOf: createFeatures(config.teamFeatures),
        maxJobs: config.maxJobs,
        maxRetentionMs: config.maxRetentionMs,
        log,
      },
      concurrency,
    },
    async close() {
      await jobs.stop();
      await Promise.all([searching.close(), pages.closeBrowsers(), jobs.close()]);
      await pages.close();
      await security.close();
      await store.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

// What the service runs with, for its operator: models, browser, index, storage, versions.
import type { Config } from '../../config/settings.ts';
import type { HealthDetails } from '../../contracts/operator/health.ts';
import { installedModels, runtimeProblem } from '../../encoders/model-runtime/model-runtime.ts';
import type { BrowserEngine } from '../../fetch/browser/browser-engine.ts';
import type { OperatedModels } from '../../models/create-models.ts';
import type { Membership } from '../../peers/membership.ts';
import { readVersion } from '../../runtime/version.ts';
import type { Store } from '../../store/ports/store.ts';
import { iso } from '../../util/clock.ts';

export interface DetailsDeps {
  isReady(): boolean;
  store: Pick<Store, 'health' | 'feed' | 'backlog' | 'wakeUps'>;
  membership: Pick<Membership, 'id' | 'list'>;
  models: Pick<OperatedModels, 'status'>;
  browser: Pick<BrowserEngine, 'unavailable' | 'open'>;
  config: Pick<Config, 'reader'>;
}

export async function readDetails({
  isReady,
  store,
  membership,
  models,
  browser,
  config,
}: DetailsDeps): Promise<HealthDetails> {
  const problem = store.health.problem();
  const [feed, backlog, processes] = await Promise.all([store.feed.state(), store.backlog.read(), membership.list()]);
  const noBrowser = browser.unavailable();
  const noRedaction = runtimeProblem();
  return {
    status: isReady() && problem === undefined ? 'ok' : 'not ready',
    ...(problem !== undefined && { problem }),
    uptimeSeconds: Math.round(process.uptime()),
    versions: { trawl: readVersion(), node: process.versions.node, sqlite: process.versions.sqlite ?? '' },
    models: models.status().map(({ purpose, model, state, problem: why }) => ({
      ...{ purpose, model: model ?? null, state: state ?? 'none' },
      ...(why !== undefined && { problem: why }),
    })),
    browser: { available: noBrowser === undefined, ...(noBrowser && { problem: noBrowser }), ...browser.open() },
    redaction: { available: noRedaction === undefined, ...(noRedaction && { problem: noRedaction }) },
    reader: config.reader === 'off' ? 'off' : readerState(),
    index: { changes: feed.newest, waiting: Math.max(0, feed.newest - feed.acknowledged) },
    processes: processes.map(({ id, name, role, version, url, hasBrowser, startedAt, seenAt }) => ({
      ...{ id, name, role, version, url, hasBrowser, startedAt: iso(startedAt), seenAt: iso(seenAt) },
      isThis: id === membership.id,
    })),
    storage: {
      cacheBytes: backlog.cacheBytes,
      storeBytes: backlog.storeBytes,
      unfinishedJobs: backlog.unfinishedJobs,
      shared: store.wakeUps.isShared,
    },
  };
}

function readerState(): Exclude<HealthDetails['reader'], 'off'> {
  const { is } = installedModels().state();
  return is === 'unusable' ? 'missing' : is;
}

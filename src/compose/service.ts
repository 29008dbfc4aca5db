// The composition root: settings in, a running service out. Adapters are chosen in this folder and nowhere else.
import type { AddressInfo } from 'node:net';
import { createServer } from '../api/server.ts';
import type { Config } from '../config/settings.ts';
import { ServiceError } from '../contracts/errors.ts';
import { METRICS, type ServiceMetrics } from '../contracts/metrics.ts';
import type { AgentCaps } from '../operations/agent/agent-limits.ts';
import { createFileLinks } from '../operations/files.ts';
import { createMetricsHistory, type MetricsHistory } from '../operations/operator/metrics-history.ts';
import { createUploads } from '../operations/parse/uploads.ts';
import { firstKey } from '../operations/team/keys.ts';
import { readSecret } from '../store/fs/data-secret.ts';
import { removeServiceFile } from '../store/fs/service-file.ts';
import type { Store } from '../store/store.ts';
import type { Clock } from '../util/clock.ts';
import { collectWhenIdle } from '../util/collect-when-idle.ts';
import { combine } from '../util/combine.ts';
import { createLog, type Log } from '../util/log.ts';
import { watchLoopDelay } from '../util/loop-delay.ts';
import { createMetrics } from '../util/metrics.ts';
import { machineTime, type TimeSources } from '../util/service-clock.ts';
import { createTeamScope, type TeamScope } from '../util/team-scope.ts';
import { openClock } from './clock.ts';
import { composeJobs } from './jobs.ts';
import { sampleService } from './metrics.ts';
import { composeOnboarding } from './onboarding.ts';
import { bindOperations, scopeOperations } from './operations/bind-operations.ts';
import { readDetails } from './operations/health-details.ts';
import { bindOpenOperations } from './operations/open-operations.ts';
import { operatorParts } from './operations/operator/operator-parts.ts';
import { composePages } from './pages.ts';
import { composeAudit, composeSecurity } from './policy/audit.ts';
import { composeCallers, openConsole } from './policy/callers.ts';
import { composePolicy, needsKey } from './policy/policy.ts';
import { composeThreats } from './policy/threats.ts';
import { composeMail } from './runs/mail.ts';
import { composeMonitors } from './runs/monitors.ts';
import { composeRuns } from './runs/runs.ts';
import { composeSearch } from './search.ts';
import { announce, openStore, prepareInBackground } from './start-up.ts';

export interface Service {
  url: string;
  /** The key that was made because there was none. It is shown once. */
  firstKey: string | undefined;
  /** The address of the console; with authentication, it logs one person in, unless the store cannot be written. */
  openConsole(): Promise<string>;
  close(): Promise<void>;
}

// SIGTERM promises an end within 10 s: running work gets most of it, closing the rest.
const GRACE_MS = 7_000;
const SWEEP_MS = 60_000;

interface Environment {
  /** What the service's own clock is made from. */
  time?: TimeSources;
  /** Replaces that clock. */
  clock?: Clock;
  /** The store is gone for good: no request can be answered any more. */
  onFatal?: (error: Error) => void;
  /**
   * It runs for one command and ends with it: it works on what it is asked for and on nothing that is stored or due, since
   * that would be cut off. It ends at once, and clients do not look for it.
   */
  isEmbedded?: boolean;
}

/** What the parts have to know of the service they are parts of, as it starts and stops. */
interface Lifecycle {
  isReady: boolean;
  listening?: { address: string; port: number };
  baseUrl?: string;
  readonly stopping: AbortController;
}

export async function createService(
  config: Config,
  { time = machineTime(), clock: givenClock, onFatal, isEmbedded = false }: Environment = {},
): Promise<Service> {
  const log = createLog(config.logLevel);
  const lifecycle: Lifecycle = { isReady: false, baseUrl: config.publicUrl, stopping: new AbortController() };
  const scope = createTeamScope();
  const store = await openStore(config, { scope, lifecycle, onFatal, log });
  const ownClock = await openClock(store.notes, time, log);
  const clock = givenClock ?? ownClock;
  const metrics = createMetrics(METRICS);
  const metricsHistory = createMetricsHistory({ metrics, clock });
  const loopDelay = watchLoopDelay();
  const parts = await composeParts(config, {
    store,
    scope,
    lifecycle,
    metrics,
    metricsHistory,
    isEmbedded,
    clock,
    log,
  });
  const { server, jobs, runs, monitors, mailing, auditing, security, searching, pages } = parts;
  const gauges = sampleService(metrics, {
    ...{
      store,
      loopDelay,
      clock,
      clockOffset: ownClock.offset,
      isReady: () => lifecycle.isReady && !store.health.problem(),
    },
    ...{ politeness: jobs.parts.politeness, browsers: pages.browsers, sessions: pages.browsing.sessions },
  });

  const closeParts = async () => {
    await Promise.all([searching.close(), pages.closeBrowsers(), jobs.close()]);
    await Promise.all([pages.close(), security.close()]);
    await store.close();
    loopDelay.stop();
  };
  try {
    await server.listen({ host: config.host, port: config.port });
  } catch (error) {
    await closeParts();
    throw error;
  }
  const { address, port } = server.addresses()[0] as AddressInfo;
  lifecycle.listening = { address, port };
  const url = `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
  lifecycle.baseUrl ??= url;
  const sweep = async () => {
    await ownClock.keep();
    const swept = store.pages.sweep(clock.now()).then(jobs.endPauses);
    await swept.catch((error: unknown) => {
      if (!store.health.problem()) log.error({ err: error }, 'sweep failed');
    });
  };
  const sweeping = setInterval(sweep, SWEEP_MS);
  if (!isEmbedded) {
    await jobs.resume();
    runs.resume();
    monitors.resume();
    mailing.resume();
    await auditing.resume();
  }
  await searching.resume(pages.reading);
  if (!isEmbedded) metricsHistory.start(gauges);
  lifecycle.isReady = true;
  const stopCollecting = collectWhenIdle();
  const background = new AbortController();
  const settled = prepareInBackground(config, { models: pages.models, isEmbedded, log, signal: background.signal });
  announce(config, url, isEmbedded);

  return {
    url,
    // The operator who sets a key needs no other one, which would be printed to a log and stay valid.
    firstKey: needsKey(config) ? await firstKey(store.teams, clock.now()) : undefined,
    openConsole: () => openConsole(config, url, parts.console.sessions),
    async close() {
      lifecycle.isReady = false;
      clearInterval(sweeping);
      stopCollecting();
      metricsHistory.stop();
      background.abort();
      removeServiceFile(config.dataDir);
      const graceMs = isEmbedded ? 0 : GRACE_MS;
      const grace = setTimeout(() => lifecycle.stopping.abort(new ServiceError('SERVICE_UNAVAILABLE')), graceMs);
      const working = [monitors, runs, jobs, mailing, auditing].map((part) => part.stop());
      await Promise.all([server.close(), ...working, pages.browsing.sessions.close()]);
      clearTimeout(grace);
      await Promise.all([ownClock.keep(), ...settled]);
      await closeParts();
    },
  };
}

const agentCaps = (config: Config): AgentCaps => ({
  maxSteps: config.agentMaxSteps,
  maxTokens: config.agentMaxTokens,
  maxMinutes: config.agentMaxMinutes,
  maxPagesPerHost: config.agentMaxPagesPerHost,
});

interface Base {
  store: Store;
  scope: TeamScope;
  lifecycle: Lifecycle;
  metrics: ServiceMetrics;
  metricsHistory: MetricsHistory;
  isEmbedded: boolean;
  clock: Clock;
  log: Log;
}

async function composeParts(config: Config, base: Base) {
  const { store, scope, lifecycle, metrics, metricsHistory, isEmbedded, clock, log } = base;
  const secret = readSecret(config.dataDir);
  const { security, onRefused, wrongKeys } = composeSecurity({ store, scope, metrics, clock, log });
  const fileLinks = createFileLinks({ files: store.files, secret, clock });
  const sentAhead = createUploads({ uploads: store.uploads, secret, maxUploadBytes: config.maxUploadBytes, clock });
  const policy = composePolicy(config, { store, metrics, security, clock, log });
  const pages = composePages(config, {
    ...{ store, policy, fileLinks, onRefused, security, metrics, clock, log },
    ownAddress: () => lifecycle.listening,
    baseUrl: () => lifecycle.baseUrl,
  });
  const { reading, browsing, identify } = pages;
  const { egress } = reading;
  const searching = await composeSearch(config, { store, egress, identify, clock, log });
  const { featuresOf } = policy.parts;
  const { threats, ...threatPolicies } = composeThreats(config, { store, egress, featuresOf, clock, log });
  const jobs = composeJobs(config, {
    ...reading,
    threats,
    identify,
    indexer: searching.parts.indexer,
    slots: policy.parts.concurrency.pages,
    pageHolds: policy.pageHolds,
    ...{ store, scope, isEmbedded, log },
  });
  const { teams, ledger, scrapes, queue, feedback, health } = store;
  const mailing = composeMail(config, { store, egress, secret, isEmbedded, clock, log });
  const { mail } = mailing;
  const auditing = composeAudit(config, { store, egress, isEmbedded, clock, log });
  const deps = combine(
    { ledger, scrapes, queue, feedback, teams, jobs: store.jobs },
    reading,
    browsing,
    searching.parts,
    jobs.parts,
    { sentAhead, log, threats, maxJobs: config.maxJobs },
    policy.parts,
    threatPolicies,
    { onboarding: store.onboarding, stored: store.stored },
    { models: pages.models, agentCaps: agentCaps(config), mail, authentication: config.auth },
    auditing.parts,
    operatorParts(config, { browsers: pages.browsers, metricsHistory, backlog: store.backlog, clock }),
  );
  const runs = composeRuns(
    {
      store,
      scope,
      runHolds: policy.runHolds,
      wakeWebhooks: jobs.wakeWebhooks,
      ...(isEmbedded && { since: clock.now() }),
      clock,
      log,
    },
    combine(deps, { monitors: store.monitors }),
  );
  const monitors = composeMonitors(config, {
    ...{ store, policy, security, scope, isEmbedded, clock, log },
    runner: runs.parts.runner,
  });
  const { operations, watch } = bindOperations(combine(deps, runs.parts, monitors.parts));
  const stopping = lifecycle.stopping.signal;
  const isReady = () => lifecycle.isReady;
  const { find: operatorTeam } = policy.operatorTeam;
  const callers = await composeCallers(config, { ...policy.parts, store, secret, operatorTeam, wrongKeys, clock, log });
  const server = createServer({
    ...config,
    ...callers,
    policy: policy.stage,
    keyWatch: policy.parts.keyWatch,
    teams,
    operations: scopeOperations(scope, operations),
    openOperations: bindOpenOperations({
      ...{ fileLinks, sentAhead, manual: reading.manual, isReady, health, stopping },
      monitorMail: { ...mail, runs: store.runs },
      onboarding: composeOnboarding(config, { ...deps, ...callers, store, stopping, clock }),
      console: { ...deps, ...callers, ...callers.console, operatorTeam, policy: policy.stage, stopping, clock },
      metricsText: metrics.text,
      details: () => readDetails({ isReady, store, models: pages.models, browser: pages.browsers[0]! }),
    }),
    hold: store.uploads.hold,
    watch,
    sessions: browsing.sessions,
    stopping,
    metrics,
    clock,
    log,
  });
  return { pages, searching, jobs, runs, monitors, mailing, auditing, security, server, console: callers.console };
}

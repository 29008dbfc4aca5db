// The composition root: settings in, a running service out. Adapters are chosen in this folder and nowhere else.
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createServer } from '../api/server.ts';
import type { Config } from '../config/settings.ts';
import { ServiceError } from '../contracts/errors/errors.ts';
import { METRICS, type ServiceMetrics } from '../contracts/operator/metrics.ts';
import type { AgentCaps } from '../operations/agent/agent-limits.ts';
import { createFileLinks } from '../operations/files.ts';
import { createFinishedExports } from '../operations/job/export/finished-export.ts';
import { watchJob } from '../operations/job/watch-job.ts';
import { createOpenTurns, createTurnsBy } from '../operations/onboarding/take-turn.ts';
import { bindOpenOperations } from '../operations/open-operations.ts';
import { bindOperations } from '../operations/operations.ts';
import { createMetricsHistory, type MetricsHistory } from '../operations/operator/metrics-history.ts';
import { createUploads } from '../operations/parse/uploads.ts';
import { firstKey } from '../operations/team/keys.ts';
import { createLog, type Log } from '../runtime/log.ts';
import { watchLoopDelay } from '../runtime/loop-delay.ts';
import { createMetrics } from '../runtime/metrics.ts';
import { machineTime, type TimeSources } from '../runtime/service-clock.ts';
import { collectWhenIdle } from '../runtime/threads/collect-when-idle.ts';
import type { Tracer } from '../runtime/tracer.ts';
import { createWorkScope, type WorkScope } from '../runtime/work-scope.ts';
import { removeServiceFile } from '../store/data-folder/service-file.ts';
import type { Store } from '../store/ports/store.ts';
import type { Clock } from '../util/clock.ts';
import { combine } from '../util/combine.ts';
import { openClock } from './clock.ts';
import { composeJobs } from './jobs.ts';
import { composeOnboarding } from './onboarding.ts';
import { readDetails } from './operator/health-details.ts';
import { operatorParts } from './operator/operator-parts.ts';
import { composePages } from './pages.ts';
import { composeProcesses, ownBrowsers } from './peers/processes.ts';
import { composeAudit, composeSecurity } from './policy/audit.ts';
import { composeCallers, openConsole } from './policy/callers.ts';
import { composePolicy, needsKey } from './policy/policy.ts';
import { composeThreats } from './policy/threats.ts';
import { composeQueries } from './queries.ts';
import { composeMail } from './runs/mail.ts';
import { composeMonitors } from './runs/monitors.ts';
import { composeRuns } from './runs/runs.ts';
import { composeSearch } from './search.ts';
import { type Duty, dutyOf } from './sharing/duty.ts';
import { announce, exportBucketOf, installationSecret, openStore, prepareInBackground } from './start-up.ts';
import { sampleService } from './telemetry/metrics.ts';
import { composeTracer, requestScope, traceStore } from './telemetry/tracing.ts';

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
  /** Where it listens. */
  url?: string;
  readonly stopping: AbortController;
}

export async function createService(
  config: Config,
  { time = machineTime(), clock: givenClock, onFatal, isEmbedded = false }: Environment = {},
): Promise<Service> {
  const lifecycle: Lifecycle = { isReady: false, baseUrl: config.publicUrl, stopping: new AbortController() };
  const scope = createWorkScope();
  // One process needs no name.
  const name = config.databaseUrl === undefined ? undefined : config.processName;
  const log = createLog(config.logLevel, { process: name, labels: scope.labels });
  const store = await openStore(config, { scope, lifecycle, onFatal, log });
  const ownClock = await openClock(store, time, log);
  const clock = givenClock ?? ownClock;
  const tracer = await composeTracer(config, { scope, clock, log });
  const metrics = createMetrics(METRICS, { process: name });
  const metricsHistory = createMetricsHistory({ metrics, clock });
  const loopDelay = watchLoopDelay();
  const traced = traceStore(store, tracer);
  const duty = dutyOf(config, isEmbedded);
  const processId = randomUUID();
  const base = { store: traced, scope, lifecycle, processId, metrics, metricsHistory, tracer, duty, clock, log };
  const parts = await composeParts(config, base);
  const { policy, processes, server, jobs, runs, monitors, mailing, auditing, security, searching, pages } = parts;
  const { querying } = parts;
  const isReady = () => lifecycle.isReady && !store.health.problem();
  const gauges = sampleService(metrics, {
    ...{ role: config.role, store, loopDelay, clock, clockOffset: ownClock.offset, isReady },
    ...{ politeness: jobs.parts.politeness, browsers: pages.browsers, sessions: pages.browsing.sessions },
  });

  const closeParts = async () => {
    await Promise.all([searching.close(), pages.closeBrowsers(), jobs.close()]);
    await Promise.all([pages.close(), security.close(), processes.close(), querying.close()]);
    await store.close();
    await tracer.close();
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
  lifecycle.url = url;
  await processes.membership.join();
  policy.sharedLoad?.start();
  const sweep = async () => {
    await ownClock.keep();
    const swept = store.pages.sweep(clock.now()).then(jobs.endPauses);
    await swept.catch((error: unknown) => {
      if (!store.health.problem()) log.error({ err: error }, 'sweep failed');
    });
  };
  const sweeping = setInterval(sweep, SWEEP_MS);
  for (const part of [jobs, runs, monitors, mailing, auditing]) await part.resume();
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
      store.hurry?.();
      const graceMs = isEmbedded ? 0 : GRACE_MS;
      const grace = setTimeout(() => lifecycle.stopping.abort(new ServiceError('SERVICE_UNAVAILABLE')), graceMs);
      await processes.membership.retire();
      const working = [monitors, runs, jobs, mailing, auditing].map((part) => part.stop());
      await Promise.all([server.close(), ...working, pages.browsing.sessions.close()]);
      policy.sharedLoad?.stop();
      clearTimeout(grace);
      await Promise.all([ownClock.keep(), processes.membership.leave(), ...settled]);
      await closeParts();
    },
  };
}

const exportParts = (config: Config, { files, uploads }: Store, clock: Clock) => ({
  maxRetentionMs: config.maxRetentionMs,
  finishedExports: createFinishedExports({ files, clock }),
  exportBucket: exportBucketOf(config),
  holdFile: uploads.hold,
});

const agentCaps = (config: Config): AgentCaps => ({
  maxSteps: config.agentMaxSteps,
  maxTokens: config.agentMaxTokens,
  maxMinutes: config.agentMaxMinutes,
  maxPagesPerHost: config.agentMaxPagesPerHost,
});

interface Base {
  store: Store;
  scope: WorkScope;
  lifecycle: Lifecycle;
  /** As the other processes know this one. */
  processId: string;
  metrics: ServiceMetrics;
  metricsHistory: MetricsHistory;
  tracer: Tracer;
  duty: Duty;
  clock: Clock;
  log: Log;
}

async function composeParts(config: Config, base: Base) {
  const { store, scope, lifecycle, processId, metrics, metricsHistory, tracer, duty, clock, log } = base;
  const secret = installationSecret(config);
  const { security, onRefused, wrongKeys } = composeSecurity({ store, scope, metrics, clock, log });
  const fileLinks = createFileLinks({ files: store.files, secret, clock });
  const sentAhead = createUploads({ uploads: store.uploads, secret, maxUploadBytes: config.maxUploadBytes, clock });
  const processes = await composeProcesses(config, { store, secret, processId, lifecycle, clock, log });
  const policy = composePolicy(config, { store, processId, metrics, security, clock, log });
  const pages = composePages(config, {
    ...{ store, policy, processes, processId, fileLinks, onRefused, security, metrics, tracer, clock, log },
    ownAddress: () => lifecycle.listening,
    baseUrl: () => lifecycle.baseUrl,
  });
  const { reading, browsing, identify } = pages;
  processes.offer(ownBrowsers(pages));
  const { egress } = reading;
  const searching = await composeSearch(config, {
    ...{ store, secret, egress, identify, clock, log },
    sentences: pages.sentences,
  });
  const { featuresOf } = policy.parts;
  const { threats, ...threatPolicies } = composeThreats(config, { store, egress, featuresOf, clock, log });
  const jobs = composeJobs(config, {
    ...reading,
    threats,
    identify,
    indexer: searching.parts.indexer,
    slots: policy.parts.concurrency.pages,
    pageReservations: policy.pageReservations,
    ...{ store, scope, tracer, duty, log },
  });
  const { teams, ledger, scrapes, queue, feedback, health } = store;
  const mailing = composeMail(config, { store, egress, secret, duty, clock, log });
  const { mail } = mailing;
  const auditing = composeAudit(config, { store, egress, duty, clock, log });
  const querying = composeQueries(config, clock);
  const deps = combine(
    { ledger, scrapes, queue, feedback, teams, jobs: store.jobs, ...querying.parts },
    reading,
    browsing,
    searching.parts,
    jobs.parts,
    { sentAhead, log, threats, maxJobs: config.maxJobs },
    exportParts(config, store, clock),
    policy.parts,
    threatPolicies,
    { onboarding: store.onboarding, stored: store.stored },
    { models: pages.models, sentences: pages.sentences, mail },
    { agentCaps: agentCaps(config), authentication: config.auth },
    auditing.parts,
    operatorParts(config, { browsers: pages.browsers, metricsHistory, backlog: store.backlog, processId, clock }),
  );
  const since = duty === 'own' ? { since: clock.now() } : {};
  const { wakeWebhooks } = jobs;
  const { runReservations } = policy;
  const running = { store, scope, tracer, runReservations, wakeWebhooks, duty, clock, log };
  const runs = composeRuns({ ...running, ...since }, combine(deps, { monitors: store.monitors }));
  const { runner } = runs.parts;
  const monitors = composeMonitors(config, { store, scope, duty, runner, clock, log });
  const operations = bindOperations(combine(deps, runs.parts, monitors.parts), scope);
  const stopping = lifecycle.stopping.signal;
  const isReady = () => lifecycle.isReady;
  const { find: operatorTeam } = policy.operatorTeam;
  const callers = await composeCallers(config, { ...policy.parts, store, secret, operatorTeam, wrongKeys, clock, log });
  const browser = pages.browsers[0]!;
  const server = createServer({
    ...config,
    ...callers,
    policy: policy.stage,
    keyWatch: policy.parts.keyWatch,
    teams,
    ...processes.serve(operations, pages),
    openOperations: bindOpenOperations(
      combine(
        callers,
        composeOnboarding(config, { ...policy.parts, store, egress, stopping, clock }),
        { fileLinks, sentAhead, manual: reading.manual, mail, runs: store.runs, stopping },
        { teams, authentication: config.auth, operatorTeam, policy: policy.stage },
        { turns: createOpenTurns(createTurnsBy(clock, store.sharedLimits?.tokenBuckets)) },
        { isReady, health, metricsText: metrics.text },
        { readDetails: () => readDetails({ isReady, store, ...processes, models: pages.models, browser, config }) },
      ),
    ),
    hold: store.uploads.hold,
    inRequest: requestScope(scope, tracer),
    sessions: browsing.sessions,
    watch: (call) => watchJob(deps, call),
    ...{ stopping, metrics, clock, log },
  });
  const working = { jobs, runs, monitors, mailing, auditing, querying };
  return { ...working, policy, processes, pages, searching, security, server, console: callers.console };
}

// The parts that run jobs: worker, politeness, robots.txt, webhooks, and notices of changes.
import type { Config } from '../config/settings.ts';
import type { ServiceMetrics } from '../contracts/operator/metrics.ts';
import { location } from '../contracts/scrape/location.ts';
import { createLinkRules } from '../crawl/frontier/link-rules.ts';
import { createPoliteness } from '../crawl/politeness/politeness.ts';
import { createRobots } from '../crawl/robots/robots.ts';
import type { Identify } from '../fetch/identity.ts';
import type { Indexer } from '../jobs/indexer.ts';
import { createSearchableJobs } from '../jobs/indexing/searchable-jobs.ts';
import { createChanges } from '../jobs/job-changes.ts';
import type { Pace } from '../jobs/running-job.ts';
import type { TaskHandler } from '../jobs/task-handler.ts';
import type { TeamSlots } from '../jobs/team-slots.ts';
import { createWebhookCall } from '../jobs/webhooks/webhook-call.ts';
import { createWebhooks } from '../jobs/webhooks/webhooks.ts';
import { createWorker, type Worker } from '../jobs/worker.ts';
import { isListed } from '../net/addresses/allow-list.ts';
import { createBatchHandler } from '../operations/batch.ts';
import type { ReadPageDeps } from '../operations/page/read-page.ts';
import type { ThreatCheckDeps } from '../operations/threats/open-threat-check.ts';
import type { PageReservations } from '../policy/budgets/page-reservations.ts';
import type { Log } from '../runtime/log.ts';
import type { Tracer } from '../runtime/tracer.ts';
import { readVersion } from '../runtime/version.ts';
import type { WorkScope } from '../runtime/work-scope.ts';
import type { JobView } from '../store/ports/jobs/job-store.ts';
import type { Store } from '../store/ports/store.ts';
import { lazy } from '../util/lazy.ts';
import { type Duty, shareLoop } from './sharing/duty.ts';
import { measureQueue } from './telemetry/metrics.ts';

const AGENT_NAME = 'Trawl';
/** Job pages in flight at once, over all teams: each may hold many megabytes. */
const MAX_JOB_PAGES = 64;

interface Parts extends ReadPageDeps, ThreatCheckDeps {
  metrics: ServiceMetrics;
  store: Store;
  scope: WorkScope;
  tracer: Tracer;
  identify: Identify;
  indexer: Indexer;
  /** The pages of jobs share them with the other requests of their teams. */
  slots: TeamSlots;
  pageReservations: PageReservations;
  duty: Duty;
  log: Log;
}

export function composeJobs(config: Config, parts: Parts) {
  const { store, scope, tracer, identify, indexer, slots, pageReservations, duty, log, ...reading } = parts;
  const { egress, clock } = reading;
  const { wakeUps } = store;
  const token = `${AGENT_NAME}/${readVersion()}${config.contact ? ` (+${config.contact})` : ''}`;
  const headers = () => identify({ mobile: false, location: location.parse({}), agent: token });
  const agent = { name: AGENT_NAME, token, headers };
  const politeness = createPoliteness({ clock, isAllowListed: (host) => isListed(config.allowNetworks, host) });
  const robots = createRobots({ egress, clock, headers });
  const linkRules = createLinkRules();
  const changes = createChanges({ wakeUps, clock });
  const webhookCall = createWebhookCall({ egress, secret: config.webhookSecret });
  const searchable = createSearchableJobs({ indexer, clock });
  const webhooks = createWebhooks({
    call: webhookCall,
    deliveries: store.deliveries,
    health: store.health,
    searchable,
    isShared: wakeUps.isShared,
    clock,
    log,
  });
  const wakeWebhooks = shareLoop(wakeUps, { topic: 'deliveries', duty, wake: webhooks.wake });
  const onJob = ({ id, hasWebhook }: JobView) => {
    wakeUps.notify('changes', id);
    indexer.wakeLater();
    if (hasWebhook) wakeWebhooks();
  };

  const deps = { ...reading, robots, linkRules, politeness, agent };
  // Loaded with the first crawl: an idle service does without it.
  const loadCrawlHandler = lazy(async () => {
    const { createCrawlHandler } = await import('../operations/crawl/crawl-handler.ts');
    return createCrawlHandler(deps);
  });
  const crawl: TaskHandler = async (...task) => (await loadCrawlHandler())(...task);
  const inScope = scopeTasks(scope, tracer);
  const worker = createWorker({
    queue: measureQueue(reading.metrics, store.queue),
    health: store.health,
    handlers: { crawl: inScope(crawl), batch_scrape: inScope(createBatchHandler(deps)) },
    politeness,
    pageReservations,
    paceOf: (job) => paceOf(job, config.maxConcurrency),
    onChange: onJob,
    clock,
    log,
    maxPages: MAX_JOB_PAGES,
    slots,
    ...(wakeUps.isShared && { sharing: { stored: store.jobs, wakeUps, ownJobsOnly: duty !== 'all' } }),
  });
  /** The others hear of each change, too. */
  const workers: Pick<Worker, 'run' | 'drop'> = {
    run(job) {
      if (duty !== 'none') worker.run(job);
      wakeUps.notify('jobs', job.id);
    },
    drop(id) {
      worker.drop(id);
      wakeUps.notify('jobs', id);
    },
  };

  return {
    wakeWebhooks,
    parts: {
      ...{ agent, politeness, robots, linkRules, changes, searchable, worker: workers, onJob },
      webhooks: {
        ...{ log: store.deliveryLog, call: webhookCall, wake: wakeWebhooks },
        isSigned: config.webhookSecret !== undefined,
      },
    },
    /** Continues the jobs that an earlier run of the program left unfinished. */
    async resume() {
      if (duty !== 'all') return;
      // Among several processes, each finds as many as it can work on.
      if (!wakeUps.isShared) for (const job of await store.jobs.unfinished()) worker.run(job);
      wakeWebhooks();
    },
    /** Cancels jobs that were paused for too long. */
    async endPauses() {
      for (const job of await store.jobs.endPauses(clock.now())) {
        workers.drop(job.id);
        onJob(job);
      }
    },
    /** Ends the work on jobs. */
    async stop() {
      await Promise.all([worker.close(), webhooks.close()]);
    },
    /** To be called when no request runs any more: crawls and maps that begin need the rules of links, too. */
    close: linkRules.close,
  };
}

function paceOf(job: JobView, maxConcurrency: number): Pace {
  const { maxConcurrency: asked = maxConcurrency, delay = 0 } = job.options as {
    maxConcurrency?: number;
    delay?: number;
  };
  // A delay between pages means one page at a time.
  if (delay > 0) return { concurrency: 1, pauseMs: delay * 1000, isPromised: true };
  return { concurrency: Math.min(asked, maxConcurrency), pauseMs: 0, isPromised: asked < maxConcurrency };
}

/** The store knows whose calls it gets, the log which job a line is about, and traces have a span for each page. */
const scopeTasks =
  (scope: WorkScope, tracer: Tracer) =>
  (handler: TaskHandler): TaskHandler =>
  (task, job, tools) =>
    scope.run(job.teamId, () =>
      scope.label({ job: job.id }, () =>
        tracer.span(`${job.kind} page`, { attributes: { 'trawl.job': job.id } }, () => handler(task, job, tools)),
      ),
    );

// The parts that run jobs: worker, politeness, robots.txt, webhooks, and notices of changes.
import type { Config } from '../config/settings.ts';
import { location } from '../contracts/location.ts';
import type { ServiceMetrics } from '../contracts/metrics.ts';
import { createLinkJudge } from '../crawl/frontier/link-judge.ts';
import { createPoliteness } from '../crawl/politeness/politeness.ts';
import { createRobots } from '../crawl/robots/robots.ts';
import type { Identify } from '../fetch/identity.ts';
import type { Indexer } from '../jobs/indexer.ts';
import { createChanges } from '../jobs/job-changes.ts';
import type { Pace } from '../jobs/running-job.ts';
import type { TaskHandler } from '../jobs/task-handler.ts';
import type { TeamSlots } from '../jobs/team-slots.ts';
import { createWebhookCall } from '../jobs/webhooks/webhook-call.ts';
import { createWebhooks } from '../jobs/webhooks/webhooks.ts';
import { createWorker } from '../jobs/worker.ts';
import { isListed } from '../net/addresses/allow-list.ts';
import { createBatchHandler } from '../operations/batch.ts';
import type { JudgeDeps } from '../operations/judge/open-judge.ts';
import type { ReadPageDeps } from '../operations/page/read-page.ts';
import type { PageHolds } from '../policy/budgets/page-holds.ts';
import type { JobView } from '../store/job-store.ts';
import type { Store } from '../store/store.ts';
import { lazy } from '../util/lazy.ts';
import type { Log } from '../util/log.ts';
import type { TeamScope } from '../util/team-scope.ts';
import { readVersion } from '../util/version.ts';
import { measureQueue } from './metrics.ts';

const AGENT_NAME = 'Trawl';
/** Job pages in flight at once, over all teams: each may hold many megabytes. */
const MAX_JOB_PAGES = 64;

interface Parts extends ReadPageDeps, JudgeDeps {
  metrics: ServiceMetrics;
  store: Store;
  scope: TeamScope;
  identify: Identify;
  indexer: Indexer;
  /** The pages of jobs share them with the other requests of their teams. */
  slots: TeamSlots;
  pageHolds: PageHolds;
  /** Sends nothing by itself: what is queued is left to a service that stays. */
  isEmbedded?: boolean;
  log: Log;
}

export function composeJobs(config: Config, parts: Parts) {
  const { store, scope, identify, indexer, slots, pageHolds, isEmbedded, log, ...reading } = parts;
  const { egress, clock } = reading;
  const token = `${AGENT_NAME}/${readVersion()}${config.contact ? ` (+${config.contact})` : ''}`;
  const headers = () => identify({ mobile: false, location: location.parse({}), agent: token });
  const agent = { name: AGENT_NAME, token, headers };
  const politeness = createPoliteness({ clock, isAllowListed: (host) => isListed(config.allowNetworks, host) });
  const robots = createRobots({ egress, clock, headers });
  const linkJudge = createLinkJudge();
  const changes = createChanges();
  const webhookCall = createWebhookCall({ egress, secret: config.webhookSecret });
  const webhooks = createWebhooks({
    call: webhookCall,
    deliveries: store.deliveries,
    health: store.health,
    searchable: indexer.caughtUp,
    clock,
    log,
  });
  const wakeWebhooks = isEmbedded ? () => {} : webhooks.wake;
  const onJob = ({ id, hasWebhook }: JobView) => {
    changes.notify(id);
    indexer.wakeLater();
    if (hasWebhook) wakeWebhooks();
  };

  const deps = { ...reading, robots, linkJudge, politeness, agent };
  // Loaded with the first crawl: an idle service does without it.
  const loadCrawlHandler = lazy(async () => {
    const { createCrawlHandler } = await import('../operations/crawl/crawl-handler.ts');
    return createCrawlHandler(deps);
  });
  const crawl: TaskHandler = async (...task) => (await loadCrawlHandler())(...task);
  const worker = createWorker({
    queue: measureQueue(reading.metrics, store.queue),
    health: store.health,
    handlers: { crawl: scopeTasks(scope, crawl), batch_scrape: scopeTasks(scope, createBatchHandler(deps)) },
    politeness,
    pageHolds,
    paceOf: (job) => paceOf(job, config.maxConcurrency),
    onChange: onJob,
    clock,
    log,
    maxPages: MAX_JOB_PAGES,
    slots,
  });

  return {
    wakeWebhooks,
    parts: {
      ...{ agent, politeness, robots, linkJudge, changes, worker, onJob },
      webhooks: {
        ...{ log: store.deliveryLog, call: webhookCall, wake: wakeWebhooks },
        isSigned: config.webhookSecret !== undefined,
      },
    },
    /** Continues the jobs that an earlier run of the program left unfinished. */
    async resume() {
      for (const job of await store.jobs.unfinished()) worker.run(job);
      wakeWebhooks();
    },
    /** Cancels jobs that were paused for too long. */
    async endPauses() {
      for (const job of await store.jobs.endPauses(clock.now())) {
        worker.drop(job.id);
        onJob(job);
      }
    },
    /** Ends the work on jobs. */
    async stop() {
      await Promise.all([worker.close(), webhooks.close()]);
    },
    /** To be called when no request runs any more: crawls and maps that begin need the link judge, too. */
    close: linkJudge.close,
  };
}

function paceOf(job: JobView, maxConcurrency: number): Pace {
  const { maxConcurrency: asked = maxConcurrency, delay = 0 } = job.options as {
    maxConcurrency?: number;
    delay?: number;
  };
  // A delay between pages means one page at a time.
  if (delay > 0) return { concurrency: 1, pauseMs: delay * 1000 };
  return { concurrency: Math.min(asked, maxConcurrency), pauseMs: 0 };
}

/** The store knows whose calls it gets. */
const scopeTasks =
  (scope: TeamScope, handler: TaskHandler): TaskHandler =>
  (task, job, tools) =>
    scope.run(job.teamId, () => handler(task, job, tools));

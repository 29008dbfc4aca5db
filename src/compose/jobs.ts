// The parts that run jobs, put together: worker, politeness, robots.txt, webhooks, and who is told of changes.
import type { Config } from '../config/settings.ts';
import { location } from '../contracts/location.ts';
import { createPoliteness } from '../crawl/politeness/politeness.ts';
import { createRobots } from '../crawl/robots/robots.ts';
import { identityHeaders } from '../fetch/identity.ts';
import type { Indexer } from '../jobs/indexer.ts';
import { createChanges } from '../jobs/job-changes.ts';
import type { Pace } from '../jobs/running-job.ts';
import type { TaskHandler } from '../jobs/task-handler.ts';
import { createWebhooks } from '../jobs/webhooks/webhooks.ts';
import { createWorker } from '../jobs/worker.ts';
import { isListed } from '../net/addresses/allow-list.ts';
import { createBatchHandler } from '../operations/batch.ts';
import type { ReadPageDeps } from '../operations/page/read-page.ts';
import type { JobView } from '../store/jobs.ts';
import type { Store } from '../store/store.ts';
import type { Log } from '../util/log.ts';
import { readVersion } from '../util/version.ts';

const AGENT_NAME = 'Trawl';
/** Pages of jobs in flight at the same time, of all teams: each may hold many megabytes. */
const MAX_JOB_PAGES = 64;

export type JobParts = ReturnType<typeof composeJobs>;

interface Parts extends ReadPageDeps {
  store: Store;
  indexer: Indexer;
  log: Log;
}

export function composeJobs(config: Config, { store, indexer, log, ...reading }: Parts) {
  const { egress, clock } = reading;
  const token = `${AGENT_NAME}/${readVersion()}${config.contact ? ` (+${config.contact})` : ''}`;
  const headers = identityHeaders({
    mobile: false,
    location: location.parse({}),
    userAgent: config.userAgent,
    agent: token,
  });
  const agent = { name: AGENT_NAME, token, headers };
  const politeness = createPoliteness({ clock, isAllowListed: (host) => isListed(config.allowNetworks, host) });
  const robots = createRobots({ egress, clock, headers });
  const changes = createChanges();
  const webhooks = createWebhooks({
    deliveries: store.deliveries,
    searchable: indexer.caughtUp,
    egress,
    clock,
    log,
    secret: config.webhookSecret,
  });
  const onJob = ({ id, hasWebhook }: JobView) => {
    changes.notify(id);
    indexer.wake();
    if (hasWebhook) webhooks.wake();
  };

  const deps = { ...reading, features: config.teamFeatures, robots, politeness, agent };
  // Its scope and expressions bring large libraries along, which an idle service does without.
  const loadCrawlHandler = once(async () => {
    const { createCrawlHandler } = await import('../operations/crawl/crawl-handler.ts');
    return createCrawlHandler(deps);
  });
  const crawl: TaskHandler = async (...task) => (await loadCrawlHandler())(...task);
  const worker = createWorker({
    queue: store.queue,
    handlers: { crawl, batch_scrape: createBatchHandler(deps) },
    politeness,
    paceOf: (job) => paceOf(job, config.maxConcurrency),
    onChange: onJob,
    clock,
    log,
    maxPages: MAX_JOB_PAGES,
    maxPagesOfTeam: config.maxConcurrency,
  });

  return {
    agent,
    politeness,
    robots,
    changes,
    worker,
    onJob,
    /** Takes up what an earlier run of the program has left. */
    async resume() {
      for (const job of await store.jobs.unfinished()) worker.run(job);
      webhooks.wake();
    },
    async close() {
      await Promise.all([worker.close(), webhooks.close()]);
    },
  };
}

function paceOf(job: JobView, maxConcurrency: number): Pace {
  const { maxConcurrency: asked = maxConcurrency, delay = 0 } = job.options as {
    maxConcurrency?: number;
    delay?: number;
  };
  // Pages that are to be some time apart come one by one.
  if (delay > 0) return { places: 1, pauseMs: delay * 1000 };
  return { places: Math.min(asked, maxConcurrency), pauseMs: 0 };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

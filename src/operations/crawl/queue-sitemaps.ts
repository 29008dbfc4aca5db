// Streams the sitemaps of a site into the tasks of its crawl.
import { dropGeneratedDates } from '../../crawl/sitemap/generated-dates.ts';
import { readSitemaps } from '../../crawl/sitemap/sitemap.ts';
import type { SitemapEntry } from '../../crawl/sitemap/sitemap-reader.ts';
import type { TaskTools } from '../../jobs/task-handler.ts';
import type { ClaimedTask } from '../../store/ports/jobs/job-queue.ts';
import { startDeadline } from '../../util/abort.ts';
import { type Crawl, type CrawlHandlerDeps, robotsName, robotsOf, robotsReach, trustOf } from './crawl-task.ts';

/** Sitemap URLs are queued in batches of this size. */
const BATCH_SIZE = 500;
/** URLs queued beyond the limit, to replace pages that fail. */
const SPARE_SEEDS = 1_000;
/** Far above the crawl limit, because most entries may be out of scope. */
const MAX_ENTRIES = 1_000_000;
/** After this time the crawl relies on links alone. */
const SITEMAPS_MS = 300_000;

export async function queueSitemaps(
  deps: CrawlHandlerDeps,
  { plan, limit, openThreatCheck: open }: Crawl,
  task: ClaimedTask,
  { discover, signal }: TaskTools,
): Promise<void> {
  const { options, site: siteRules } = plan;
  const threatCheck = await open();
  const site = new URL(task.url);
  if (threatCheck && !threatCheck.allowsByRules(site)) return;
  const file = await deps.robots.of(site, { ...trustOf(plan), ...robotsReach(threatCheck) }, signal);
  // Without a readable robots.txt, nothing that the sitemap lists may be fetched.
  if (file.failure && !options.ignoreRobotsTxt) return;
  const rules = options.ignoreRobotsTxt ? undefined : file.rulesFor(robotsName(deps, options));
  const source = { egress: deps.egress, headers: await deps.agent.headers(), ...trustOf(plan) };
  // The site was judged as a page. A sitemap elsewhere is nothing that anybody pays for, so own rules alone decide.
  const mayFetch = threatCheck && ((url: URL) => url.host === site.host || threatCheck.allowsByRules(url));
  const request = { site, declared: file.sitemaps, maxEntries: MAX_ENTRIES, ...(mayFetch && { mayFetch }) };
  let batch: SitemapEntry[] = [];
  let found = 0;
  const time = startDeadline(SITEMAPS_MS, () => new Error('The sitemaps take too long.'), signal);
  const queueBatch = async () => {
    const seeds = dropGeneratedDates(batch, deps.clock.now());
    batch = [];
    const tasks = await deps.linkRules.seed(siteRules, seeds, robotsOf(site, rules));
    found += tasks.length;
    if (tasks.length === 0) return;
    // Writing may have to wait for a full disk, which is not the site's fault.
    const goOn = time.pause();
    await discover(tasks);
    goOn();
  };
  try {
    for await (const entry of readSitemaps(source, request, time.signal)) {
      batch.push(entry);
      if (batch.length < BATCH_SIZE) continue;
      await queueBatch();
      if (found >= limit + SPARE_SEEDS) return;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error !== time.signal.reason) throw error;
  } finally {
    time.done();
  }
  await queueBatch();
}

// A crawl that tracks changes also looks at the pages that earlier crawls of the site have found: they may be gone, or still
// there although nothing links to them.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { LinkRules } from '../../crawl/frontier/link-rules.ts';
import type { TaskReport, TaskTools } from '../../jobs/task-handler.ts';
import type { ClaimedTask } from '../../store/ports/jobs/job-queue.ts';
import type { PageHistory } from '../../store/ports/pages/page-history.ts';
import { isTracked } from '../page/changes/add-changes.ts';
import { crawlKey } from '../page/changes/history-keys.ts';
import type { CrawlPlan } from './crawl-plan.ts';
import type { Crawl } from './crawl-task.ts';
import { startTasks } from './first-tasks.ts';

const BATCH_SIZE = 500;
/** Pages beyond the limit, since most of them will turn out to be linked. */
const SPARE_PAGES = 1_000;

export interface KnownPagesDeps {
  history: Pick<PageHistory, 'known'>;
  linkRules: Pick<LinkRules, 'seed' | 'includesStart'>;
}

/** Identifies this crawl together with earlier ones that began at the same page; undefined if it does not track changes. */
export const trackedCrawl = ({ pageOptions, start }: CrawlPlan, teamId: string): string | undefined =>
  isTracked(pageOptions) ? crawlKey(teamId, start, pageOptions) : undefined;

/** Queues them behind everything that sitemaps and links lead to, without those out of this crawl's scope. Then it begins. */
export async function queueKnownPages(
  { history, linkRules }: KnownPagesDeps,
  { plan, teamId, limit }: Pick<Crawl, 'plan' | 'teamId' | 'limit'>,
  { url: given }: Pick<ClaimedTask, 'url'>,
  { discover }: TaskTools,
): Promise<TaskReport> {
  const crawl = trackedCrawl(plan, teamId);
  const most = limit + SPARE_PAGES;
  let after = '';
  for (let queued = 0; crawl !== undefined && queued < most; ) {
    const urls = await history.known(crawl, after, BATCH_SIZE).catch(unlessDamaged);
    const tasks = await linkRules.seed(
      plan.site,
      urls.map((url) => ({ url })),
    );
    const inScope = tasks.filter(({ refused }) => !refused);
    if (inScope.length > 0) await discover(inScope.map((task) => ({ ...task, isKnown: true })));
    queued += inScope.length;
    if (urls.length < BATCH_SIZE) break;
    after = urls.at(-1)!;
  }
  return { outcome: { state: 'kicked-off', links: await startTasks(linkRules, plan, given) } };
}

/** A damaged history costs the crawl these pages and nothing else. */
function unlessDamaged(error: unknown): string[] {
  if (error instanceof ServiceError && error.code === 'STORAGE_DAMAGED') return [];
  throw error;
}

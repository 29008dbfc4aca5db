// The tasks that a crawl begins with.
import { seedTask } from '../../crawl/frontier/frontier.ts';
import type { LinkRules } from '../../crawl/frontier/link-rules.ts';
import type { NewTask } from '../../store/ports/jobs/job-queue.ts';
import { isTracked } from '../page/changes/add-changes.ts';
import { type CrawlPlan, followedStart, knownPagesTask, sitemapsTask } from './crawl-plan.ts';

type StartRules = Pick<LinkRules, 'includesStart'>;

/**
 * A crawl that tracks changes queues what earlier crawls have found before it reads a page: then every link can tell that one
 * of those pages is not hidden. Throws ServiceError BAD_REQUEST for path rules that cannot be used.
 */
export async function firstTasks(linkRules: StartRules, plan: CrawlPlan, given: string): Promise<NewTask[]> {
  const tasks = await startTasks(linkRules, plan, given);
  return isTracked(plan.pageOptions) ? [{ ...knownPagesTask(plan.start), url: given }] : tasks;
}

/**
 * The start page goes first, so that the first result arrives soon, while the sitemaps are read. `given` is its URL as the
 * caller wrote it.
 */
export async function startTasks(
  linkRules: StartRules,
  { site, keyRules, start }: CrawlPlan,
  given: string,
): Promise<NewTask[]> {
  // The path rules also apply to the start page. If they exclude it, it is read for its links only.
  const isIncluded = await linkRules.includesStart(site);
  const first = isIncluded ? seedTask(start, keyRules) : followedStart(start);
  return [{ ...first, url: given }, sitemapsTask(start)];
}

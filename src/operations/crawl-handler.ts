// The tasks of a crawl: the kick-off reads the sitemaps, each page is read and brings its links.
import { ServiceError } from '../contracts/errors.ts';
import { discoverTasks, type Frontier, seedTasks } from '../crawl/discover.ts';
import type { Politeness } from '../crawl/politeness.ts';
import type { Robots } from '../crawl/robots.ts';
import type { RobotsRules } from '../crawl/robots-rules.ts';
import { readSitemaps } from '../crawl/sitemap.ts';
import { urlKey } from '../crawl/url-key.ts';
import type { TaskHandler, TaskReport, TaskTools } from '../jobs/handler.ts';
import type { ClaimedTask, NewTask } from '../store/queue.ts';
import { deadline } from '../util/abort.ts';
import { checkCapabilities } from './check-capabilities.ts';
import { type CrawlPlan, createCrawlPlans } from './crawl-plan.ts';
import { failedPage, readJobPage } from './job-page.ts';
import type { Reading, ReadPageDeps } from './read-page.ts';

export interface CrawlHandlerDeps extends ReadPageDeps {
  robots: Robots;
  politeness: Politeness;
  features: readonly string[];
  /** Who we say we are, and the name by which robots.txt knows us. */
  agent: { name: string; token: string; headers: Record<string, string> };
}

/** Sitemap addresses are handed over in portions of this size. */
const PORTION = 500;
/** Beyond the limit some are kept for the places of pages that fail. */
const SPARE_SEEDS = 1_000;
/** Of those that a sitemap lists, most may lie outside the scope. */
const MAX_ENTRIES = 1_000_000;
/** A site whose sitemaps take longer is crawled by its links. */
const SITEMAPS_MS = 300_000;

const KICKED_OFF: TaskReport = { outcome: { state: 'kicked-off' } };

export function createCrawlHandler(deps: CrawlHandlerDeps): TaskHandler {
  const planOf = createCrawlPlans();
  return (task, job, tools) => {
    const plan = planOf(job);
    return task.kind === 'kick-off' ? kickOff(deps, plan, task, tools) : crawlPage(deps, plan, task, tools);
  };
}

async function kickOff(
  deps: CrawlHandlerDeps,
  plan: CrawlPlan,
  task: ClaimedTask,
  tools: TaskTools,
): Promise<TaskReport> {
  const report = plan.includesStart ? KICKED_OFF : await followStart(deps, plan, task, tools);
  if (report.outcome.state === 'retry') return report;
  if (plan.options.sitemap !== 'skip' && !plan.pageOptions.lockdown) await readAllSitemaps(deps, plan, tools);
  return report;
}

/** The start page is no page of the crawl, but its links are: when it cannot be read, somebody should know. */
async function followStart(
  deps: CrawlHandlerDeps,
  plan: CrawlPlan,
  task: ClaimedTask,
  { discover, signal }: TaskTools,
): Promise<TaskReport> {
  const { rules, refusal } = await askRobots(deps, plan, plan.start, signal);
  if (refusal) return refusal;
  const page = await readCrawlPage(deps, plan, task, signal);
  if ('outcome' in page) return page;
  await discover(linksOf(plan, task, page.reading, rules));
  return { ...KICKED_OFF, visit: page.visit };
}

async function readAllSitemaps(
  deps: CrawlHandlerDeps,
  plan: CrawlPlan,
  { discover, signal }: TaskTools,
): Promise<void> {
  const { options, frontier, start: site } = plan;
  const file = await deps.robots.of(site, signal);
  // Of a site that does not say what it forbids, nothing that a sitemap lists could be fetched.
  if (file.failure && !options.ignoreRobotsTxt) return;
  const rules = options.ignoreRobotsTxt ? undefined : file.rulesFor(robotsName(deps, plan));
  const judged: Frontier = { ...frontier, robots: allowedOn(site, rules) };
  const source = { egress: deps.egress, headers: deps.agent.headers };
  const request = { site, declared: file.sitemaps, maxEntries: MAX_ENTRIES };
  let portion: string[] = [];
  let found = 0;
  const handOver = async () => {
    const tasks = seedTasks(portion, judged);
    portion = [];
    found += tasks.length;
    if (tasks.length > 0) await discover(tasks);
  };
  const time = deadline(SITEMAPS_MS, () => new Error('The sitemaps take too long.'), signal);
  try {
    for await (const { url } of readSitemaps(source, request, time.signal)) {
      portion.push(url);
      if (portion.length < PORTION) continue;
      await handOver();
      if (found >= options.limit + SPARE_SEEDS) return;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error !== time.signal.reason) throw error;
  } finally {
    time.done();
  }
  await handOver();
}

async function crawlPage(
  deps: CrawlHandlerDeps,
  plan: CrawlPlan,
  task: ClaimedTask,
  { signal }: TaskTools,
): Promise<TaskReport> {
  const url = new URL(task.url);
  const { rules, refusal } = await askRobots(deps, plan, url, signal);
  if (refusal) return refusal;
  const page = await readCrawlPage(deps, plan, task, signal);
  if ('outcome' in page) return page;

  const { reading, scraped, visit } = page;
  const { frontier } = plan;
  const final = new URL(reading.header.finalUrl);
  const finalKey = urlKey(final, frontier.keyRules);
  const isStart = task.key === plan.startKey;
  if (!isStart && finalKey !== task.key && frontier.scope.judge(final, { isHome: true }) === 'out') {
    return failedPage(leftTheSite(final), deps.clock.now(), visit);
  }
  const { canonical, print } = reading.outcome.discovered;
  const own = canonical === undefined ? null : URL.parse(canonical);
  return {
    visit,
    outcome: {
      state: 'done',
      page: {
        scrapeId: scraped.id,
        finalKey,
        group: own ? urlKey(own, frontier.keyRules) : finalKey,
        print,
        metadata: scraped.metadata,
        warning: scraped.warning,
        keep: reading.keep,
        credits: scraped.credits,
        ...(isStart && finalKey !== task.key && { home: final.href }),
      },
      links: linksOf(plan, task, reading, rules),
    },
  };
}

function readCrawlPage(deps: CrawlHandlerDeps, { pageOptions }: CrawlPlan, task: ClaimedTask, signal: AbortSignal) {
  const means = { features: deps.features, hasEnhancedProxy: deps.egress.hasProxy('enhanced') };
  const warnings = checkCapabilities(pageOptions, means);
  return readJobPage(deps, task, { options: pageOptions, warnings, agent: deps.agent.token }, signal);
}

/** The rules for what the page links to, or the report that ends its task. Neither when nothing binds the crawl. */
async function askRobots(
  deps: CrawlHandlerDeps,
  plan: CrawlPlan,
  url: URL,
  signal: AbortSignal,
): Promise<{ rules?: RobotsRules; refusal?: TaskReport }> {
  if (plan.options.ignoreRobotsTxt || plan.pageOptions.lockdown) return {};
  const file = await deps.robots.of(url, signal);
  const rules = file.rulesFor(robotsName(deps, plan));
  deps.politeness.setInterval(url.host, (rules.crawlDelay ?? 0) * 1000);
  if (rules.allows(url)) return { rules };
  if (!file.failure) return { refusal: { outcome: { state: 'blocked' } } };
  return { refusal: failedPage(withoutRobots(file.failure), deps.clock.now()) };
}

const robotsName = (deps: CrawlHandlerDeps, { options }: CrawlPlan): string =>
  options.robotsUserAgent ?? deps.agent.name;

/** Only the site whose file was read can be judged now; pages of other sites are when their turn comes. */
const allowedOn =
  ({ origin }: URL, rules: RobotsRules | undefined) =>
  (url: URL): boolean =>
    rules === undefined || url.origin !== origin || rules.allows(url);

function linksOf(plan: CrawlPlan, task: ClaimedTask, reading: Reading, rules: RobotsRules | undefined): NewTask[] {
  if (plan.options.sitemap === 'only') return [];
  const url = new URL(reading.header.finalUrl);
  const { links, next } = reading.outcome.discovered;
  return discoverTasks({
    ...plan.frontier,
    robots: allowedOn(url, rules),
    from: { ...task, url },
    links,
    next,
    maxDepth: plan.options.maxDiscoveryDepth,
  });
}

const leftTheSite = (final: URL): ServiceError =>
  new ServiceError('CRAWL_DENIAL', { message: `The page redirects to ${final.href}, which is outside of this crawl.` });

const withoutRobots = (failure: ServiceError): ServiceError =>
  new ServiceError(failure.code, {
    message: `Without its robots.txt no page of the site may be fetched. ${failure.message}`,
    cause: failure,
  });

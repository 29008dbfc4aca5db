// Runs the tasks of a crawl: kick-offs read the sitemaps or follow an excluded start page; pages are read for their links.
import { ServiceError } from '../../contracts/errors.ts';
import type { KnownRobots, LinkJudge } from '../../crawl/frontier/link-judge.ts';
import { urlKey } from '../../crawl/frontier/url-key.ts';
import type { Politeness } from '../../crawl/politeness/politeness.ts';
import type { Robots, RobotsTrust } from '../../crawl/robots/robots.ts';
import type { RobotsRules } from '../../crawl/robots/robots-rules.ts';
import { dropGeneratedDates } from '../../crawl/sitemap/generated-dates.ts';
import { readSitemaps } from '../../crawl/sitemap/sitemap.ts';
import type { SitemapEntry } from '../../crawl/sitemap/sitemap-reader.ts';
import type { TaskHandler, TaskReport, TaskTools } from '../../jobs/task-handler.ts';
import { CallerHeaders } from '../../net/http/caller-headers.ts';
import type { ClaimedTask, NewTask } from '../../store/job-queue.ts';
import { deadline } from '../../util/abort.ts';
import { failedPage, readJobPage } from '../job/job-page.ts';
import { isTracked } from '../page/changes/add-changes.ts';
import { checkCapabilities } from '../page/checks/check-capabilities.ts';
import type { ReadPageDeps } from '../page/read-page.ts';
import type { Reading } from '../page/reading.ts';
import {
  type CrawlOptions,
  type CrawlPlan,
  createCrawlPlans,
  FOLLOWED_START,
  isKnownPagesTask,
  knownPagesTask,
  sitemapsTask,
} from './crawl-plan.ts';
import { queueKnownPages, trackedCrawl } from './known-pages.ts';

export interface CrawlHandlerDeps extends ReadPageDeps {
  robots: Robots;
  linkJudge: Pick<LinkJudge, 'discover' | 'seed' | 'judge' | 'includesStart'>;
  politeness: Politeness;
  /** How the crawler identifies itself, and the name it looks for in robots.txt. */
  agent: { name: string; token: string; headers(): Promise<Record<string, string>> };
}

/** Sitemap URLs are queued in batches of this size. */
const BATCH_SIZE = 500;
/** URLs queued beyond the limit, to replace pages that fail. */
const SPARE_SEEDS = 1_000;
/** Far above the crawl limit, because most entries may be out of scope. */
const MAX_ENTRIES = 1_000_000;
/** A depth that no link has. */
const NO_LINKS = -1;
/** After this time the crawl relies on links alone. */
const SITEMAPS_MS = 300_000;

/** What a task needs to know about its crawl. */
interface Crawl {
  teamId: string;
  plan: CrawlPlan;
  /** The plan after the start page redirected to another URL. */
  planAt(home: URL): CrawlPlan;
}

export function createCrawlHandler(deps: CrawlHandlerDeps): TaskHandler {
  const planOf = createCrawlPlans();
  return async (task, job, tools) => {
    const { teamId } = job;
    const crawl: Crawl = { teamId, plan: planOf(job), planAt: ({ href: home }) => planOf({ ...job, home }) };
    if (task.kind === 'page') return crawlPage(deps, crawl, task, tools);
    if (isKnownPagesTask(task)) return queueKnownPages(deps, crawl.plan, teamId, tools);
    if (task.key === FOLLOWED_START) return followStart(deps, crawl, task, tools);
    const { options, pageOptions } = crawl.plan;
    if (options.sitemap !== 'skip' && !pageOptions.lockdown) await readAllSitemaps(deps, crawl.plan, task, tools);
    return { outcome: { state: 'kicked-off' } };
  };
}

/** The start page is excluded from the crawl, but its links are not, so a failure to read it is reported. */
async function followStart(
  deps: CrawlHandlerDeps,
  crawl: Crawl,
  task: ClaimedTask,
  { signal }: TaskTools,
): Promise<TaskReport> {
  const asked = await askRobots(deps, crawl.plan, crawl.plan.start, signal);
  if (asked.refusal) return asked.refusal;
  const page = await readCrawlPage(deps, crawl, task, signal);
  if ('outcome' in page) return page;
  const { reading, hostAnswer } = page;
  const home = new URL(reading.header.finalUrl);
  const landed = await askRobots(deps, crawl.plan, home, signal);
  if (landed.refusal) return { ...landed.refusal, hostAnswer };
  const found = await linksFromHome(deps, crawl, home, task, reading, landed.rules);
  return { hostAnswer, outcome: { state: 'kicked-off', ...found, home: home.href } };
}

async function readAllSitemaps(
  deps: CrawlHandlerDeps,
  plan: CrawlPlan,
  task: ClaimedTask,
  { discover, signal }: TaskTools,
): Promise<void> {
  const { options, site: siteRules } = plan;
  const site = new URL(task.url);
  const file = await deps.robots.of(site, trustOf(plan), signal);
  // Without a readable robots.txt, nothing that the sitemap lists may be fetched.
  if (file.failure && !options.ignoreRobotsTxt) return;
  const rules = options.ignoreRobotsTxt ? undefined : file.rulesFor(robotsName(deps, options));
  const source = { egress: deps.egress, headers: await deps.agent.headers(), ...trustOf(plan) };
  const request = { site, declared: file.sitemaps, maxEntries: MAX_ENTRIES };
  let batch: SitemapEntry[] = [];
  let found = 0;
  const time = deadline(SITEMAPS_MS, () => new Error('The sitemaps take too long.'), signal);
  const queueBatch = async () => {
    const seeds = dropGeneratedDates(batch, deps.clock.now());
    batch = [];
    const tasks = await deps.linkJudge.seed(siteRules, seeds, robotsOf(site, rules));
    found += tasks.length;
    if (tasks.length === 0) return;
    // Writing may have to wait for a full disk, which is not the site's fault.
    const goOn = time.hold();
    await discover(tasks);
    goOn();
  };
  try {
    for await (const entry of readSitemaps(source, request, time.signal)) {
      batch.push(entry);
      if (batch.length < BATCH_SIZE) continue;
      await queueBatch();
      if (found >= options.limit + SPARE_SEEDS) return;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error !== time.signal.reason) throw error;
  } finally {
    time.done();
  }
  await queueBatch();
}

async function crawlPage(
  deps: CrawlHandlerDeps,
  crawl: Crawl,
  task: ClaimedTask,
  { signal }: TaskTools,
): Promise<TaskReport> {
  const { plan } = crawl;
  const url = new URL(task.url);
  const asked = await askRobots(deps, plan, url, signal);
  if (asked.refusal) return asked.refusal;
  const page = await readCrawlPage(deps, crawl, task, signal);
  if ('outcome' in page) return page;

  const { reading, scraped, hostAnswer } = page;
  const final = new URL(reading.header.finalUrl);
  const finalKey = urlKey(final, plan.keyRules);
  const isStart = task.key === plan.startKey;
  const hasMoved = finalKey !== task.key;
  if (hasMoved && !isStart && !(await isInScope(deps, plan, final))) {
    return failedPage(leftTheSite(final), deps.clock.now(), hostAnswer);
  }
  // Redirects do not bypass robots.txt, and the links belong to the final page.
  const landed = await askRobots(deps, plan, final, signal);
  if (landed.refusal) return { ...landed.refusal, hostAnswer };
  const { canonical, fingerprint } = reading.outcome.discovered;
  const own = canonical === undefined ? null : URL.parse(canonical);
  const isNewHome = hasMoved && isStart;
  return {
    hostAnswer,
    outcome: {
      state: 'done',
      page: {
        scrapeId: scraped.id,
        finalKey,
        group: own ? urlKey(own, plan.keyRules) : finalKey,
        fingerprint,
        ownContent: scraped.ownContent,
        metadata: scraped.metadata,
        warning: scraped.warning,
        toStore: reading.toStore,
        look: reading.look,
        credits: scraped.credits,
        ...(isNewHome && { home: final.href }),
      },
      ...(isNewHome
        ? await linksFromHome(deps, crawl, final, task, reading, landed.rules)
        : await linksOf(deps, plan, task, reading, landed.rules)),
    },
  };
}

function readCrawlPage(deps: CrawlHandlerDeps, { teamId, plan }: Crawl, task: ClaimedTask, signal: AbortSignal) {
  const { pageOptions, options } = plan;
  const capable = checkCapabilities(pageOptions, deps);
  const { baseUrl } = options;
  // Not of the page, nor of where the start page redirects to: the caller named the start URL and no other.
  const headers = CallerHeaders.for(plan.start, pageOptions.headers);
  const crawl = trackedCrawl(plan, teamId);
  const asked = {
    ...{ teamId, options: pageOptions, capable, headers, baseUrl, agent: deps.agent.token },
    ...(crawl !== undefined && { crawl: { key: crawl, isUnlinked: task.isUnlinked === true } }),
  };
  return readJobPage(deps, task, asked, signal);
}

/** The robots rules for the page's links, or the report that ends its task. Neither if the crawl ignores robots.txt. */
async function askRobots(
  deps: CrawlHandlerDeps,
  plan: CrawlPlan,
  url: URL,
  signal: AbortSignal,
): Promise<{ rules?: RobotsRules; refusal?: TaskReport }> {
  if (plan.options.ignoreRobotsTxt || plan.pageOptions.lockdown) return {};
  const file = await deps.robots.of(url, trustOf(plan), signal);
  const rules = file.rulesFor(robotsName(deps, plan.options));
  deps.politeness.setCrawlDelay(url.host, (rules.crawlDelay ?? 0) * 1000);
  if (rules.allows(url)) return { rules };
  if (!file.failure) return { refusal: { outcome: { state: 'blocked' } } };
  return { refusal: failedPage(robotsUnreadable(file.failure), deps.clock.now()) };
}

/** What is read about a site is trusted as its pages are. */
const trustOf = ({ pageOptions }: CrawlPlan): RobotsTrust => ({ verifyTls: !pageOptions.skipTlsVerification });

const robotsName = (deps: CrawlHandlerDeps, { robotsUserAgent }: CrawlOptions): string =>
  robotsUserAgent ?? deps.agent.name;

const robotsOf = ({ origin }: URL, rules: RobotsRules | undefined): KnownRobots | undefined =>
  rules && { origin, rules };

/** A URL that could not be judged is not fetched either, so its content is not used. */
async function isInScope({ linkJudge }: CrawlHandlerDeps, { site }: CrawlPlan, url: URL): Promise<boolean> {
  const [judgement] = await linkJudge.judge(site, [url.href]);
  return judgement !== 'out' && judgement !== 'unjudged';
}

/** What a page links to. */
interface FoundLinks {
  links: NewTask[];
  /** Keys of pages that this crawl does not follow. None of them is hidden. */
  mentions?: string[];
}

async function linksOf(
  { linkJudge }: CrawlHandlerDeps,
  { options, pageOptions, site }: CrawlPlan,
  { depth, steps, pattern }: ClaimedTask,
  reading: Reading,
  rules: RobotsRules | undefined,
): Promise<FoundLinks> {
  const maxDepth = options.sitemap === 'only' ? NO_LINKS : options.maxDiscoveryDepth;
  const hasMentions = maxDepth !== undefined && isTracked(pageOptions);
  if (maxDepth === NO_LINKS && !hasMentions) return { links: [] };
  const url = new URL(reading.header.finalUrl);
  const { links, next } = reading.outcome.discovered;
  const from = { depth, steps, pattern, url: url.href };
  const found = await linkJudge.discover(
    site,
    { from, links, next, ...(!hasMentions && { maxDepth }) },
    robotsOf(url, rules),
  );
  if (!hasMentions) return { links: found };
  const [near, far] = [found.filter((link) => link.depth <= maxDepth), found.filter((link) => link.depth > maxDepth)];
  return { links: near, mentions: far.map(({ key }) => key) };
}

/** The links of a redirected start page. Its new site may have its own sitemaps. */
async function linksFromHome(
  deps: CrawlHandlerDeps,
  { planAt }: Crawl,
  home: URL,
  task: ClaimedTask,
  reading: Reading,
  rules: RobotsRules | undefined,
): Promise<FoundLinks> {
  const plan = planAt(home);
  const { links, mentions } = await linksOf(deps, plan, task, reading, rules);
  const kickOffs = [sitemapsTask(home), ...(isTracked(plan.pageOptions) ? [knownPagesTask(home)] : [])];
  return { links: [...kickOffs, ...links], mentions };
}

const leftTheSite = (final: URL): ServiceError =>
  new ServiceError('CRAWL_DENIAL', {
    message: `The page redirects to ${final.href}, which is outside the scope of this crawl. Start the crawl there, or widen it with \`allowSubdomains\` or \`allowExternalLinks\`.`,
  });

export const robotsUnreadable = (failure: ServiceError): ServiceError =>
  new ServiceError(failure.code, {
    message: `No page of the site was fetched because its robots.txt could not be read: ${failure.message}`,
    cause: failure,
  });

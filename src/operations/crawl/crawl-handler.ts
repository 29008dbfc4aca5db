// Runs the tasks of a crawl: kick-offs read the sitemaps or follow an excluded start page; pages are read for their links.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { urlKey } from '../../crawl/frontier/url-key.ts';
import type { RobotsRules } from '../../crawl/robots/robots-rules.ts';
import type { TaskHandler, TaskReport, TaskTools } from '../../jobs/task-handler.ts';
import { CallerHeaders } from '../../net/http/caller-headers.ts';
import type { ThreatCheck } from '../../policy/threats/threat-check.ts';
import type { ClaimedTask, NewTask } from '../../store/ports/jobs/job-queue.ts';
import { failedPage, readJobPage } from '../job/job-page.ts';
import { isTracked } from '../page/changes/add-changes.ts';
import { checkCapabilities } from '../page/checks/check-capabilities.ts';
import type { Page } from '../page/page.ts';
import { givenUrl } from '../page/target-url.ts';
import { openThreatCheck } from '../threats/open-threat-check.ts';
import { callerOfJob } from '../threats/stored-limits.ts';
import {
  type CrawlPlan,
  createCrawlPlans,
  FOLLOWED_START,
  isKnownPagesTask,
  knownPagesTask,
  sitemapsTask,
} from './crawl-plan.ts';
import { askRobots, type Crawl, type CrawlHandlerDeps, checkThreats, robotsOf } from './crawl-task.ts';
import { queueKnownPages, trackedCrawl } from './known-pages.ts';
import { queueSitemaps } from './queue-sitemaps.ts';

/** A depth that no link has. */
const NO_LINKS = -1;

export function createCrawlHandler(deps: CrawlHandlerDeps): TaskHandler {
  const planOf = createCrawlPlans();
  return async (task, job, tools) => {
    const { teamId, limit } = job;
    const plan = planOf(job);
    const crawl: Crawl = {
      ...{ job, teamId, limit, plan, planAt: ({ href: home }) => planOf({ ...job, home }) },
      openThreatCheck: () => openThreatCheck(deps, callerOfJob(job), plan.pageOptions),
    };
    if (task.kind === 'page') return crawlPage(deps, crawl, task, tools);
    if (isKnownPagesTask(task)) return queueKnownPages(deps, crawl, task, tools);
    if (task.key === FOLLOWED_START) return followStart(deps, crawl, task, tools);
    const { options, pageOptions } = crawl.plan;
    if (options.sitemap !== 'skip' && !pageOptions.lockdown && !pageOptions.source)
      await queueSitemaps(deps, crawl, task, tools);
    return { outcome: { state: 'kicked-off' } };
  };
}

/** The start page is excluded from the crawl, but its links are not, so a failure to read it is reported. */
async function followStart(
  deps: CrawlHandlerDeps,
  crawl: Crawl,
  task: ClaimedTask,
  tools: TaskTools,
): Promise<TaskReport> {
  const { signal } = tools;
  const threatCheck = await crawl.openThreatCheck();
  const refused = await checkThreats(deps, threatCheck, crawl.plan.start, signal);
  if (refused) return refused;
  const asked = await askRobots(deps, crawl.plan, threatCheck, crawl.plan.start, signal);
  if (asked.refusal) return asked.refusal;
  const result = await readCrawlPage(deps, crawl, task, threatCheck, tools);
  if ('outcome' in result) return result;
  const { page, hostAnswer } = result;
  const home = new URL(page.header.finalUrl);
  const landed = await askRobots(deps, crawl.plan, threatCheck, home, signal);
  if (landed.refusal) return { ...landed.refusal, hostAnswer };
  const found = await linksFromHome(deps, crawl, home, task, page, landed.rules);
  return { hostAnswer, outcome: { state: 'kicked-off', ...found, home: home.href } };
}

async function crawlPage(
  deps: CrawlHandlerDeps,
  crawl: Crawl,
  task: ClaimedTask,
  tools: TaskTools,
): Promise<TaskReport> {
  const { signal } = tools;
  const { plan } = crawl;
  const url = givenUrl(task.url);
  const threatCheck = await crawl.openThreatCheck();
  // Before robots.txt: a host that is refused gets no request at all.
  const refused = await checkThreats(deps, threatCheck, url, signal);
  if (refused) return refused;
  const asked = await askRobots(deps, plan, threatCheck, url, signal);
  if (asked.refusal) return asked.refusal;
  const result = await readCrawlPage(deps, crawl, task, threatCheck, tools);
  if ('outcome' in result) return result;

  const { page, scraped, credits, hostAnswer } = result;
  const final = new URL(page.header.finalUrl);
  const finalKey = urlKey(final, plan.keyRules);
  const isStart = task.key === plan.startKey;
  const hasMoved = finalKey !== task.key;
  if (hasMoved && !isStart && !(await isInScope(deps, plan, final))) {
    return failedPage(leftTheSite(final), { now: deps.clock.now(), hostAnswer, threatCheck });
  }
  // Redirects do not bypass robots.txt, and the links belong to the final page.
  const landed = await askRobots(deps, plan, threatCheck, final, signal);
  if (landed.refusal) return { ...landed.refusal, hostAnswer };
  const { canonical, fingerprint } = page.outcome.discovered;
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
        toStore: page.toStore,
        look: page.look,
        credits,
        ...(isNewHome && { home: final.href }),
      },
      ...(isNewHome
        ? await linksFromHome(deps, crawl, final, task, page, landed.rules)
        : await linksOf(deps, plan, task, page, landed.rules)),
    },
  };
}

function readCrawlPage(
  deps: CrawlHandlerDeps,
  { job, teamId, plan }: Crawl,
  task: ClaimedTask,
  threatCheck: ThreatCheck | undefined,
  tools: TaskTools,
) {
  const { pageOptions, options } = plan;
  const capable = checkCapabilities(pageOptions, deps);
  const { baseUrl } = options;
  // Not of the page, nor of where the start page redirects to: the caller named the start URL and no other.
  const headers = CallerHeaders.for(plan.start, pageOptions.headers);
  const crawl = trackedCrawl(plan, teamId);
  const asked = {
    ...{ job, teamId, options: pageOptions, capable, threatCheck, headers, baseUrl, agent: deps.agent.token },
    ...(crawl !== undefined && { crawl: { key: crawl, isUnlinked: task.isUnlinked === true } }),
  };
  return readJobPage(deps, task, asked, tools);
}

/** A URL that could not be judged is not fetched either, so its content is not used. */
async function isInScope({ linkRules }: CrawlHandlerDeps, { site }: CrawlPlan, url: URL): Promise<boolean> {
  const [judgement] = await linkRules.decide(site, [url.href]);
  return judgement !== 'out' && judgement !== 'unjudged';
}

/** What a page links to. */
interface FoundLinks {
  links: NewTask[];
  /** Keys of pages that this crawl does not follow. None of them is hidden. */
  mentions?: string[];
}

async function linksOf(
  { linkRules }: CrawlHandlerDeps,
  { options, pageOptions, site }: CrawlPlan,
  { depth, steps, pattern }: ClaimedTask,
  page: Page,
  rules: RobotsRules | undefined,
): Promise<FoundLinks> {
  const maxDepth = options.sitemap === 'only' ? NO_LINKS : options.maxDiscoveryDepth;
  const hasMentions = maxDepth !== undefined && isTracked(pageOptions);
  if (maxDepth === NO_LINKS && !hasMentions) return { links: [] };
  const url = new URL(page.header.finalUrl);
  const { links, next } = page.outcome.discovered;
  const from = { depth, steps, pattern, url: url.href };
  const found = await linkRules.discover(
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
  page: Page,
  rules: RobotsRules | undefined,
): Promise<FoundLinks> {
  const plan = planAt(home);
  const { links, mentions } = await linksOf(deps, plan, task, page, rules);
  const kickOffs = [sitemapsTask(home), ...(isTracked(plan.pageOptions) ? [knownPagesTask(home)] : [])];
  return { links: [...kickOffs, ...links], mentions };
}

const leftTheSite = (final: URL): ServiceError =>
  new ServiceError('CRAWL_DENIAL', {
    message: `The page redirects to ${final.href}, which is outside the scope of this crawl. Start the crawl there, or widen it with \`allowSubdomains\` or \`allowExternalLinks\`.`,
  });

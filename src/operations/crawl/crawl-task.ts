// What a task of a crawl needs to know and to ask before a page is fetched: the rules about URLs, and robots.txt.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { isUrlRefusal } from '../../contracts/threats/url-refusals.ts';
import type { KnownRobots, LinkRules } from '../../crawl/frontier/link-rules.ts';
import type { Politeness } from '../../crawl/politeness/politeness.ts';
import type { Robots, RobotsTrust } from '../../crawl/robots/robots.ts';
import type { RobotsRules } from '../../crawl/robots/robots-rules.ts';
import type { TaskReport } from '../../jobs/task-handler.ts';
import type { ThreatCheck } from '../../policy/threats/threat-check.ts';
import type { JobView } from '../../store/ports/jobs/job-store.ts';
import { failedPage } from '../job/job-page.ts';
import type { ReadPageDeps } from '../page/read-page.ts';
import type { openThreatCheck, ThreatCheckDeps } from '../threats/open-threat-check.ts';
import type { CrawlOptions, CrawlPlan } from './crawl-plan.ts';

export interface CrawlHandlerDeps extends ReadPageDeps, ThreatCheckDeps {
  robots: Robots;
  linkRules: Pick<LinkRules, 'discover' | 'seed' | 'decide' | 'includesStart'>;
  politeness: Politeness;
  /** How the crawler identifies itself, and the name it looks for in robots.txt. */
  agent: { name: string; token: string; headers(): Promise<Record<string, string>> };
}

/** What a task needs to know about its crawl. */
export interface Crawl {
  job: Pick<JobView, 'id' | 'kind' | 'url' | 'options'>;
  teamId: string;
  /** Maximum number of pages. It may differ from the one requested. */
  limit: number;
  /** Checks the URLs of one task. */
  openThreatCheck(): ReturnType<typeof openThreatCheck>;
  plan: CrawlPlan;
  /** The plan after the start page redirected to another URL. */
  planAt(home: URL): CrawlPlan;
}

/** The report that ends the task if its URL may not be fetched. */
export async function checkThreats(
  { clock }: CrawlHandlerDeps,
  threatCheck: ThreatCheck | undefined,
  url: URL,
  signal: AbortSignal,
): Promise<TaskReport | undefined> {
  if (!threatCheck) return undefined;
  try {
    await threatCheck.check(url, signal);
    return undefined;
  } catch (error) {
    if (!isUrlRefusal(error)) throw error;
    return failedPage(error, { now: clock.now(), threatCheck });
  }
}

/** The robots rules for the page's links, or the report that ends its task. Neither if the crawl ignores robots.txt. */
export async function askRobots(
  deps: CrawlHandlerDeps,
  plan: CrawlPlan,
  threatCheck: ThreatCheck | undefined,
  url: URL,
  signal: AbortSignal,
): Promise<{ rules?: RobotsRules; refusal?: TaskReport }> {
  // An archive is no visit.
  const isVisit = !plan.pageOptions.lockdown && !plan.pageOptions.source;
  if (plan.options.ignoreRobotsTxt || !isVisit) return {};
  const file = await deps.robots.of(url, { ...trustOf(plan), ...robotsReach(threatCheck) }, signal);
  const rules = file.rulesFor(robotsName(deps, plan.options));
  deps.politeness.setCrawlDelay(url.host, (rules.crawlDelay ?? 0) * 1000);
  if (rules.allows(url)) return { rules };
  if (!file.failure) return { refusal: { outcome: { state: 'blocked' } } };
  return { refusal: failedPage(robotsUnreadable(file.failure), { now: deps.clock.now(), threatCheck: undefined }) };
}

/** What is read about a site is trusted as its pages are. */
export const trustOf = ({ pageOptions }: CrawlPlan): RobotsTrust => ({ verifyTls: !pageOptions.skipTlsVerification });

/** A file elsewhere is nothing that anybody pays for, so own rules alone decide. */
export const robotsReach = (threatCheck: ThreatCheck | undefined): Pick<RobotsTrust, 'mayFetch'> =>
  threatCheck ? { mayFetch: threatCheck.allowsByRules } : {};

export const robotsName = (deps: CrawlHandlerDeps, { robotsUserAgent }: CrawlOptions): string =>
  robotsUserAgent ?? deps.agent.name;

export const robotsOf = ({ origin }: URL, rules: RobotsRules | undefined): KnownRobots | undefined =>
  rules && { origin, rules };

export const robotsUnreadable = (failure: ServiceError): ServiceError =>
  new ServiceError(failure.code, {
    message: `No page of the site was fetched because its robots.txt could not be read: ${failure.message}`,
    cause: failure,
  });

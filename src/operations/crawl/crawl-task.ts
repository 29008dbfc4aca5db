// What a task of a crawl needs to know and to ask before a page is fetched: the rules about URLs, and robots.txt.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { isUrlRefusal } from '../../contracts/threats/url-refusals.ts';
import type { KnownRobots, LinkJudge } from '../../crawl/frontier/link-judge.ts';
import type { Politeness } from '../../crawl/politeness/politeness.ts';
import type { Robots, RobotsTrust } from '../../crawl/robots/robots.ts';
import type { RobotsRules } from '../../crawl/robots/robots-rules.ts';
import type { TaskReport } from '../../jobs/task-handler.ts';
import type { ThreatJudge } from '../../policy/threats/threat-judge.ts';
import { failedPage } from '../job/job-page.ts';
import type { JudgeDeps, openJudge } from '../judge/open-judge.ts';
import type { ReadPageDeps } from '../page/read-page.ts';
import type { CrawlOptions, CrawlPlan } from './crawl-plan.ts';

export interface CrawlHandlerDeps extends ReadPageDeps, JudgeDeps {
  robots: Robots;
  linkJudge: Pick<LinkJudge, 'discover' | 'seed' | 'judge' | 'includesStart'>;
  politeness: Politeness;
  /** How the crawler identifies itself, and the name it looks for in robots.txt. */
  agent: { name: string; token: string; headers(): Promise<Record<string, string>> };
}

/** What a task needs to know about its crawl. */
export interface Crawl {
  teamId: string;
  /** Maximum number of pages. It may differ from the one requested. */
  limit: number;
  /** Judges the URLs of one task. */
  openJudge(): ReturnType<typeof openJudge>;
  plan: CrawlPlan;
  /** The plan after the start page redirected to another URL. */
  planAt(home: URL): CrawlPlan;
}

/** The report that ends the task if its URL may not be fetched. */
export async function askJudge(
  { clock }: CrawlHandlerDeps,
  judge: ThreatJudge | undefined,
  url: URL,
  signal: AbortSignal,
): Promise<TaskReport | undefined> {
  if (!judge) return undefined;
  try {
    await judge.check(url, signal);
    return undefined;
  } catch (error) {
    if (!isUrlRefusal(error)) throw error;
    return failedPage(error, { now: clock.now(), judge });
  }
}

/** The robots rules for the page's links, or the report that ends its task. Neither if the crawl ignores robots.txt. */
export async function askRobots(
  deps: CrawlHandlerDeps,
  plan: CrawlPlan,
  judge: ThreatJudge | undefined,
  url: URL,
  signal: AbortSignal,
): Promise<{ rules?: RobotsRules; refusal?: TaskReport }> {
  if (plan.options.ignoreRobotsTxt || plan.pageOptions.lockdown) return {};
  const file = await deps.robots.of(url, { ...trustOf(plan), ...robotsReach(judge) }, signal);
  const rules = file.rulesFor(robotsName(deps, plan.options));
  deps.politeness.setCrawlDelay(url.host, (rules.crawlDelay ?? 0) * 1000);
  if (rules.allows(url)) return { rules };
  if (!file.failure) return { refusal: { outcome: { state: 'blocked' } } };
  return { refusal: failedPage(robotsUnreadable(file.failure), { now: deps.clock.now(), judge: undefined }) };
}

/** What is read about a site is trusted as its pages are. */
export const trustOf = ({ pageOptions }: CrawlPlan): RobotsTrust => ({ verifyTls: !pageOptions.skipTlsVerification });

/** A file elsewhere is nothing that anybody pays for, so own rules alone decide. */
export const robotsReach = (judge: ThreatJudge | undefined): Pick<RobotsTrust, 'mayFetch'> =>
  judge ? { mayFetch: judge.allowsByRules } : {};

export const robotsName = (deps: CrawlHandlerDeps, { robotsUserAgent }: CrawlOptions): string =>
  robotsUserAgent ?? deps.agent.name;

export const robotsOf = ({ origin }: URL, rules: RobotsRules | undefined): KnownRobots | undefined =>
  rules && { origin, rules };

export const robotsUnreadable = (failure: ServiceError): ServiceError =>
  new ServiceError(failure.code, {
    message: `No page of the site was fetched because its robots.txt could not be read: ${failure.message}`,
    cause: failure,
  });

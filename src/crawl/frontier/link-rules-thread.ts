// The thread that compares links with the rules of callers and sites. Expressions and robots.txt patterns can be made to
// take long; here they delay only other links, and no page may use more than its budget.
import { getHeapStatistics } from 'node:v8';
import { workerData } from 'node:worker_threads';
import { type ErrorDetail, ServiceError } from '../../contracts/errors/errors.ts';
import { type Hosted, serveThread } from '../../runtime/threads/thread.ts';
import type { NewTask } from '../../store/ports/jobs/job-queue.ts';
import { createBoundedMap } from '../../util/bounded-map.ts';
import { processorBudget } from '../../util/work-budget.ts';
import { compileRules, type RobotsRules, type RobotsSource } from '../robots/robots-rules.ts';
import { type DiscoverInput, discoverTasks, type Frontier, type Seed, seedTasks } from './frontier.ts';
import { createLinkMemory } from './link-memory.ts';
import { compilePathRules, MAX_TEXT, type PathRulesOptions } from './path-rules.ts';
import { createScope, type ScopeDecision, type ScopeOptions } from './scope.ts';
import type { KeyRules } from './url-key.ts';

/** Which pages belong to a crawl or a map, as data. */
export interface SiteRules {
  /** Names the rules in this process. */
  id: string;
  scope: Omit<ScopeOptions, 'pathRules'> & PathRulesOptions;
  keyRules: KeyRules;
  start: string;
  /** The start URL after redirects. */
  home: string;
}

export interface SiteRobots extends Partial<Pick<RobotsSource, 'rules'>> {
  id: string;
  /** Only links of this origin are compared: the rules of others are not known here. */
  origin: string;
}

/** Rules that the thread should know are only named. */
export interface RulesToUse {
  site: string | SiteRules;
  robots?: SiteRobots;
}

export type LinkedPage = Pick<DiscoverInput, 'links' | 'next' | 'maxDepth'> & {
  from: Omit<DiscoverInput['from'], 'url'> & { url: string };
};

export interface LinkRulesSettings {
  /** Milliseconds of processor time for the links of one page, and for the start page. */
  pageMs: number;
}

export interface LinkRulesThread {
  /** Whether the path rules include the start page, or why they cannot be used. */
  checkStart(site: SiteRules): Promise<boolean | ErrorDetail>;
  /** `unknown` asks for the call again, with all rules. */
  discover(rules: RulesToUse, page: LinkedPage): Promise<NewTask[] | 'unknown'>;
  seed(rules: RulesToUse, seeds: readonly Seed[]): Promise<NewTask[] | 'unknown'>;
  /** As if the URLs had been found on the start page. */
  decide(rules: RulesToUse, urls: readonly string[]): Promise<ScopeDecision[] | 'unknown'>;
}

/** A page that exceeds its budget once is an accident; rules that always do must not keep the thread busy. */
const MAX_OVERRUNS = 10;
const SITES_KEPT = 16;
const OVERRUNS_KEPT = 1_000;
const ROBOTS_KEPT = 64;
/** A remembered link takes about a kilobyte. */
const LINKS_REMEMBERED = 8_000;
/** The tables that expressions build while they match are dropped above this. */
const MAX_HEAP_BYTES = 160 * 1024 * 1024;

type Site = Pick<Frontier, 'scope' | 'keyRules' | 'memory'> & { id: string };

serveThread<LinkRulesThread>(hostRules(workerData as LinkRulesSettings));

function hostRules({ pageMs }: LinkRulesSettings): Hosted<LinkRulesThread> {
  const sites = createBoundedMap<string, Site>({ maxEntries: SITES_KEPT });
  /** Outlives the rules: those that cost too much are the first to be dropped. */
  const overruns = createBoundedMap<string, number>({ maxEntries: OVERRUNS_KEPT });
  const compiledRobots = createBoundedMap<string, RobotsRules>({ maxEntries: ROBOTS_KEPT });

  const siteOf = (rules: RulesToUse['site']): Site | undefined =>
    typeof rules === 'string' ? sites.get(rules) : sites.getOrCreate(rules.id, () => openSite(rules));

  /** Undefined if the rules are not known. */
  const robotsOf = (asked: SiteRobots | undefined): Frontier['robots'] | undefined => {
    if (!asked) return () => true;
    const { id, origin, rules } = asked;
    const known = rules ? compiledRobots.getOrCreate(id, () => compileRules(rules)) : compiledRobots.get(id);
    return known && ((url) => url.origin !== origin || known.allows(url));
  };

  const withRules = <T>(rules: RulesToUse, work: (frontier: Frontier) => T): T | 'unknown' => {
    const site = siteOf(rules.site);
    const robots = robotsOf(rules.robots);
    if (!site || !robots) return 'unknown';
    const before = overruns.get(site.id) ?? 0;
    const budget = processorBudget(before < MAX_OVERRUNS ? pageMs : 0);
    const result = work({ ...site, robots, budget });
    if (budget.isSpent()) overruns.set(site.id, before + 1);
    if (getHeapStatistics().used_heap_size > MAX_HEAP_BYTES) sites.clear();
    return result;
  };

  return {
    checkStart: (site) => checkStart(site, pageMs),
    discover: (rules, { from, ...page }) =>
      withRules(rules, (frontier) =>
        discoverTasks({ ...frontier, ...page, from: { ...from, url: new URL(from.url) } }),
      ),
    seed: (rules, seeds) => withRules(rules, (frontier) => seedTasks(seeds, frontier)),
    decide: (rules, urls) => withRules(rules, (frontier) => urls.map((url) => decideUrl(url, frontier))),
  };
}

function openSite({ id, scope, keyRules, start, home }: SiteRules): Site {
  const pathRules = compilePathRules(scope);
  return {
    id,
    scope: createScope({ ...scope, pathRules }, new URL(start), new URL(home)),
    keyRules,
    memory: createLinkMemory(LINKS_REMEMBERED),
  };
}

function decideUrl(text: string, { scope, budget }: Frontier): ScopeDecision {
  const url = URL.parse(text);
  return url ? scope.decide(url, { isHome: true }, budget) : 'out';
}

/** Errors lose their class between threads, so a refusal is an answer. */
function checkStart({ scope, start }: SiteRules, ms: number): boolean | ErrorDetail {
  try {
    const isIncluded = compilePathRules(scope).allows(new URL(start), processorBudget(ms));
    return isIncluded ?? { code: 'too_expensive', path: ['url'], message: NOT_COMPARABLE };
  } catch (error) {
    if (error instanceof ServiceError) return (error.details as ErrorDetail[])[0]!;
    throw error;
  }
}

const NOT_COMPARABLE = `The URL cannot be compared with \`includePaths\` and \`excludePaths\`: it has more than ${MAX_TEXT} characters, or the expressions take too long. Use a shorter URL, or fewer and simpler expressions.`;

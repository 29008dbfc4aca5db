// Judges links by the rules of crawls and sites, which it keeps compiled. The same for links that are judged where they are, and
// for those that a thread judges.
import type { NewTask } from '../../store/ports/jobs/job-queue.ts';
import { createBoundedMap } from '../../util/bounded-map.ts';
import { processorBudget } from '../../util/work-budget.ts';
import { compileRules, type RobotsRules, type RobotsSource } from '../robots/robots-rules.ts';
import { type DiscoverInput, discoverTasks, type Frontier, type Seed, seedTasks } from './frontier.ts';
import { createLinkMemory } from './link-memory.ts';
import { compilePathRules, type PathRulesOptions } from './path-rules.ts';
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

/** Rules that the judge should know are only named. */
export interface RulesToUse {
  site: string | SiteRules;
  robots?: SiteRobots;
}

export type LinkedPage = Pick<DiscoverInput, 'links' | 'next' | 'maxDepth'> & {
  from: Omit<DiscoverInput['from'], 'url'> & { url: string };
};

export interface LinkJudge {
  /** `unknown` asks for the call again, with all rules. */
  discover(rules: RulesToUse, page: LinkedPage): NewTask[] | 'unknown';
  seed(rules: RulesToUse, seeds: readonly Seed[]): NewTask[] | 'unknown';
  /** As if the URLs had been found on the start page. */
  decide(rules: RulesToUse, urls: readonly string[]): ScopeDecision[] | 'unknown';
  /** Forgets all rules and links. */
  forget(): void;
}

export interface LinkJudgeOptions {
  /** Milliseconds of processor time for the links of one page. */
  pageMs: number;
  sitesKept: number;
  /** For each site. A remembered link takes about a kilobyte. */
  linksRemembered: number;
}

/** A page that exceeds its budget once is an accident; rules that always do must not keep the thread busy. */
const MAX_OVERRUNS = 10;
const OVERRUNS_KEPT = 1_000;
const ROBOTS_KEPT = 64;

type Site = Pick<Frontier, 'scope' | 'keyRules' | 'memory'> & { id: string };

export function createLinkJudge({ pageMs, sitesKept, linksRemembered }: LinkJudgeOptions): LinkJudge {
  const sites = createBoundedMap<string, Site>({ maxEntries: sitesKept });
  /** Outlives the rules: those that cost too much are the first to be dropped. */
  const overruns = createBoundedMap<string, number>({ maxEntries: OVERRUNS_KEPT });
  const compiledRobots = createBoundedMap<string, RobotsRules>({ maxEntries: ROBOTS_KEPT });

  const siteOf = (rules: RulesToUse['site']): Site | undefined =>
    typeof rules === 'string' ? sites.get(rules) : sites.getOrCreate(rules.id, () => openSite(rules, linksRemembered));

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
    return result;
  };

  return {
    discover: (rules, { from, ...page }) =>
      withRules(rules, (frontier) =>
        discoverTasks({ ...frontier, ...page, from: { ...from, url: new URL(from.url) } }),
      ),
    seed: (rules, seeds) => withRules(rules, (frontier) => seedTasks(seeds, frontier)),
    decide: (rules, urls) => withRules(rules, (frontier) => urls.map((url) => decideUrl(url, frontier))),
    forget() {
      sites.clear();
      compiledRobots.clear();
    },
  };
}

function openSite({ id, scope, keyRules, start, home }: SiteRules, linksRemembered: number): Site {
  const pathRules = compilePathRules(scope);
  return {
    id,
    scope: createScope({ ...scope, pathRules }, new URL(start), new URL(home)),
    keyRules,
    memory: createLinkMemory(linksRemembered),
  };
}

function decideUrl(text: string, { scope, budget }: Frontier): ScopeDecision {
  const url = URL.parse(text);
  return url ? scope.decide(url, { isHome: true }, budget) : 'out';
}

// Decides which links belong to a crawl or a map. What a caller's expressions or a site's robots.txt could make expensive is
// decided in a thread, which starts when it is needed and ends when it is idle. The rest costs less than the messages would.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { remotePort, startThread, type Thread } from '../../runtime/threads/thread.ts';
import type { NewTask } from '../../store/ports/jobs/job-queue.ts';
import type { RobotsRules } from '../robots/robots-rules.ts';
import type { Seed } from './frontier.ts';
import { createLinkJudge, type LinkedPage, type LinkJudge, type RulesToUse, type SiteRules } from './link-judge.ts';
import type { LinkRulesSettings, LinkRulesThread } from './link-rules-thread.ts';
import type { ScopeDecision } from './scope.ts';

/** The rules of the site whose robots.txt was read. Links to other sites are compared when they are fetched. */
export interface KnownRobots {
  origin: string;
  rules: RobotsRules;
}

export interface LinkRules {
  /** Whether the path rules include the start page. Throws ServiceError BAD_REQUEST for rules that cannot be used. */
  includesStart(site: SiteRules): Promise<boolean>;
  /** The tasks that the links of a page lead to. */
  discover(site: SiteRules, page: LinkedPage, robots?: KnownRobots): Promise<NewTask[]>;
  /** The tasks for URLs of sitemaps. */
  seed(site: SiteRules, seeds: readonly Seed[], robots?: KnownRobots): Promise<NewTask[]>;
  /** Decides about URLs as if they had been found on the start page. */
  decide(site: SiteRules, urls: readonly string[]): Promise<ScopeDecision[]>;
  close(): Promise<void>;
}

/** As long as an idle page thread: it starts in tenths of a second. */
const IDLE_MS = 30_000;
const PAGE_MS = 500;
const OLD_MB = 512;
/** Links are judged here if they have so few characters together, and a robots.txt so few rules, compared in so few steps. */
const HERE = { characters: 10_000, rules: 500, steps: 200_000 };
/** Memory of the main thread. */
const KEPT_HERE = { sitesKept: 4, linksRemembered: 2_000 };

export function createLinkRules({ idleMs = IDLE_MS, pageMs = PAGE_MS } = {}): LinkRules {
  let thread: Thread | undefined;
  let idle: NodeJS.Timeout | undefined;
  const here = createLinkJudge({ pageMs, ...KEPT_HERE });

  const start = () =>
    startThread(new URL('./link-rules-thread.ts', import.meta.url), {
      workerData: { pageMs } satisfies LinkRulesSettings,
      maxOldGenerationSizeMb: OLD_MB,
      onCrash: () => {
        thread = undefined;
      },
    });
  const end = async () => {
    clearTimeout(idle);
    const open = thread;
    thread = undefined;
    await open?.terminate();
  };
  const remote = remotePort<LinkRulesThread>(async (...call) => {
    clearTimeout(idle);
    thread ??= start();
    const used = thread;
    try {
      return await used.call(...call);
    } finally {
      // Calls overlap: the timer of an earlier one, or of a thread that is gone, must not end a thread in use.
      clearTimeout(idle);
      idle = setTimeout(() => void (used === thread && used.pending === 0 && end()), idleMs).unref();
    }
  });

  /** The thread gets rules only when it does not know them. One that died of another crawl's rules knows nothing. */
  async function ask<T>(
    { site, urls, robots }: Question,
    call: (judge: Judge, rules: RulesToUse) => T | 'unknown' | Promise<T | 'unknown'>,
  ): Promise<T> {
    const named = robots && { id: robots.rules.source.id, origin: robots.origin };
    const all = { site, robots: named && { ...named, rules: robots.rules.source.rules } };
    if (isCheap({ site, urls, robots })) return (await call(here, all)) as T;
    const callByName = async () => call(remote, { site: site.id, robots: named });
    const answer = await callByName().catch((): 'unknown' => 'unknown');
    return answer === 'unknown' ? ((await call(remote, all)) as T) : answer;
  }

  return {
    async includesStart(site) {
      if (!hasExpressions(site)) return true;
      const answer = await remote.checkStart(site);
      if (typeof answer === 'boolean') return answer;
      throw new ServiceError('BAD_REQUEST', { message: answer.message, details: [answer] });
    },
    discover: (site, page, robots) =>
      ask({ site, urls: [...page.links, ...page.next], robots }, (judge, rules) => judge.discover(rules, page)),
    seed: (site, seeds, robots) =>
      ask({ site, urls: seeds.map(({ url }) => url), robots }, (judge, rules) => judge.seed(rules, seeds)),
    decide: (site, urls) => ask({ site, urls }, (judge, rules) => judge.decide(rules, urls)),
    close: end,
  };
}

/** The one that is here answers at once. */
type Judge = {
  [Name in 'discover' | 'seed' | 'decide']: (
    ...args: Parameters<LinkJudge[Name]>
  ) => ReturnType<LinkJudge[Name]> | Promise<ReturnType<LinkJudge[Name]>>;
};

interface Question {
  site: SiteRules;
  urls: readonly string[];
  robots?: KnownRobots | undefined;
}

const hasExpressions = ({ scope: { includePaths, excludePaths } }: SiteRules): boolean =>
  includePaths.length + excludePaths.length > 0;

function isCheap({ site, urls, robots }: Question): boolean {
  const lengths = urls.map(({ length }) => length);
  const characters = lengths.reduce((sum, length) => sum + length, 0);
  if (hasExpressions(site) || characters > HERE.characters) return false;
  if (!robots) return true;
  const { source, stepsFor } = robots.rules;
  const steps = lengths.length * stepsFor(Math.max(0, ...lengths));
  return source.rules.length <= HERE.rules && steps <= HERE.steps;
}

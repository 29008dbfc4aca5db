// Decides which links belong to a crawl or a map, in a thread of its own: neither a caller's expressions nor a site's
// robots.txt can block the event loop. The thread starts with the first call and ends when it is idle.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { remotePort, startThread, type Thread } from '../../runtime/threads/thread.ts';
import type { NewTask } from '../../store/ports/jobs/job-queue.ts';
import type { RobotsRules } from '../robots/robots-rules.ts';
import type { Seed } from './frontier.ts';
import type { LinkedPage, LinkRulesSettings, LinkRulesThread, RulesToUse, SiteRules } from './link-rules-thread.ts';
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

export function createLinkRules({ idleMs = IDLE_MS, pageMs = PAGE_MS } = {}): LinkRules {
  let thread: Thread | undefined;
  let idle: NodeJS.Timeout | undefined;

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

  /** Sends rules only when the thread does not know them. A thread that died of another crawl's rules knows nothing. */
  async function ask<T>(
    site: SiteRules,
    known: KnownRobots | undefined,
    call: (rules: RulesToUse) => Promise<T | 'unknown'>,
  ): Promise<T> {
    const robots = known && { id: known.rules.source.id, origin: known.origin };
    const answer = await call({ site: site.id, robots }).catch((): 'unknown' => 'unknown');
    if (answer !== 'unknown') return answer;
    const all = { site, robots: robots && { ...robots, rules: known!.rules.source.rules } };
    return (await call(all)) as T;
  }

  return {
    async includesStart(site) {
      const answer = await remote.checkStart(site);
      if (typeof answer === 'boolean') return answer;
      throw new ServiceError('BAD_REQUEST', { message: answer.message, details: [answer] });
    },
    discover: (site, page, robots) => ask(site, robots, (rules) => remote.discover(rules, page)),
    seed: (site, seeds, robots) => ask(site, robots, (rules) => remote.seed(rules, seeds)),
    decide: (site, urls) => ask(site, undefined, (rules) => remote.decide(rules, urls)),
    close: end,
  };
}

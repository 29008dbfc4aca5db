// The thread that compares links with the rules of callers and sites. Expressions and robots.txt patterns can be made to
// take long; here they delay only other links, and no page may use more than its budget.
import { getHeapStatistics } from 'node:v8';
import { workerData } from 'node:worker_threads';
import { type ErrorDetail, ServiceError } from '../../contracts/errors/errors.ts';
import { type Hosted, serveThread } from '../../runtime/threads/thread.ts';
import type { NewTask } from '../../store/ports/jobs/job-queue.ts';
import { processorBudget } from '../../util/work-budget.ts';
import type { Seed } from './frontier.ts';
import { createLinkJudge, type LinkedPage, type RulesToUse, type SiteRules } from './link-judge.ts';
import { compilePathRules, MAX_TEXT } from './path-rules.ts';
import type { ScopeDecision } from './scope.ts';

export interface LinkRulesSettings {
  /** Milliseconds of processor time for the links of one page, and for the start page. */
  pageMs: number;
}

/** The judge as a thread, which can also check expressions. */
export interface LinkRulesThread {
  /** Whether the path rules include the start page, or why they cannot be used. */
  checkStart(site: SiteRules): Promise<boolean | ErrorDetail>;
  discover(rules: RulesToUse, page: LinkedPage): Promise<NewTask[] | 'unknown'>;
  seed(rules: RulesToUse, seeds: readonly Seed[]): Promise<NewTask[] | 'unknown'>;
  decide(rules: RulesToUse, urls: readonly string[]): Promise<ScopeDecision[] | 'unknown'>;
}

const KEPT = { sitesKept: 16, linksRemembered: 8_000 };
/** The tables that expressions build while they match are dropped above this. */
const MAX_HEAP_BYTES = 160 * 1024 * 1024;

serveThread<LinkRulesThread>(hostRules(workerData as LinkRulesSettings));

function hostRules({ pageMs }: LinkRulesSettings): Hosted<LinkRulesThread> {
  const judge = createLinkJudge({ pageMs, ...KEPT });
  const withinHeap = <T>(judged: T): T => {
    if (getHeapStatistics().used_heap_size > MAX_HEAP_BYTES) judge.forget();
    return judged;
  };
  return {
    checkStart: (site) => checkStart(site, pageMs),
    discover: (rules, page) => withinHeap(judge.discover(rules, page)),
    seed: (rules, seeds) => withinHeap(judge.seed(rules, seeds)),
    decide: (rules, urls) => withinHeap(judge.decide(rules, urls)),
  };
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

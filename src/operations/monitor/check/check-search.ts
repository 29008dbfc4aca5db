// Checks a search target: asks all queries, leaves out what earlier checks have seen, and judges the rest by the goal.
import type { TargetResult } from '../../../contracts/monitor/monitor-check.ts';
import type { SearchTarget, SearchWindow } from '../../../contracts/monitor/monitor-targets.ts';
import { searchPrice } from '../../../contracts/prices.ts';
import type { CheckedPage, KnownPage } from '../../../store/ports/runs/monitor-store.ts';
import type { JudgedResult } from '../../../understand/prompts/tasks/judge-results.ts';
import { uuidv7 } from '../../../util/ids.ts';
import { createWebTools } from '../../gather/create-web-tools.ts';
import { type FoundPage, isRefused, type WebTools } from '../../gather/web-tools.ts';
import { addressKey } from '../../search/search-source.ts';
import type { CheckContext } from './check-context.ts';
import { pageEvents } from './check-events.ts';
import type { CheckedTarget } from './check-pages.ts';
import { NO_DETAILS } from './compare-page.ts';
import { judgeResults } from './judge-results.ts';

/** Search engines know whole hours and days: the smallest window that contains what was asked for. */
const TBS: Record<SearchWindow, string> = {
  '5m': 'qdr:h',
  '15m': 'qdr:h',
  '1h': 'qdr:h',
  '6h': 'qdr:h6',
  '24h': 'qdr:d',
  '7d': 'qdr:w',
};

/** What a target remembers of a result. */
interface SeenResult {
  status: JudgedResult['status'];
  title?: string;
  description?: string;
}

export async function checkSearch(context: CheckContext, target: SearchTarget): Promise<CheckedTarget> {
  const web = createWebTools(context.deps, {
    run: context.tools,
    caller: context.caller,
    partOf: { operation: 'monitor', job: context.run.id },
    limits: { maxPagesPerHost: Number.MAX_SAFE_INTEGER, maxCredits: Number.MAX_SAFE_INTEGER },
    zeroDataRetention: false,
    baseUrl: context.request.definition.baseUrl,
  });
  const { results, credits, problem } = await findResults(web, target);
  const saved = await saveResults(context, target, results);
  const result: TargetResult = {
    targetId: target.id,
    type: 'search',
    searchCompleted: problem === undefined,
    resultCount: results.length,
    matches: saved.matches,
    summary: summaryOf(results.length, saved.matches, problem),
    judgeDegraded: saved.degraded !== undefined,
    degradedReason: saved.degraded ?? null,
    searchCredits: credits,
    judgeCredits: saved.credits,
    resultsJudged: saved.judged,
  };
  return { result, isFailed: problem !== undefined };
}

const summaryOf = (count: number, matches: number, problem: string | undefined): string =>
  `${count} results, ${matches} of them new and what the goal asks for.${problem === undefined ? '' : ` ${problem}`}`;

interface FoundResults {
  results: FoundPage[];
  credits: number;
  /** Why a query has no answer. */
  problem?: string;
}

/** The best results of each query in turn, each page once. */
async function findResults(web: WebTools, target: SearchTarget): Promise<FoundResults> {
  const { queries, searchWindow, maxResults, includeDomains, excludeDomains } = target;
  const options = { limit: maxResults, tbs: TBS[searchWindow], hosts: includeDomains, excludedHosts: excludeDomains };
  const lists: FoundPage[][] = [];
  let problem: string | undefined;
  for (const query of queries) {
    const found = await web.search(query, options);
    if (isRefused(found)) problem ??= found.refused;
    else lists.push(found);
  }
  const byAddress = new Map<string, FoundPage>();
  for (let rank = 0; rank < maxResults; rank++) {
    for (const list of lists) {
      const found = list[rank];
      const key = found && addressKey(found.url);
      if (found && key !== undefined && !byAddress.has(key)) byAddress.set(key, found);
    }
  }
  const results = [...byAddress.values()].slice(0, maxResults);
  const credits = lists.reduce((sum, list) => sum + searchPrice(list.length, { isTraceless: false }), 0);
  return { results, credits, ...(problem !== undefined && { problem }) };
}

interface SavedResults {
  matches: number;
  judged: number;
  credits: number;
  degraded?: string;
}

/** There are at most fifty, so they are one step. */
function saveResults(context: CheckContext, target: SearchTarget, results: FoundPage[]): Promise<SavedResults> {
  const { deps, run, tools, request } = context;
  return tools.step<SavedResults>({ key: `results ${target.id}`, name: 'judge' }, async (signal) => {
    const now = deps.clock.now();
    const known = await Promise.all(
      results.map(({ url }) => deps.monitors.knownVersion(request.monitorId, target.id, addressKey(url))),
    );
    const fresh = results.filter((result, at) => isFresh(result, known[at]));
    const spending = { tokens: 0, credits: 0 };
    const makers = deps.understander.tools({ asker: { team: run.teamId }, isPrivate: false, spending }, signal);
    const { goal, judgeEnabled } = request.definition;
    const judging = judgeEnabled && goal !== undefined ? await judgeResults(fresh, goal, makers) : undefined;
    const pages = results.map((result): CheckedPage => {
      const at = fresh.indexOf(result);
      const verdict = at === -1 ? undefined : (judging?.verdicts[at] ?? WANTED);
      return checkedResult(target, result, verdict, now);
    });
    const versions = fresh.map((result, at): KnownPage & { targetId: string } => ({
      targetId: target.id,
      url: addressKey(result.url),
      version: seenResult(result, judging?.verdicts[at] ?? WANTED),
      isGone: false,
      seenAt: now,
    }));
    const saved = await deps.monitors.savePages(run.id, pages, versions);
    const credits = judging?.byModel ?? 0;
    return {
      output: {
        matches: saved.filter(({ status }) => status === 'new').length,
        judged: judging ? fresh.length : 0,
        credits,
        ...(judging?.degraded !== undefined && { degraded: judging.degraded }),
      },
      credits,
      tokens: spending.tokens,
      events: pageEvents(context, saved),
    };
  });
}

/** Without a judge, every new result is wanted. */
const WANTED: JudgedResult = { status: 'alert', reason: '' };

/** One that was in doubt is judged again when it says something else. */
function isFresh({ title, description }: FoundPage, known: KnownPage | undefined): boolean {
  if (!known) return true;
  const seen = known.version as SeenResult | undefined;
  return seen?.status === 'watching' && (seen.title !== title || seen.description !== description);
}

const seenResult = ({ title, description }: FoundPage, { status }: JudgedResult): SeenResult => ({
  status,
  ...(title !== undefined && { title }),
  ...(description !== undefined && { description }),
});

function checkedResult(
  target: SearchTarget,
  { url, title, description }: FoundPage,
  verdict: JudgedResult | undefined,
  now: number,
): CheckedPage {
  const searchStatus = verdict?.status ?? 'already_seen';
  const isMatch = searchStatus === 'alert';
  const metadata = { ...(title && { title }), ...(description && { description }), searchStatus };
  const judgment = verdict?.reason
    ? { meaningful: isMatch, confidence: 'medium' as const, reason: verdict.reason, meaningfulChanges: [] }
    : null;
  return {
    id: uuidv7(now),
    targetId: target.id,
    url,
    status: isMatch ? 'new' : 'same',
    details: { ...NO_DETAILS, metadata, judgment },
    createdAt: now,
  };
}

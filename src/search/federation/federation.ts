// Federated search: asks all suitable providers at the same time, each within its time limit, and page by page until
// enough results are kept.

import { type Category, NO_CONDITIONS } from '../../contracts/search/search-query.ts';
import type { Egress } from '../../net/egress.ts';
import type { PageOwner } from '../../page/page-owner.ts';
import type { Log } from '../../runtime/log.ts';
import { raceAbort, startDeadline } from '../../util/abort.ts';
import type { Clock } from '../../util/clock.ts';
import type { Provider, ProviderContext, ProviderQuery, ProviderResult } from '../providers/provider.ts';
import type { ProviderName, ProviderSettings } from '../providers/provider-names.ts';
import { NoAnswerInTime, ProviderProblem } from '../providers/provider-problem.ts';
import { parseQuery } from '../query/query.ts';
import { createAnswerCache } from './answer-cache.ts';
import { accessOf, chooseProviders, isConfigured, isUsed, obstacleTo } from './choose-providers.ts';
import { createGuardedProvider, type GuardedProvider } from './guarded-provider.ts';
import { NEVER_ASKED, type ProviderHealth } from './provider-health.ts';
import type { ProviderRun } from './provider-run.ts';

export interface FederationRequest extends Omit<ProviderQuery, 'count' | 'page'> {
  /** How many results to keep from each provider. */
  wanted: number;
  /** Why to drop a result; undefined keeps it. */
  rejectionOf(result: ProviderResult, provider: Provider): string | undefined;
  /** Only these providers, if the settings allow them; absent: all that suit. */
  among?: readonly ProviderName[];
  /** Whose answers may be cached and given. Undefined: the answers must not be cached. */
  retainFor: PageOwner | undefined;
  /** The caller's remaining time, most of which may be spent here. Without it each provider has its usual limit. */
  timeLeftMs?: number;
}

export interface Federation {
  /** One run per provider, in the order of the settings. Rejects only when `signal` aborts. */
  ask(request: FederationRequest, signal: AbortSignal): Promise<ProviderRun[]>;
  /** All providers that there are, also those that these settings do not use. */
  list(): Promise<ListedProvider[]>;
  /** Asks one provider something small, also while it is paused. Undefined if no provider has this name. */
  test(name: string, signal: AbortSignal): Promise<ProviderTest | undefined>;
}

export interface ListedProvider extends ProviderHealth {
  name: string;
  label: string;
  sources: Provider['sources'];
  /** It is asked only when one of these categories is requested. */
  categories: readonly Category[];
  hasKey: boolean;
  hasUrl: boolean;
  /** Whether searches ask it. */
  isUsed: boolean;
  /** Why these settings do not allow to ask it: follows its name and a colon. */
  obstacle?: string;
}

export interface ProviderTest {
  label: string;
  ms: number;
  results: number;
  /** Why it did not answer: follows its label and a colon. */
  problem?: string;
}

export interface FederationDeps {
  settings: ProviderSettings;
  egress: Pick<Egress, 'request'>;
  clock: Clock;
  log: Pick<Log, 'info' | 'warn'>;
  /** The headers with which pages are read. */
  pageHeaders?: ProviderContext['pageHeaders'];
  /** The operator's contact for the user agent: a URL or an e-mail address. */
  contact?: string;
  load?: () => Promise<readonly Provider[]>;
  /** How long one provider may take, at most. */
  limitMs: number;
}

/** The rest is left for what the caller does with the answers. */
const SHARE_OF_TIME = 0.8;
const MAX_PAGES = 5;

export function createFederation({ load = loadAll, ...deps }: FederationDeps): Federation {
  const { settings, limitMs } = deps;
  const cache = createAnswerCache(deps.clock);
  const guarded = new Map<string, GuardedProvider>();
  const guard = (provider: Provider): GuardedProvider => {
    const access = accessOf(settings, provider.name);
    const one =
      guarded.get(provider.name) ??
      createGuardedProvider(provider, { contact: undefined, pageHeaders: undefined, ...deps, access, cache });
    guarded.set(provider.name, one);
    return one;
  };

  return {
    async ask(request, signal) {
      const { query, conditions, source, now, wanted, timeLeftMs = Number.POSITIVE_INFINITY } = request;
      const question = { query, conditions, source, now, count: wanted, page: 0 };
      const providers = chooseProviders(await raceAbort(load(), signal), settings, question).filter(
        ({ name }) => request.among?.includes(name as ProviderName) ?? true,
      );
      const ms = Math.min(limitMs, timeLeftMs * SHARE_OF_TIME);
      return Promise.all(
        providers.map((provider) => {
          const { clauses } = provider.capabilities(source);
          const run = newRun(provider, clauses, isConfigured(accessOf(settings, provider.name)));
          if (ms < limitMs) run.isHurried = true;
          return ask({ provider, guarded: guard(provider), request, run, ms }, signal);
        }),
      );
    },
    async list() {
      return (await load()).map((provider) => {
        const { name, label, sources, onlyFor = [] } = provider;
        const { keys, url } = accessOf(settings, name);
        const obstacle = obstacleTo(provider, settings);
        return {
          ...{ name, label, sources, categories: onlyFor, hasKey: keys.length > 0, hasUrl: url !== undefined },
          isUsed: isUsed(provider, settings),
          ...(obstacle !== undefined && { obstacle }),
          ...(guarded.get(name)?.health() ?? NEVER_ASKED),
        };
      });
    },
    async test(name, signal) {
      const provider = (await raceAbort(load(), signal)).find((one) => one.name === name);
      if (!provider) return undefined;
      const obstacle = obstacleTo(provider, settings);
      if (obstacle !== undefined) return { label: provider.label, ms: 0, results: 0, problem: obstacle };
      const question = { ...testQuestion(provider), now: deps.clock.now() };
      return runTest(provider, guard(provider).test(question, { withinMs: limitMs }), signal);
    },
  };
}

const TEST_WORDS = 'open web';

/** A question that this provider covers. */
const testQuestion = ({ sources, onlyFor = [] }: Provider): Omit<ProviderQuery, 'now'> => ({
  query: parseQuery(TEST_WORDS),
  conditions: { ...NO_CONDITIONS, categories: onlyFor.slice(0, 1) },
  source: sources.includes('web') ? 'web' : sources[0]!,
  count: 1,
  page: 0,
});

async function runTest(
  { label }: Provider,
  asking: Promise<{ results: unknown[] }>,
  signal: AbortSignal,
): Promise<ProviderTest> {
  const began = performance.now();
  const ended = (results: number) => ({ label, ms: Math.round(performance.now() - began), results });
  try {
    return ended((await raceAbort(asking, signal)).results.length);
  } catch (error) {
    if (!(error instanceof ProviderProblem)) throw error;
    return { ...ended(0), problem: error.message };
  }
}

// Loaded on demand: an idle service does not need two dozen adapters in memory.
const loadAll = async () => (await import('../providers/registry.ts')).PROVIDERS;

interface ProviderTask {
  provider: Provider;
  guarded: GuardedProvider;
  request: FederationRequest;
  /** Filled in while the task runs. */
  run: ProviderRun;
  ms: number;
}

async function ask(task: ProviderTask, outer: AbortSignal): Promise<ProviderRun> {
  const { run, ms } = task;
  const began = performance.now();
  const time = startDeadline(ms, () => new NoAnswerInTime(), outer);
  try {
    await askPages(task, time.signal);
  } catch (error) {
    outer.throwIfAborted();
    if (!(error instanceof ProviderProblem)) throw error;
    // Some providers refuse the page after the last one.
    const isEnd = error.kind === 'refused' && run.kept.length + run.dropped.length > 0;
    if (!isEnd) fail(run, error instanceof NoAnswerInTime ? 'timed-out' : 'failed', error);
  } finally {
    time.done();
  }
  run.ms = Math.round(performance.now() - began);
  return run;
}

async function askPages({ provider, guarded, request, run, ms }: ProviderTask, signal: AbortSignal): Promise<void> {
  const { wanted, retainFor, query, conditions, source, now } = request;
  const { maxCount, maxPages } = provider.capabilities(source);
  const count = Math.min(wanted, maxCount);
  const options = {
    retainFor,
    withinMs: ms,
    onRequest: () => {
      run.requests += 1;
    },
  };
  const seen = new Set<string>();
  for (let page = 0; page < Math.min(maxPages, MAX_PAGES); page++) {
    const answer = await raceAbort(guarded.ask({ query, conditions, source, now, count, page }, options), signal);
    if ('pausedBy' in answer) {
      fail(run, 'resting', answer.pausedBy);
      return;
    }
    const before = seen.size;
    for (const result of answer.results) {
      const name = source === 'images' ? (result.imageUrl ?? result.url) : result.url;
      if (seen.has(name)) continue;
      seen.add(name);
      record(result, seen.size, run, request.rejectionOf(result, provider));
    }
    // Some providers repeat the last page instead of ending.
    if (!answer.hasMore || seen.size === before || run.kept.length >= wanted) return;
  }
}

function record(
  result: ProviderResult,
  rank: number,
  { kept, dropped }: ProviderRun,
  reason: string | undefined,
): void {
  if (reason === undefined) kept.push({ result, rank });
  else dropped.push({ url: result.url, reason, rank });
}

const newRun = ({ name, label }: Provider, clauses: ProviderRun['clauses'], isSetUp: boolean): ProviderRun => ({
  provider: name,
  label,
  isConfigured: isSetUp,
  clauses,
  state: 'answered',
  kept: [],
  dropped: [],
  ms: 0,
  requests: 0,
});

function fail(run: ProviderRun, state: ProviderRun['state'], { kind, message }: ProviderProblem): void {
  Object.assign(run, { state, problem: message, problemKind: kind });
}

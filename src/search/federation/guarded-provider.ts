// Wraps one provider with its keys, circuit breaker, pace, time limit and answer cache.

import type { Egress } from '../../net/egress.ts';
import type { PageOwner } from '../../page/page-owner.ts';
import { createCircuitBreaker } from '../../runtime/circuit-breaker.ts';
import type { Log } from '../../runtime/log.ts';
import { raceAbort, startDeadline } from '../../util/abort.ts';
import type { Clock } from '../../util/clock.ts';
import { hashOf } from '../../util/hash.ts';
import type { Provider, ProviderAnswer, ProviderContext, ProviderQuery } from '../providers/provider.ts';
import type { ProviderAccess } from '../providers/provider-names.ts';
import { NoAnswerInTime, PROBLEM_TEXTS, ProviderProblem } from '../providers/provider-problem.ts';
import type { AnswerCache } from './answer-cache.ts';
import { createFailureLog } from './failure-log.ts';
import { createKeyRing, type Key, type ProviderKeys } from './key-ring.ts';
import { createPace } from './pace.ts';
import { createProviderRecord, type ProviderHealth, type ProviderRecord } from './provider-health.ts';
import { createAsk } from './provider-http.ts';

export interface GuardedProvider {
  /** Returns `pausedBy` instead of an answer while the provider is paused. Throws ProviderProblem. */
  ask(question: ProviderQuery, options: AskOptions): Promise<ProviderAnswer | Paused>;
  /** Asks now, also while the provider or its keys are paused. An answer ends the pause. Throws ProviderProblem. */
  test(question: ProviderQuery, options: Pick<AskOptions, 'withinMs'>): Promise<ProviderAnswer>;
  health(): ProviderHealth;
}

export interface Paused {
  pausedBy: ProviderProblem;
}

export interface AskOptions {
  /** Whose answers the cache may give and keep. Undefined: it is neither read nor written. */
  retainFor: PageOwner | undefined;
  /** How long the caller can wait. */
  withinMs: number;
  onRequest(): void;
}

export interface GuardedProviderDeps {
  access: ProviderAccess;
  egress: Pick<Egress, 'request'>;
  cache: AnswerCache;
  clock: Clock;
  contact: string | undefined;
  pageHeaders: ProviderContext['pageHeaders'];
  log: Pick<Log, 'info' | 'warn'>;
  /** For one answer, including retries with other keys. */
  limitMs: number;
}

const MINUTE_MS = 60_000;
const KEEP_MS = 10 * MINUTE_MS;
/** After a failure that took longer, no search waits for the next trial. */
const SLOW_MS = 500;
const QUEUE_TOO_LONG = 'too many searches wait for it, because it is asked only once a second';
/** More results than a request can ask for; further ones are ignored. */
const MAX_RESULTS = 200;

export function createGuardedProvider(provider: Provider, deps: GuardedProviderDeps): GuardedProvider {
  const { access, egress, cache, clock, contact, pageHeaders, limitMs } = deps;
  const url = access.url ?? provider.url ?? '';
  const ask = createAsk(egress, { route: access.url === undefined ? 'provider' : 'operator', contact, clock });
  const keys = createKeyRing(access.keys, clock);
  const breaker = createCircuitBreaker(clock);
  const pace = provider.everyMs === undefined ? undefined : createPace(clock, provider.everyMs);
  const failures = createFailureLog(provider.name, deps.log);
  const record = createProviderRecord(clock);
  let lastFailure = { problem: new ProviderProblem('down', 'it could not be asked'), wasSlow: false };

  /** Whether another key may help. */
  const isKeyProblem = ({ kind }: ProviderProblem) => kind === 'quota' || (kind === 'key' && access.keys.length > 0);
  /** The provider works: keys are paused on their own, and a refusal concerns only this question. */
  const isHealthy = (problem: ProviderProblem) => problem.kind === 'refused' || isKeyProblem(problem);

  const askWithKeys = createKeyedAsk({
    ...{ provider, keys, record, isKeyProblem },
    onPaused: (problem) =>
      failures.report(problem, access.keys.length > 0 ? 'search provider key paused' : 'search provider paused'),
  });

  const run = async (
    question: ProviderQuery,
    { onRequest, tried = keys.ready() }: RunOptions,
  ): Promise<ProviderAnswer> => {
    const began = performance.now();
    const time = startDeadline(limitMs, () => new NoAnswerInTime());
    const context = { url, engine: access.engine, ask, pageHeaders, signal: time.signal };
    try {
      const { results, hasMore } = await raceAbort(askWithKeys(tried, question, context, onRequest), time.signal);
      breaker.succeeded();
      record.answered();
      failures.end();
      return { results: results.slice(0, MAX_RESULTS), hasMore };
    } catch (error) {
      const problem = problemOf(error);
      if (problem.kind !== 'refused') record.failed(problem);
      if (isHealthy(problem)) {
        breaker.succeeded();
      } else {
        lastFailure = { problem, wasSlow: performance.now() - began > SLOW_MS };
        breaker.failed(problem.retryAfterMs);
        failures.report(problem, 'search provider failed');
      }
      throw problem;
    } finally {
      time.done();
    }
  };

  /** Waits for the provider's next turn, if it has a pace. A queue that is too long does not count as a failure of the provider. */
  const runInTurn = async (question: ProviderQuery, options: TurnOptions): Promise<ProviderAnswer> => {
    if (pace && !(await pace.takeTurn(options.withinMs))) throw new ProviderProblem('quota', QUEUE_TOO_LONG);
    return run(question, options);
  };

  return {
    async ask(question, options) {
      const { retainFor } = options;
      const cacheKey = retainFor === undefined ? undefined : keyOf(retainFor, provider.name, question);
      const known = cacheKey && cache.find(cacheKey);
      if (known) return known;
      if (keys.ready().length === 0) return { pausedBy: keys.problem ?? lastFailure.problem };
      const entry = breaker.enter();
      if (entry === 'open') return { pausedBy: lastFailure.problem };
      if (entry === 'trial' && lastFailure.wasSlow) {
        // The trial of a slow provider runs in the background, so that this search need not wait for it.
        runInTurn(question, options).catch(() => {});
        return { pausedBy: lastFailure.problem };
      }
      // The request ends only by its own time limit: other searches may share it, and the breaker needs its outcome.
      const request = runInTurn(question, options);
      if (cacheKey) cache.share(cacheKey, request, keepMsOf(question));
      return request;
    },
    test: (question, { withinMs }) => runInTurn(question, { withinMs, onRequest() {}, tried: keys.all() }),
    health: () => record.health(keys.pausedUntil() ?? breaker.pausedUntil()),
  };
}

interface KeyedAskDeps {
  provider: Provider;
  keys: ProviderKeys;
  record: ProviderRecord;
  /** Whether another key may help. */
  isKeyProblem(problem: ProviderProblem): boolean;
  onPaused(problem: ProviderProblem): void;
}

/** Tries the keys in turn, as long as the key is the problem. */
function createKeyedAsk({ provider, keys, record, isKeyProblem, onPaused }: KeyedAskDeps) {
  return async (
    tried: readonly Key[],
    question: ProviderQuery,
    context: Omit<ProviderContext, 'key'>,
    onRequest: () => void,
  ): Promise<ProviderAnswer> => {
    let problem = keys.problem;
    for (const key of tried) {
      onRequest();
      record.asked();
      try {
        const answer = await provider.search(question, { ...context, key: key.value });
        keys.resume(key);
        return answer;
      } catch (error) {
        problem = problemOf(error);
        if (!isKeyProblem(problem)) throw problem;
        keys.pause(key, problem);
        onPaused(problem);
      }
    }
    throw problem;
  };
}

interface RunOptions {
  onRequest(): void;
  /** By default all keys that are not paused. */
  tried?: readonly Key[];
}

type TurnOptions = RunOptions & Pick<AskOptions, 'withinMs'>;

/** An unexpected error in an adapter means an unexpected answer. */
const problemOf = (error: unknown): ProviderProblem =>
  error instanceof ProviderProblem
    ? error
    : new ProviderProblem('malformed', PROBLEM_TEXTS.malformed, { cause: error });

/** Covers everything that affects the answer. Time ranges relative to now count by preset, or rounded to the minute. */
function keyOf(owner: PageOwner, name: string, { query, conditions, source, count, page }: ProviderQuery): string {
  const { time, ...others } = conditions;
  const span = time?.preset ?? [time?.from, time?.until].map((end) => end && Math.floor(end / MINUTE_MS));
  return hashOf(owner, name, query, others, span, source, count, page);
}

const keepMsOf = ({ conditions: { time } }: ProviderQuery): number => (time?.preset === 'hour' ? MINUTE_MS : KEEP_MS);

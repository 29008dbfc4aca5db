// One provider with everything that stands around it: its keys, its circuit breaker, its time limit and what it answered before.
import type { Egress } from '../../net/egress.ts';
import { deadline, raceAbort } from '../../util/abort.ts';
import type { Clock } from '../../util/clock.ts';
import { hashOf } from '../../util/hash.ts';
import type { Log } from '../../util/log.ts';
import type { Provider, ProviderAnswer, ProviderContext, ProviderQuery } from '../providers/provider.ts';
import type { ProviderAccess } from '../providers/provider-names.ts';
import { NoAnswerInTime, ProviderProblem } from '../providers/provider-problem.ts';
import type { AnswerCache } from './answer-cache.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import { createKeyRing } from './key-ring.ts';
import { createAsk } from './provider-http.ts';

export interface GuardedProvider {
  /** `resting` instead of an answer: it is left alone, because of this. Throws ProviderProblem. */
  ask(question: ProviderQuery, options: AskOptions): Promise<ProviderAnswer | Paused>;
}

export interface Paused {
  pausedBy: ProviderProblem;
}

export interface AskOptions {
  /** False: the question is neither answered from memory nor remembered. */
  retain: boolean;
  onRequest(): void;
}

export interface GuardedProviderDeps {
  access: ProviderAccess;
  egress: Pick<Egress, 'request'>;
  cache: AnswerCache;
  clock: Clock;
  contact: string | undefined;
  log: Pick<Log, 'warn'>;
  /** For one answer, whatever keys it takes. */
  limitMs: number;
}

const MINUTE_MS = 60_000;
const KEEP_MS = 10 * MINUTE_MS;
/** A failure that took longer is one that a search should not wait for again. */
const SLOW_MS = 500;
/** More than anyone can ask for; what providers send beyond it is not read. */
const MAX_RESULTS = 200;

export function createGuardedProvider(provider: Provider, deps: GuardedProviderDeps): GuardedProvider {
  const { access, egress, cache, clock, contact, log, limitMs } = deps;
  const url = access.url ?? provider.url ?? '';
  const ask = createAsk(egress, { route: access.url === undefined ? 'direct' : 'operator', contact, clock });
  const keys = createKeyRing(access.keys, clock);
  const breaker = createCircuitBreaker(clock);
  let lastFailure = { problem: new ProviderProblem('down', 'it could not be asked'), wasSlow: false };

  /** Without a key there is none to blame. */
  const isKeyProblem = ({ kind }: ProviderProblem) => kind === 'quota' || (kind === 'key' && access.keys.length > 0);
  /** Its keys rest by themselves, and another question may please it. */
  const isHealthy = (problem: ProviderProblem) => problem.kind === 'refused' || isKeyProblem(problem);

  /** Every key in turn, as long as it is the key that stands in the way. */
  const askWithKeys = async (question: ProviderQuery, context: Omit<ProviderContext, 'key'>, onRequest: () => void) => {
    let problem = keys.problem;
    for (const key of keys.ready()) {
      onRequest();
      try {
        return await provider.search(question, { ...context, key: key.value });
      } catch (error) {
        problem = problemOf(error);
        if (!isKeyProblem(problem)) throw problem;
        keys.pause(key, problem);
        log.warn({ provider: provider.name, problem: problem.message }, 'a key of a search provider rests');
      }
    }
    throw problem;
  };

  const run = async (question: ProviderQuery, onRequest: () => void): Promise<ProviderAnswer> => {
    const began = performance.now();
    const time = deadline(limitMs, () => new NoAnswerInTime());
    const context = { url, engine: access.engine, ask, signal: time.signal };
    try {
      const { results, hasMore } = await raceAbort(askWithKeys(question, context, onRequest), time.signal);
      breaker.succeeded();
      return { results: results.slice(0, MAX_RESULTS), hasMore };
    } catch (error) {
      const problem = problemOf(error);
      if (isHealthy(problem)) {
        breaker.succeeded();
      } else {
        lastFailure = { problem, wasSlow: performance.now() - began > SLOW_MS };
        breaker.failed(problem.retryAfterMs);
        log.warn({ provider: provider.name, problem: problem.message }, 'a search provider failed');
      }
      throw problem;
    } finally {
      time.done();
    }
  };

  return {
    async ask(question, { retain, onRequest }) {
      const cacheKey = keyOf(provider.name, question);
      const known = retain ? cache.find(cacheKey) : undefined;
      if (known) return known;
      if (keys.ready().length === 0) return { pausedBy: keys.problem ?? lastFailure.problem };
      const entry = breaker.enter();
      if (entry === 'open') return { pausedBy: lastFailure.problem };
      if (entry === 'trial' && lastFailure.wasSlow) {
        // Whoever let a search wait is tried behind the back of this one.
        run(question, onRequest).catch(() => {});
        return { pausedBy: lastFailure.problem };
      }
      // Others may come to wait for it too, and the breaker must learn how it ends: so it ends by its own limit alone.
      const request = run(question, onRequest);
      if (retain) cache.share(cacheKey, request, keepMsOf(question));
      return request;
    },
  };
}

/** Whatever an adapter trips over was not what the provider promised. */
const problemOf = (error: unknown): ProviderProblem =>
  error instanceof ProviderProblem
    ? error
    : new ProviderProblem('malformed', 'its answer is of another shape than expected', { cause: error });

/** Everything that changes the answer. Ranges that end now move all the time: a preset by its name, others by the minute. */
function keyOf(name: string, { query, conditions, source, count, page }: ProviderQuery): string {
  const { time, ...others } = conditions;
  const span = time?.preset ?? [time?.from, time?.until].map((end) => end && Math.floor(end / MINUTE_MS));
  return hashOf(name, query, others, span, source, count, page);
}

const keepMsOf = ({ conditions: { time } }: ProviderQuery): number => (time?.preset === 'hour' ? MINUTE_MS : KEEP_MS);

// Wraps a risk service with a time limit, a circuit breaker, cached answers, and one request for all who ask about the same
// URL. Keys of the cache are hashes: nothing of a URL stays in memory.

import { createCircuitBreaker } from '../../../runtime/circuit-breaker.ts';
import type { Log } from '../../../runtime/log.ts';
import { normaliseUrl } from '../../../urls/url.ts';
import { raceAbort, startDeadline } from '../../../util/abort.ts';
import { createBoundedMap } from '../../../util/bounded-map.ts';
import type { Clock } from '../../../util/clock.ts';
import { sha256 } from '../../../util/hash.ts';
import type { RiskAnswer, RiskService } from './risk-service.ts';

interface GuardDeps {
  clock: Pick<Clock, 'now'>;
  log: Pick<Log, 'info' | 'warn'>;
  limitMs?: number;
  maxAnswers?: number;
}

const LIMIT_MS = 2_000;
const MAX_ANSWERS = 20_000;
const KEEP_MS = 30 * 60_000;
const MAX_KEEP_MS = 24 * 3_600_000;

export function guardService(service: RiskService, deps: GuardDeps): RiskService {
  const { clock, log, limitMs = LIMIT_MS, maxAnswers = MAX_ANSWERS } = deps;
  const answers = createBoundedMap<string, number>({ maxEntries: maxAnswers, ttlMs: KEEP_MS, clock });
  const inFlight = new Map<string, Promise<RiskAnswer>>();
  const breaker = createCircuitBreaker(clock);
  let failing: string | undefined;

  const note = (failure: string | undefined) => {
    if (failure !== undefined && failing === undefined)
      log.warn({ service: service.name, failure }, 'risk service failed');
    if (failure === undefined && failing !== undefined) log.info({ service: service.name }, 'risk service works again');
    failing = failure;
  };

  const ask = async (url: URL): Promise<RiskAnswer> => {
    const time = startDeadline(limitMs, () => new DOMException('it did not answer in time', 'TimeoutError'));
    try {
      return await raceAbort(service.ask(url, time.signal), time.signal);
    } catch (error) {
      return { failure: error instanceof Error ? error.message : 'it could not be asked' };
    } finally {
      time.done();
    }
  };

  const run = async (key: string, url: URL): Promise<RiskAnswer> => {
    const answer = await ask(url);
    if ('failure' in answer) {
      breaker.failed(answer.retryAfterMs);
      note(answer.failure);
    } else {
      breaker.succeeded();
      note(undefined);
      answers.set(key, answer.score, Math.min(answer.keepMs ?? KEEP_MS, MAX_KEEP_MS));
    }
    return answer;
  };

  return {
    ...service,
    async ask(url, signal) {
      const asked = withoutSecrets(url);
      const key = sha256(normaliseUrl(asked));
      const score = answers.get(key);
      if (score !== undefined) return { score };
      const running = inFlight.get(key);
      if (running) return raceAbort(running, signal);
      if (breaker.enter() === 'open') return { failure: failing ?? 'it is paused' };
      // It ends only by its own time limit: others may wait for it, and the breaker needs its outcome.
      const request = run(key, asked).finally(() => inFlight.delete(key));
      inFlight.set(key, request);
      return raceAbort(request, signal);
    },
  };
}

/** Removes the fragment, which is never sent to the site either, and credentials, which no service needs to know. */
function withoutSecrets(url: URL): URL {
  const copy = new URL(url);
  copy.hash = '';
  copy.username = '';
  copy.password = '';
  return copy;
}

// Caches provider answers for a short time and shares requests in flight, so that the same question goes out once.

import { createBoundedMap } from '../../util/bounded-map.ts';
import type { Clock } from '../../util/clock.ts';
import type { ProviderAnswer } from '../providers/provider.ts';

export interface AnswerCache {
  /** A cached answer, or the request in flight. */
  find(key: string): Promise<ProviderAnswer> | undefined;
  /** Shares a request with everyone who asks meanwhile, and caches the answer unless it fails. */
  share(key: string, request: Promise<ProviderAnswer>, keepMs: number): void;
}

export interface AnswerCacheLimits {
  answers: number;
  /** Size of all answers together. */
  chars: number;
}

const DEFAULT_LIMITS: Readonly<AnswerCacheLimits> = { answers: 500, chars: 4 * 1024 * 1024 };

export function createAnswerCache(clock: Pick<Clock, 'now'>, own: Partial<AnswerCacheLimits> = {}): AnswerCache {
  const limits = { ...DEFAULT_LIMITS, ...own };
  const inFlight = new Map<string, Promise<ProviderAnswer>>();
  // As JSON: its size is known, and no substring of it keeps the whole response in memory.
  const cached = createBoundedMap<string, string>({
    maxEntries: limits.answers,
    maxWeight: limits.chars,
    weightOf: (json) => json.length,
    clock,
  });

  return {
    find(key) {
      const json = cached.get(key);
      return json === undefined ? inFlight.get(key) : Promise.resolve(JSON.parse(json) as ProviderAnswer);
    },
    share(key, request, keepMs) {
      inFlight.set(key, request);
      const settle = (answer?: ProviderAnswer) => {
        if (inFlight.get(key) === request) inFlight.delete(key);
        if (answer) cached.set(key, JSON.stringify(answer), keepMs);
      };
      // Callers that await the request handle its failure.
      request.then(settle, () => settle());
    },
  };
}

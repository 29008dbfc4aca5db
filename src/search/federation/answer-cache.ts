// What providers answered a short while ago, and what they are being asked right now: the same question goes out once.
import type { Clock } from '../../util/clock.ts';
import type { ProviderAnswer } from '../providers/provider.ts';

export interface AnswerCache {
  /** Kept, or still under way. */
  find(key: string): Promise<ProviderAnswer> | undefined;
  /** Shares what is under way with whoever asks meanwhile, and keeps the answer unless it fails. */
  share(key: string, flight: Promise<ProviderAnswer>, keepMs: number): void;
}

export interface AnswerCacheLimits {
  answers: number;
  /** Of all answers together. */
  chars: number;
}

const DEFAULT_LIMITS: Readonly<AnswerCacheLimits> = { answers: 500, chars: 4 * 1024 * 1024 };

interface Kept {
  /** As text: its size is known, and no piece of it can hold on to the whole page that it was cut from. */
  json: string;
  until: number;
}

export function createAnswerCache(clock: Pick<Clock, 'now'>, own: Partial<AnswerCacheLimits> = {}): AnswerCache {
  const limits = { ...DEFAULT_LIMITS, ...own };
  const flights = new Map<string, Promise<ProviderAnswer>>();
  // In order of last use.
  const kept = new Map<string, Kept>();
  let chars = 0;

  const drop = (key: string) => {
    chars -= kept.get(key)?.json.length ?? 0;
    kept.delete(key);
  };

  const put = (key: string, entry: Kept) => {
    drop(key);
    kept.set(key, entry);
    chars += entry.json.length;
    for (const oldest of kept.keys()) {
      if (kept.size <= limits.answers && chars <= limits.chars) break;
      drop(oldest);
    }
  };

  return {
    find(key) {
      const entry = kept.get(key);
      if (!entry) return flights.get(key);
      if (clock.now() >= entry.until) {
        drop(key);
        return flights.get(key);
      }
      put(key, entry);
      return Promise.resolve(JSON.parse(entry.json) as ProviderAnswer);
    },
    share(key, flight, keepMs) {
      flights.set(key, flight);
      const settle = (answer?: ProviderAnswer) => {
        if (flights.get(key) === flight) flights.delete(key);
        if (answer) put(key, { json: JSON.stringify(answer), until: clock.now() + keepMs });
      };
      // Whoever waits for the flight hears of its failure there.
      flight.then(settle, () => settle());
    },
  };
}

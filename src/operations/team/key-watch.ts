// Ends what a key has opened (sockets, browser sessions) when the key is revoked, rotated away or expires, also if that
// happened in another process. The store is asked once a second while something is open, and not at all otherwise.

import type { Log } from '../../runtime/log.ts';
import type { TeamStore } from '../../store/ports/teams/team-store.ts';
import type { Clock } from '../../util/clock.ts';

export interface KeyWatch {
  /** Calls `onEnd` once when the key ends, unless `until` aborts first. Without a stored key, nothing is watched. */
  follow(keyHash: string | undefined, onEnd: () => void, until: AbortSignal): void;
  /** Looks now. */
  check(): void;
}

interface Deps {
  teams: Pick<TeamStore, 'findValid'>;
  clock: Clock;
  log: Pick<Log, 'warn'>;
}

type End = () => void;

const EVERY_MS = 1_000;

export function createKeyWatch({ teams, clock, log }: Deps): KeyWatch {
  const followed = new Map<string, Set<End>>();
  /** Ends the wait before the next look early if nothing is left to watch. */
  let waiting: AbortController | undefined;

  const look = async () => {
    const hashes = [...followed.keys()];
    if (hashes.length === 0) return;
    const valid = new Set(await teams.findValid(hashes, clock.now()));
    const ended = hashes.filter((hash) => !valid.has(hash)).flatMap((hash) => [...(followed.get(hash) ?? [])]);
    for (const end of ended) end();
  };
  const tryLook = () =>
    look().catch((err: unknown) => log.warn({ err }, 'open connections: keys could not be checked'));
  const watch = async () => {
    waiting = new AbortController();
    while (followed.size > 0) {
      // Rejects when nothing is left.
      await clock.sleep(EVERY_MS, waiting.signal).catch(() => {});
      await tryLook();
    }
    waiting = undefined;
  };
  const leave = (hash: string, end: End) => {
    const others = followed.get(hash);
    others?.delete(end);
    if (others?.size === 0) followed.delete(hash);
    if (followed.size === 0) waiting?.abort();
  };

  return {
    follow(hash, onEnd, until) {
      if (hash === undefined || until.aborted) return;
      const end = () => {
        until.removeEventListener('abort', stop);
        leave(hash, end);
        onEnd();
      };
      const stop = () => leave(hash, end);
      until.addEventListener('abort', stop, { once: true });
      followed.set(hash, (followed.get(hash) ?? new Set()).add(end));
      if (!waiting) watch();
      else if (waiting.signal.aborted) waiting = new AbortController();
    },
    check: () => void tryLook(),
  };
}

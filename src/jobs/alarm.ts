// Many wake-up times on one timer. Each name has one time; an earlier time replaces a later one.
import type { Clock } from '../util/clock.ts';

export interface Alarm {
  /** Runs `task` at `time`; does nothing if it is undefined. */
  set(name: string, time: number | undefined, task: () => void): void;
  close(): void;
}

export function createAlarm(clock: Clock): Alarm {
  const times = new Map<string, { at: number; task: () => void }>();
  let sleep: { until: number; stop: AbortController } | undefined;
  let isClosed = false;

  const arm = () => {
    const next = Math.min(...[...times.values()].map(({ at }) => at));
    if (next === Number.POSITIVE_INFINITY || (sleep && sleep.until <= next)) return;
    sleep?.stop.abort();
    const stop = new AbortController();
    sleep = { until: next, stop };
    clock.sleep(Math.max(0, next - clock.now()), stop.signal).then(ring, () => {});
  };

  const ring = () => {
    sleep = undefined;
    const now = clock.now();
    const due = [...times].filter(([, { at }]) => at <= now);
    for (const [name] of due) times.delete(name);
    for (const [, { task }] of due) task();
    arm();
  };

  return {
    set(name, time, task) {
      if (time === undefined || isClosed) return;
      const known = times.get(name);
      if (known && known.at <= time) return;
      times.set(name, { at: time, task });
      arm();
    },
    close() {
      isClosed = true;
      times.clear();
      sleep?.stop.abort();
    },
  };
}

// Work that may wait until nobody else wants the thread: short steps, with room for calls between them.

export interface Upkeep {
  /** Begins when the thread has nothing else to do, and goes on until there is nothing left. */
  start(): void;
  /** Until as many `start` as `pause` have been called. */
  pause(): void;
  stop(): void;
}

/** Calls that are waiting are answered between two steps. */
const PAUSE_MS = 2;

/** Each step returns true while it has more to do. */
export function createUpkeep(steps: readonly (() => boolean)[], onError: (error: unknown) => void): Upkeep {
  let timer: NodeJS.Timeout | undefined;
  let holders = 0;
  let isOver = false;
  let turn = 0;

  const schedule = () => {
    if (isOver || holders > 0 || timer) return;
    timer = setTimeout(run, PAUSE_MS);
    timer.unref();
  };
  const run = () => {
    timer = undefined;
    try {
      // In turns, so that what one leaves to another does not pile up.
      const first = turn++ % steps.length;
      const inTurn = [...steps.slice(first), ...steps.slice(0, first)];
      if (inTurn.some((step) => step())) schedule();
    } catch (error) {
      onError(error);
    }
  };

  return {
    start() {
      holders = Math.max(0, holders - 1);
      schedule();
    },
    pause() {
      holders += 1;
      clearTimeout(timer);
      timer = undefined;
    },
    stop() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

// Runs background work in short steps while the thread is idle, with room for calls in between.

export interface Upkeep {
  /** Runs steps until none has more to do. */
  start(): void;
  /** Stops until `start` has been called as often as `pause`. */
  pause(): void;
  stop(): void;
}

/** Waiting calls are served between two steps. */
const PAUSE_MS = 2;

/** Each step returns true while it has more to do. */
export function createUpkeep(
  steps: readonly (() => boolean)[],
  onError: (error: unknown) => void,
  afterSearches: () => Promise<void>,
): Upkeep {
  let timer: NodeJS.Timeout | undefined;
  let holders = 0;
  let isOver = false;
  let turn = 0;

  const schedule = () => {
    if (isOver || holders > 0 || timer) return;
    timer = setTimeout(run, PAUSE_MS);
    timer.unref();
  };
  const run = async () => {
    timer = undefined;
    await afterSearches();
    if (isOver || holders > 0) return;
    try {
      // In turns, so that no kind of work starves another.
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

// Shares the event loop when much arrives at once: Node hands over all that waits without looking at anything else.
import { performance } from 'node:perf_hooks';

/** How long such work goes on before everything else has its turn. */
const SLICE_MS = 8;

/** Does the work now, or in a later turn of the event loop if the work since it last rested took long. Keeps the order. */
export type TakeTurn = (work: () => void) => void;

export function createTurns(sliceMs = SLICE_MS): TakeTurn {
  const { nodeTiming } = performance;
  /** How long the event loop had rested when the slice began. Reading it costs less than being told of each turn. */
  let rested: number | undefined;
  let began = 0;
  let waiting = 0;
  let isTurnDue = false;

  const beginTurn = () => {
    isTurnDue = false;
    rested = undefined;
  };
  const hasTime = (): boolean => {
    const { idleTime } = nodeTiming;
    if (rested === idleTime) return performance.now() - began < sliceMs;
    rested = idleTime;
    began = performance.now();
    return true;
  };
  const postpone = (work: () => void) => {
    if (!isTurnDue) setImmediate(beginTurn);
    isTurnDue = true;
    waiting += 1;
    setImmediate(() => {
      waiting -= 1;
      if (hasTime()) work();
      else postpone(work);
    });
  };
  return (work) => {
    if (waiting === 0 && hasTime()) work();
    else postpone(work);
  };
}

// Loaded into the service before its own code: adds the milliseconds in a file to the wall clock. The monotonic clock and
// timers go on as they are, like on a machine whose clock is set.
import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const file = process.env.CHAOS_CLOCK_FILE;
const RealDate = Date;
let shift = 0;

const readShift = () => {
  shift = Number(readFileSync(file!, 'utf8'));
};

if (file !== undefined) {
  readShift();
  // Threads get their times from the main thread, which gets the signal.
  if (isMainThread) process.on('SIGUSR2', readShift);
  const realNow = RealDate.now;
  globalThis.Date = class extends RealDate {
    constructor(...args: unknown[]) {
      // @ts-expect-error The constructor of Date has many forms.
      super(...(args.length === 0 ? [realNow() + shift] : args));
    }
    static override now = () => realNow() + shift;
  } as DateConstructor;
}

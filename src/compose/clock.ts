// The service's clock. It continues where the last process of this data folder stopped; processes that share a database follow
// the clock of the database, so that leases and schedules mean the same to all of them.

import type { Log } from '../runtime/log.ts';
import { createServiceClock, readSavedTime, type ServiceClock, type TimeSources } from '../runtime/service-clock.ts';
import type { ProcessRegistry } from '../store/ports/process-registry.ts';
import type { Store } from '../store/ports/store.ts';

export interface KeptClock extends ServiceClock {
  /** To be called from time to time, so that the next process can continue. Never rejects. */
  keep(): Promise<void>;
}

const NOTE = 'clock';
/** A difference that an operator should know of. */
const WORTH_A_WARNING_MS = 60_000;
/** Machines that share a database are expected to have synchronised clocks. */
const WORTH_A_WARNING_SHARED_MS = 1_000;
const LOOKS = 3;

export async function openClock(
  { notes, processes }: Pick<Store, 'notes' | 'processes'>,
  sources: TimeSources,
  log: Log,
): Promise<KeptClock> {
  const shared = await readShared(processes, sources);
  if (shared) return openSharedClock(shared, processes, sources, log);
  const clock = createServiceClock(sources, readSavedTime(await notes.read(NOTE)));
  let hasWarned = false;
  const keep = async () => {
    const offset = clock.offset();
    const isOff = Math.abs(offset) > WORTH_A_WARNING_MS;
    if (isOff && !hasWarned)
      log.warn({ seconds: Math.round(offset / 1000) }, 'the wall clock has jumped, the service follows it slowly');
    hasWarned = isOff;
    await notes
      .write(NOTE, JSON.stringify(clock.save()))
      .catch((error: unknown) => log.error({ err: error }, 'the time could not be noted'));
  };
  await keep();
  return { ...clock, keep };
}

/** A look at the shared time, and the tick at which it was right. */
interface Look {
  time: number;
  ticks: number;
  /** How long the answer took: the time may be off by half of it. */
  tookMs: number;
}

/** The quickest of a few looks. */
async function readShared(processes: Pick<ProcessRegistry, 'time'>, sources: TimeSources): Promise<Look | undefined> {
  let best: Look | undefined;
  for (let look = 0; look < LOOKS; look++) {
    const began = sources.ticks();
    const time = await processes.time();
    if (time === undefined) return undefined;
    const tookMs = sources.ticks() - began;
    if (!best || tookMs < best.tookMs) best = { time, ticks: began + tookMs / 2, tookMs };
  }
  return best;
}

/** The wall clock of this machine counts for nothing; between two looks, its ticks do. */
function openSharedClock(
  first: Look,
  processes: Pick<ProcessRegistry, 'time'>,
  sources: TimeSources,
  log: Log,
): KeptClock {
  let look = first;
  let hasWarned = false;
  const wall = () => look.time + sources.ticks() - look.ticks;
  const clock = createServiceClock({ ...sources, wall });
  const warn = () => {
    const ahead = sources.wall() - wall();
    const isOff = Math.abs(ahead) > WORTH_A_WARNING_SHARED_MS;
    if (isOff && !hasWarned)
      log.warn({ ms: Math.round(ahead) }, 'the clock of this machine differs from that of the database, which counts');
    hasWarned = isOff;
  };
  warn();
  return {
    ...clock,
    async keep() {
      // While the database cannot be reached, the last look counts.
      look = (await readShared(processes, sources).catch(() => undefined)) ?? look;
      warn();
    },
  };
}

// The service's clock, which continues where the last process of this data folder stopped.
import type { Notes } from '../store/notes.ts';
import type { Log } from '../util/log.ts';
import { createServiceClock, readSavedTime, type ServiceClock, type TimeSources } from '../util/service-clock.ts';

export interface KeptClock extends ServiceClock {
  /** To be called from time to time, so that the next process can continue. Never rejects. */
  keep(): Promise<void>;
}

const NOTE = 'clock';
/** A difference that an operator should know of. */
const WORTH_A_WARNING_MS = 60_000;

export async function openClock(notes: Notes, sources: TimeSources, log: Log): Promise<KeptClock> {
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

// How much of the stored work this process does, and how its loops and those of other processes wake each other.
import type { Config } from '../../config/settings.ts';
import type { Topic, WakeUps } from '../../store/ports/wake-ups.ts';

/**
 * `all`: whatever is stored or due. `own`: a command works on what it is asked for and on nothing else, since it ends soon.
 * `none`: processes with another role do the work.
 */
export type Duty = 'all' | 'own' | 'none';

export function dutyOf({ role }: Pick<Config, 'role'>, isEmbedded: boolean): Duty {
  if (isEmbedded) return 'own';
  return role === 'all' || role === 'worker' ? 'all' : 'none';
}

interface Loop {
  topic: Topic;
  duty: Duty;
  /** There may be something to do. */
  wake(): void;
}

/** Returns what to call when something was stored that the loop, or that of another process, has to do. */
export function shareLoop(wakeUps: Pick<WakeUps, 'notify' | 'on'>, { topic, duty, wake }: Loop): () => void {
  if (duty === 'own') return () => {};
  if (duty === 'none') return () => wakeUps.notify(topic);
  wakeUps.on(topic, wake, 'others');
  return wake;
}

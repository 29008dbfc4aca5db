// Follows a run of an agent or an extraction until it ends.
import { systemClock } from '../../util/clock.ts';
import type { Invocation } from '../command.ts';
import { patientCall } from '../jobs/patient-call.ts';

const POLL_MS = 700;

export interface FollowedRun<State> {
  /** Shown while it runs. */
  title: string;
  read(): Promise<State>;
  /** What it does at the moment, and how many steps it has done. */
  step(state: State): Promise<{ done: number; note?: string } | undefined>;
}

export async function followRun<State extends { status: string }>(
  { title, read, step }: FollowedRun<State>,
  { screen, signal }: Pick<Invocation, 'screen' | 'signal'>,
): Promise<State> {
  const tools = { clock: systemClock, signal, note: screen.note };
  const progress = screen.progress(title);
  try {
    for (;;) {
      const state = await patientCall(read, tools);
      if (state.status !== 'processing') return state;
      const shown = await patientCall(() => step(state), tools);
      if (shown) progress.update(shown);
      await systemClock.sleep(POLL_MS, signal);
    }
  } finally {
    progress.end();
  }
}

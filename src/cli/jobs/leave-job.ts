// What becomes of jobs when the command that follows them is interrupted, and what the user can do then.
import { ApiError } from '../../client/api-error.ts';
import type { Invocation, ServiceSession } from '../command.ts';
import type { JobCalls } from './job-kind.ts';

interface Tools {
  screen: Invocation['screen'];
  session: ServiceSession;
}

/** With a service of its own, which ends with the command, a job is paused; else it goes on. */
export async function leaveJobs(
  { name, calls }: JobCalls,
  ids: readonly string[],
  { screen, session: { api, isEmbedded, isTemporary } }: Tools,
): Promise<void> {
  for (const id of ids) {
    if (!isEmbedded) {
      screen.note(
        `The ${name} goes on. \`trawl ${name} follow ${id}\` shows it again; \`pause ${id}\` and \`cancel ${id}\` end it for now or for good.`,
      );
      continue;
    }
    if (isTemporary) {
      screen.note(`The ${name} ends with this command, because it used a temporary folder.`);
      continue;
    }
    try {
      await api.call(calls.pause, { params: { id } });
      screen.note(`The ${name} is paused and stays in the data folder. \`trawl ${name} resume ${id}\` continues it.`);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      screen.note(`The ${name} ${id} could not be paused: ${error.message}`);
    }
  }
}

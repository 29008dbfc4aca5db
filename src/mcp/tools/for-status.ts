// How long a tool waits that only asks for the state of a job.
import type { ToolContext } from '../tool.ts';

/** Models cannot pause between two calls, so a tool that only asks for a state waits a little for its end. */
const STATUS_WAIT_MS = 20_000;

export const forStatus = (context: ToolContext): ToolContext => ({
  ...context,
  maxWaitMs: Math.min(context.maxWaitMs, STATUS_WAIT_MS),
});

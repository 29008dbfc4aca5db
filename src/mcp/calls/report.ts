// Tells the client how far a call is, if it asked for that with a progress token.
import type { ServerContext } from '@modelcontextprotocol/server';
import type { ToolContext } from '../tool.ts';

export function createReport({ mcpReq }: ServerContext): ToolContext['report'] {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let last = Number.NEGATIVE_INFINITY;
  return ({ done, total, message }) => {
    // The protocol wants each value to be higher than the one before.
    if (!(done > last) || mcpReq.signal.aborted) return;
    last = done;
    const params = {
      progressToken,
      progress: done,
      ...(total !== undefined && { total }),
      ...(message && { message }),
    };
    // A client that is gone by now cannot be told.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}

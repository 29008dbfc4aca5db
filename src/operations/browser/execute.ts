// Runs a caller's code against one of the caller's browser sessions.

import type { ExecuteRequest, ExecuteResponse } from '../../contracts/browser/execute.ts';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { CodeRun, Executor } from '../../sessions/sandbox/executor.ts';
import type { SandboxOutcome } from '../../sessions/sandbox/sandbox.ts';
import type { BrowserSession, Sessions } from '../../sessions/session.ts';
import type { Call } from '../call.ts';
import { type Caller, mayUse } from '../caller.ts';
import { checkDrives, sessionLinks } from './sessions.ts';

export interface ExecuteDeps {
  sessions: Sessions;
  executor: Executor;
}

/** Code that fails does not make the request fail: its exit code and output are the answer. */
export async function executeInBrowser(
  deps: ExecuteDeps,
  { caller, params, body }: Call<'executeInBrowser' | 'executeInInteract'>,
): Promise<ExecuteResponse> {
  deps.executor.checkAllowed(body.language);
  const session = findSession(deps.sessions, caller, params.id);
  return { success: true, ...(await runCode(deps.executor, session, body, caller.signal)) };
}
export const executeInInteract = executeInBrowser;

export function findSession(sessions: Sessions, caller: Caller, id: string): BrowserSession {
  const { team } = caller;
  const session = sessions.find(id, team.id) ?? sessions.findEnded(id, team.id);
  if (!session || !mayUse(caller, session.opener?.keyId)) throw new ServiceError('SESSION_NOT_FOUND');
  checkDrives(caller, session);
  if (session.ended.aborted) throw session.ended.reason;
  return session;
}

export async function runCode(
  executor: Executor,
  session: BrowserSession,
  { code: text, language, timeout }: Pick<ExecuteRequest, 'code' | 'language' | 'timeout'>,
  signal: AbortSignal,
) {
  const code = { text, language, timeoutMs: timeout * 1000 };
  const outcome = await executor.run(session, code, signal);
  const { stdout, stderr, result, exitCode, killedFor, truncated } = outcome;
  const error = problemOf(outcome, code);
  return {
    ...sessionLinks(session),
    stdout,
    result,
    stderr,
    exitCode,
    killed: killedFor !== undefined,
    ...(truncated && { truncated }),
    ...(error !== undefined && { error }),
  };
}

/** One sentence for the caller if the code failed. */
function problemOf(
  { exitCode, killedFor, stderr }: SandboxOutcome,
  { language, timeoutMs }: CodeRun,
): string | undefined {
  if (killedFor === 'time') return `The code was stopped after ${timeoutMs / 1000} seconds (\`timeout\`).`;
  if (killedFor === 'memory') return 'The code was stopped because it used more than 512 MB of memory.';
  if (exitCode === 0) return undefined;
  const lines = stderr.trim().split('\n');
  // Python prints the error last, the others first.
  const line = language === 'python' ? lines.at(-1) : lines[0];
  return line || `The code ended with exit code ${exitCode}.`;
}

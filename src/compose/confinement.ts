// Whether the programs that handle untrusted input are confined on this machine: the parsers, and callers' code.
import type { Config } from '../config/settings.ts';
import { findConfinement } from '../parse/process/confinement.ts';
import { createSandbox } from '../sessions/sandbox/sandbox.ts';
import { systemClock } from '../util/clock.ts';

const PROBE_MS = 5_000;

/** One sentence for each thing that is not confined, or cannot be used for that reason. Starts the real programs. */
export async function confinementProblems({ searchPath, browserExecute }: Config): Promise<string[]> {
  const [parsers, code] = await Promise.all([
    findConfinement(searchPath, []),
    browserExecute.length > 0 ? sandboxProblem() : undefined,
  ]);
  return [
    ...(parsers.problem
      ? [
          `Files are parsed with limits, but not cut off from the network and the files of this machine: ${parsers.problem} Install bubblewrap, or allow it to create namespaces.`,
        ]
      : []),
    ...(code ? [`TRAWL_BROWSER_EXECUTE has no effect. ${code}`] : []),
  ];
}

async function sandboxProblem(): Promise<string | undefined> {
  const probe = { program: ['true'], code: '', binds: [], timeoutMs: PROBE_MS, onReady() {} };
  const sandbox = createSandbox({ clock: systemClock, hidden: [] });
  return sandbox.run(probe, AbortSignal.timeout(2 * PROBE_MS)).then(
    () => undefined,
    (error: Error) => error.message,
  );
}

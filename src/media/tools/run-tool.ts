// Runs a media program in a work folder: without input or environment, with resource limits, and never outliving us.
import { type ProgramOutcome, runProgram } from '../../runtime/programs/run-program.ts';

export interface ToolRun {
  program: string;
  args: readonly string[];
  folder: string;
  env?: Record<string, string>;
  /** Limit for each file it writes. */
  maxFileBytes: number;
  maxOutputBytes?: number;
}

/** Rejects with the signal's reason if it aborts. Any exit code is an outcome, not an error. */
export type RunTool = (run: ToolRun, signal: AbortSignal) => Promise<ProgramOutcome>;

interface Wrappers {
  prlimit?: string;
  setpriv?: string;
}

const MAX_MEMORY = 4 * 1024 ** 3;
const MAX_CPU_SECONDS = 1_800;
const MAX_OUTPUT = 1024 * 1024;

export const createRunTool =
  ({ prlimit, setpriv }: Wrappers): RunTool =>
  ({ program, args, folder, env = {}, maxFileBytes, maxOutputBytes = MAX_OUTPUT }, signal) => {
    const limits = [`--as=${MAX_MEMORY}`, `--cpu=${MAX_CPU_SECONDS}`, `--fsize=${maxFileBytes}`, '--core=0'];
    const [first, ...rest] = [
      ...(setpriv ? [setpriv, '--pdeathsig', 'KILL', '--'] : []),
      ...(prlimit ? [prlimit, ...limits, '--'] : []),
      program,
      ...args,
    ];
    return runProgram({ program: first!, args: rest, env, folder, maxOutputBytes, isGroup: true }, signal);
  };

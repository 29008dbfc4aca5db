// Runs a media program: without input and environment, in a work folder, held to limits, and ended when we end.
import { type ProgramOutcome, runProgram } from '../util/run-program.ts';

export interface ToolRun {
  program: string;
  args: readonly string[];
  folder: string;
  env?: Record<string, string>;
  /** Of any one file that it writes. */
  maxFileBytes: number;
  maxOutputBytes?: number;
}

/** Rejects with the reason of the signal when that aborts; else whatever the program says is an outcome. */
export type RunTool = (run: ToolRun, signal: AbortSignal) => Promise<ProgramOutcome>;

interface Keepers {
  prlimit?: string;
  setpriv?: string;
}

const MAX_MEMORY = 4 * 1024 ** 3;
const MAX_CPU_SECONDS = 1_800;
const MAX_OUTPUT = 1024 * 1024;

export const createRunTool =
  ({ prlimit, setpriv }: Keepers): RunTool =>
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

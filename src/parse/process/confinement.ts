// Sandboxing of parser processes: no network, a read-only file system and resource limits, as far as the tools for it
// are installed. The limits that parser-process.ts enforces hold without any of them.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { findProgram } from '../../runtime/programs/find-program.ts';

export interface Confinement {
  /** The command line that runs `command` in the sandbox, where only `folder` is writable. */
  wrap(command: readonly string[], folder: string, memoryBytes: number): [program: string, ...arguments_: string[]];
  /** Why only the limits hold, as one sentence; undefined if parsers have no network and see no data. */
  problem?: string;
}

const MAX_FILE_BYTES = 256 * 1024 * 1024;
const PROBE_MS = 5_000;
// prlimit counts reserved address space, which is far larger than the memory in use. The latter is watched separately.
const RESERVED = 4;

/** Finds the installed sandboxing tools. `hidden`: folders that parsers must not see. */
export async function findConfinement(searchPath: string, hidden: readonly string[]): Promise<Confinement> {
  const [nice, prlimit, setpriv, bwrap] = ['nice', 'prlimit', 'setpriv', 'bwrap'].map((name) =>
    findProgram([name], searchPath),
  );
  const isolated = bwrap ? [bwrap, ...isolation(hidden)] : [];
  const problem = bwrap ? await problemOf([...isolated, 'true'], searchPath) : 'bubblewrap (bwrap) is not installed.';
  const works = problem === undefined;
  return {
    ...(problem && { problem }),
    wrap(command, folder, memoryBytes) {
      const all = [
        ...(nice ? [nice, '-n', '5'] : []),
        ...(prlimit ? [prlimit, '--core=0', `--fsize=${MAX_FILE_BYTES}`, `--data=${memoryBytes * RESERVED}`] : []),
        // Without this, a busy process would outlive a killed service.
        ...(works ? [...isolated, '--bind', folder, folder] : setpriv ? [setpriv, '--pdeathsig', 'KILL'] : []),
        ...command,
      ];
      return all as [string, ...string[]];
    },
  };
}

const isolation = (hidden: readonly string[]): string[] => [
  ...['--unshare-net', '--unshare-ipc', '--unshare-pid', '--unshare-uts', '--die-with-parent'],
  // Without its own /proc, a parser could read the service's memory, and the hidden folders by way of the service.
  ...['--cap-drop', 'ALL', '--ro-bind', '/', '/', '--dev-bind', '/dev', '/dev', '--proc', '/proc'],
  ...hidden.filter((folder) => existsSync(folder)).flatMap((folder) => ['--tmpfs', folder]),
];

/** Containers often forbid the system calls that bwrap needs. */
async function problemOf([program, ...arguments_]: string[], searchPath: string): Promise<string | undefined> {
  try {
    await promisify(execFile)(program!, arguments_, { env: { PATH: searchPath }, timeout: PROBE_MS });
    return undefined;
  } catch (error) {
    const [line] = ((error as { stderr?: string }).stderr ?? '').trim().split('\n', 1);
    return `bubblewrap (bwrap) cannot start here: ${line || (error as Error).message}.`;
  }
}

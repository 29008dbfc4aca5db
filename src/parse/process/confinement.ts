// Sandboxing of parser processes: no network, a read-only file system and resource limits, as far as the tools for it
// are installed. The limits that parser-process.ts enforces hold without any of them.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { findProgram } from '../../util/find-program.ts';

export interface Confinement {
  /** The command line that runs `command` in the sandbox, where only `folder` is writable. */
  wrap(command: readonly string[], folder: string, memoryBytes: number): [program: string, ...arguments_: string[]];
  hasNetwork: boolean;
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
  const works = bwrap !== undefined && (await canRun([...isolated, 'true'], searchPath));
  return {
    hasNetwork: !works,
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
  ...['--unshare-net', '--unshare-ipc', '--die-with-parent'],
  ...['--ro-bind', '/', '/', '--dev-bind', '/dev', '/dev'],
  ...hidden.filter((folder) => existsSync(folder)).flatMap((folder) => ['--tmpfs', folder]),
];

/** Containers often forbid the system calls that bwrap needs. */
async function canRun([program, ...arguments_]: string[], searchPath: string): Promise<boolean> {
  try {
    await promisify(execFile)(program!, arguments_, { env: { PATH: searchPath }, timeout: PROBE_MS });
    return true;
  } catch {
    return false;
  }
}

// How little a parser process may do: no network, no file that it could change, and bounds on what it takes, as far as this
// machine has the programs for it. The limits in pool.ts hold without any of them.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { findProgram } from '../../util/find-program.ts';

export interface Confinement {
  /** The program and its arguments, so that it runs confined, with `folder` as the only place it can write to. */
  wrap(command: readonly string[], folder: string, memoryBytes: number): [program: string, ...arguments_: string[]];
  hasNetwork: boolean;
}

const MAX_FILE_BYTES = 256 * 1024 * 1024;
const PROBE_MS = 5_000;
// What is reserved and not used counts as well here; the memory that is used is watched.
const RESERVED = 4;

/** Looks once for what there is. `hidden`: folders whose content is nobody's business. */
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
        // Without it, a process that is busy would outlive a service that was killed.
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

/** Containers often forbid what it needs. */
async function canRun([program, ...arguments_]: string[], searchPath: string): Promise<boolean> {
  try {
    await promisify(execFile)(program!, arguments_, { env: { PATH: searchPath }, timeout: PROBE_MS });
    return true;
  } catch {
    return false;
  }
}

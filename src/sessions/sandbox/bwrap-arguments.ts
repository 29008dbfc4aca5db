// The arguments for bubblewrap: namespaces, files and limits. What is not named here does not exist in the sandbox.
import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { join, sep } from 'node:path';

export interface Bind {
  from: string;
  to: string;
}

interface Confinement {
  binds: readonly Bind[];
  /** The socket, bound writable. */
  socket?: Bind;
  /** Folders to hide, in case they are inside the program folders that the sandbox sees. */
  hidden: readonly string[];
  /** Set if we are root: then the code runs as this user. */
  userId: number | undefined;
  /** File descriptors of the filter and of the code. */
  filterFd: number | undefined;
  codeFd: number;
}

/** The folder of our files in the sandbox. */
export const INSIDE = '/trawl';
export const CODE_FILE = `${INSIDE}/code`;
/** The first byte on it says that the sandbox is ready; a result may follow. */
export const RESULT_FD = 3;

export const MAX_MEMORY_BYTES = 512 * 1024 * 1024;
const MAX_SCRATCH_BYTES = 64 * 1024 * 1024;
const LIMITS = [
  // Counted within the sandbox's user namespace, or for its own user. Threads count, too.
  '--nproc=96',
  '--nofile=512',
  '--core=0',
  `--fsize=${MAX_SCRATCH_BYTES}`,
  // For each process; the sum is watched from outside. Generous, because Node reserves more than it uses.
  `--data=${3 * MAX_MEMORY_BYTES}`,
];

const NAMESPACES = ['--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try'];
const SYSTEM_FOLDERS = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];
/** The linker's cache, and the links with which Debian selects among programs. */
const SETTINGS = ['/etc/ld.so.cache', '/etc/alternatives'];
/** Created with permissions, because bubblewrap would make them for its own user only. */
const FOLDERS = ['/etc', INSIDE, `${INSIDE}/bin`, `${INSIDE}/node_modules`];
const ENVIRONMENT = { PATH: `${INSIDE}/bin:/usr/local/bin:/usr/bin:/bin`, HOME: '/tmp', LANG: 'C.UTF-8' };
/** Closes file descriptors that the service itself may have inherited, and so would the sandbox. */
const CLOSE_OTHERS = 'for fd in $(ls /proc/self/fd); do if ((fd > 3)); then eval "exec $fd>&-"; fi; done';
const READY = `${CLOSE_OTHERS}; printf r >&3; exec "$@"`;

export function sandboxArguments(confinement: Confinement, program: readonly string[]): string[] {
  const { userId, filterFd } = confinement;
  // Root needs no user namespace to build the sandbox. Process limits do not apply to root, so it becomes another user.
  const identity =
    userId === undefined
      ? ['--unshare-user', '--cap-drop', 'ALL']
      : ['--cap-drop', 'ALL', ...['CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP'].flatMap((name) => ['--cap-add', name])];
  const become =
    userId === undefined
      ? []
      : [
          'setpriv',
          `--reuid=${userId}`,
          `--regid=${userId}`,
          '--clear-groups',
          '--inh-caps=-all',
          '--bounding-set=-all',
          '--',
        ];
  return [
    ...NAMESPACES,
    ...identity,
    '--die-with-parent',
    '--new-session',
    ...(filterFd === undefined ? [] : ['--seccomp', String(filterFd)]),
    '--clearenv',
    ...Object.entries(ENVIRONMENT).flatMap(([name, value]) => ['--setenv', name, value]),
    ...files(confinement),
    '--chdir',
    '/tmp',
    '--',
    ...become,
    // If memory runs out anyway, the kernel kills this first.
    ...['choom', '-n', '1000', '--'],
    ...['prlimit', ...LIMITS, '--'],
    ...['nice', '-n', '5', 'bash', '-c', READY, 'bash'],
    ...program,
  ];
}

function files({ binds, socket, hidden, codeFd }: Confinement): string[] {
  const scratch = (path: string) => ['--perms', '1777', '--size', String(MAX_SCRATCH_BYTES), '--tmpfs', path];
  return [
    ...['--ro-bind', '/usr', '/usr'],
    ...SYSTEM_FOLDERS.flatMap(systemFolder),
    ...FOLDERS.flatMap((path) => ['--perms', '0755', '--dir', path]),
    ...SETTINGS.flatMap((path) => ['--ro-bind-try', path, path]),
    ...hidden.filter(isAmongPrograms).flatMap((path) => ['--tmpfs', path, '--remount-ro', path]),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...scratch('/dev/shm'),
    ...scratch('/tmp'),
    ...binds.flatMap(({ from, to }) => ['--ro-bind', from, to]),
    ...(socket ? ['--bind', socket.from, socket.to] : []),
    ...['--perms', '0444', '--ro-bind-data', String(codeFd), CODE_FILE],
    ...['--remount-ro', '/dev', '--remount-ro', '/'],
  ];
}

/** A link into /usr on most systems. */
function systemFolder(path: string): string[] {
  if (!existsSync(path)) return [];
  return lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
}

const isAmongPrograms = (path: string): boolean =>
  ['/usr', ...SYSTEM_FOLDERS].some((folder) => join(path, sep).startsWith(join(folder, sep))) && existsSync(path);

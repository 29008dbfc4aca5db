// What bubblewrap is told: which namespaces, which files, which limits. Whatever is not named here is not there.
import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { join, sep } from 'node:path';

export interface Bind {
  from: string;
  to: string;
}

export interface Confinement {
  binds: readonly Bind[];
  /** The socket, which is written to. */
  socket?: Bind;
  /** Folders that must not be seen, should they lie where programs do. */
  hidden: readonly string[];
  /** Whether we are root; then the code runs as the user of this number. */
  userId: number | undefined;
  /** File descriptors of the filter and of the code. */
  filterFd: number | undefined;
  codeFd: number;
}

/** Where things are inside. */
export const INSIDE = '/trawl';
export const CODE_FILE = `${INSIDE}/code`;
/** Its first byte says that the sandbox stands; a result may follow. */
export const RESULT_FD = 3;

export const MAX_MEMORY_BYTES = 512 * 1024 * 1024;
const MAX_SCRATCH_BYTES = 64 * 1024 * 1024;
const LIMITS = [
  // Counted within the sandbox's own user namespace, or for its own user; threads count too.
  '--nproc=96',
  '--nofile=512',
  '--core=0',
  `--fsize=${MAX_SCRATCH_BYTES}`,
  // Of one process; all together are watched from outside. Node asks for more than it uses.
  `--data=${3 * MAX_MEMORY_BYTES}`,
];

const NAMESPACES = ['--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try'];
const SYSTEM_FOLDERS = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];
/** The linker's list, and the links by which Debian chooses among programs. */
const SETTINGS = ['/etc/ld.so.cache', '/etc/alternatives'];
/** Bubblewrap would make them for its own user only. */
const FOLDERS = ['/etc', INSIDE, `${INSIDE}/bin`, `${INSIDE}/node_modules`];
const ENVIRONMENT = { PATH: `${INSIDE}/bin:/usr/local/bin:/usr/bin:/bin`, HOME: '/tmp', LANG: 'C.UTF-8' };
/** Whoever started the service may have left files open in it, and they are passed on to whatever it starts. */
const CLOSE_OTHERS = 'for fd in $(ls /proc/self/fd); do if ((fd > 3)); then eval "exec $fd>&-"; fi; done';
const READY = `${CLOSE_OTHERS}; printf r >&3; exec "$@"`;

export function sandboxArguments(confinement: Confinement, program: readonly string[]): string[] {
  const { userId, filterFd } = confinement;
  // Root needs no user namespace to build the sandbox, and no limit on processes holds for root: so it becomes another user.
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
    // Should memory run out all the same, this is what has to go.
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

/** On most systems a link into /usr. */
function systemFolder(path: string): string[] {
  if (!existsSync(path)) return [];
  return lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
}

const isAmongPrograms = (path: string): boolean =>
  ['/usr', ...SYSTEM_FOLDERS].some((folder) => join(path, sep).startsWith(join(folder, sep))) && existsSync(path);

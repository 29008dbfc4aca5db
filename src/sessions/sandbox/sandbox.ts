// Runs a program under bubblewrap: no network, no files but programs, no environment, and limits on everything. There
// is no weaker fallback: where bubblewrap does not work, nothing is run.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { ServiceError } from '../../contracts/errors/errors.ts';
import { memoryOfTree } from '../../runtime/programs/process-memory.ts';
import { onAbort } from '../../util/abort.ts';
import { keepStart } from '../../util/bytes/bounded-read.ts';
import type { Clock } from '../../util/clock.ts';
import { type Bind, MAX_MEMORY_BYTES, RESULT_FD, sandboxArguments } from './bwrap-arguments.ts';
import { systemCallFilter } from './seccomp-filter.ts';

export interface SandboxedRun {
  /** The command line, with paths inside the sandbox. */
  program: readonly string[];
  code: string;
  binds: readonly Bind[];
  socket?: Bind;
  timeoutMs: number;
  /** The sandbox is set up and needs nothing more from outside. */
  onReady(): void;
}

export interface SandboxOutcome {
  stdout: string;
  stderr: string;
  /** What the program wrote to the file descriptor for results. */
  result: string;
  exitCode: number;
  /** Why it was killed, if it was. */
  killedFor?: 'time' | 'memory';
  truncated: boolean;
}

export interface Sandbox {
  /** Throws ServiceError if the sandbox cannot be set up, or the signal's reason if it aborts. */
  run(run: SandboxedRun, signal: AbortSignal): Promise<SandboxOutcome>;
}

interface SandboxDeps {
  clock: Clock;
  /** Folders that must not be visible inside. */
  hidden: readonly string[];
  executable?: string;
}

const FILTER_FD = 4;
const CODE_FD = 5;
const MAX_OUTPUT_BYTES = 1024 * 1024;
const WATCH_MS = 100;
const KILLED = 137;
// Far from any range that real users have.
const USER_IDS = { from: 0x60000000, to: 0x7f000000 };

export function createSandbox({ clock, hidden, executable = 'bwrap' }: SandboxDeps): Sandbox {
  const filter = systemCallFilter(process.arch);
  return {
    async run({ program, code, binds, socket, timeoutMs, onReady }, signal) {
      signal.throwIfAborted();
      const userId = process.getuid?.() === 0 ? randomInt(USER_IDS.from, USER_IDS.to) : undefined;
      const filterFd = filter && FILTER_FD;
      const confinement = { binds, socket, hidden, userId, filterFd, codeFd: CODE_FD };
      const child = spawn(executable, sandboxArguments(confinement, program), {
        env: {},
        stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
      });
      const pipes = child.stdio as unknown as (Readable & Writable)[];
      const keep = (fd: number) => keepStart(pipes[fd]!, MAX_OUTPUT_BYTES);
      const read = { stdout: keep(1), stderr: keep(2), result: keep(RESULT_FD) };
      pipes[RESULT_FD]!.once('data', onReady);
      writeAll(pipes[FILTER_FD]!, filter ?? '');
      writeAll(pipes[CODE_FD]!, code);

      const over = new AbortController();
      let killedFor: SandboxOutcome['killedFor'];
      const kill = (why?: SandboxOutcome['killedFor']) => {
        killedFor ??= why;
        // All other processes of the sandbox die with their parent.
        child.kill('SIGKILL');
      };
      using _kill = onAbort(signal, () => kill());
      const watching = watch(child, { clock, timeoutMs, signal: over.signal, kill });
      try {
        const exitCode = await endOf(child);
        signal.throwIfAborted();
        const written = read.result.text();
        if (written === '' && !killedFor) throw notSetUp(read.stderr.text());
        return {
          stdout: read.stdout.text(),
          stderr: read.stderr.text(),
          result: written.slice(1),
          exitCode: killedFor ? KILLED : exitCode,
          ...(killedFor && { killedFor }),
          truncated: Object.values(read).some(({ isCut }) => isCut()),
        };
      } finally {
        over.abort();
        await watching;
      }
    },
  };
}

interface Watching {
  clock: Clock;
  timeoutMs: number;
  signal: AbortSignal;
  kill(why: 'time' | 'memory'): void;
}

async function watch(child: ChildProcess, { clock, timeoutMs, signal, kill }: Watching): Promise<void> {
  const end = clock.now() + timeoutMs;
  try {
    while (clock.now() < end) {
      await clock.sleep(Math.min(WATCH_MS, end - clock.now()), signal);
      if (child.pid !== undefined && (await memoryOfTree(child.pid)) > MAX_MEMORY_BYTES) return kill('memory');
    }
    kill('time');
  } catch {
    // The program has ended.
  }
}

function writeAll(stream: Writable, data: Buffer | string): void {
  // Fails if the sandbox could not be set up.
  stream.on('error', () => {});
  stream.end(data);
}

async function endOf(child: ChildProcess): Promise<number> {
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    return code ?? KILLED;
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw unavailable(isMissing ? 'bubblewrap (bwrap) is not installed' : (error as Error).message, error);
  }
}

const notSetUp = (stderr: string): ServiceError =>
  unavailable(stderr.trim().split('\n', 1)[0] || 'it ended immediately');

const unavailable = (reason: string, cause?: unknown): ServiceError =>
  new ServiceError('SANDBOX_UNAVAILABLE', {
    message: `The sandbox that code runs in cannot be set up on this machine: ${reason}. Nothing was run.`,
    cause,
  });

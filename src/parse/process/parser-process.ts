// The service's side of one parser process: starts it, sends it one file at a time, watches it, kills its process group.
import { type ChildProcess, spawn } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { ParsedFile } from '../../page/parsed.ts';
import { killGroup } from '../../runtime/programs/kill-group.ts';
import { memoryOfTree } from '../../runtime/programs/process-memory.ts';
import { onAbort } from '../../util/abort.ts';
import type { Clock } from '../../util/clock.ts';
import { tooComplex } from '../parse-errors.ts';
import type { ProcessLimits } from '../parse-limits.ts';
import type { Confinement } from './confinement.ts';
import { isExhausted } from './problem.ts';
import { makeFolder, removeFolder } from './process-folder.ts';
import type { ParserMessage, ParserRequest, SentRequest } from './process-messages.ts';

export interface ParserProcess {
  readonly isAlive: boolean;
  /** The process died without an answer. */
  readonly hasCrashed: boolean;
  /** If this rejects because of a limit or an abort, the process is gone. */
  parse(request: ParserRequest, signal: AbortSignal): Promise<ParsedFile>;
  /** Bytes in use after its last file. */
  readonly memory: number;
  /** Resolves when the process, its children and its folder are gone. */
  end(): Promise<void>;
}

export interface ParserProcessOptions {
  confinement: Confinement;
  limits: ProcessLimits;
  searchPath: string;
  clock: Clock;
  /** Script to run instead of the parsers. */
  entry?: string;
}

const ENTRY = fileURLToPath(new URL('./inside/parser-main.ts', import.meta.url));
const WATCH_MS = 100;
const MAX_STDERR = 4_096;
// The rest is left for native code and child processes.
const HEAP_SHARE = 0.6;
const MB = 1024 * 1024;

export function startParserProcess(options: ParserProcessOptions): ParserProcess {
  const { limits, clock } = options;
  const folder = makeFolder();
  const child = spawnConfined(options, folder);
  const lastErrors = keepEnd(child.stderr!);
  const ready = Promise.withResolvers<void>();
  let answer: PromiseWithResolvers<ParsedFile> | undefined;
  /** Why the service is ending it. */
  let reason: Error | undefined;
  /** Set once the process is gone. */
  let failure: Error | undefined;
  let hasCrashed = false;
  let memory = 0;

  const ended = endOf(child).then((problem) => {
    removeFolder(folder);
    reason ??= problem;
    hasCrashed = reason === undefined;
    failure = reason ?? crash(lastErrors());
    ready.reject(failure);
    answer?.reject(failure);
  });
  // Callers of parse() get the rejection; an idle process may end without anybody hearing of it.
  ready.promise.catch(() => {});
  child.on('message', (message: ParserMessage) => {
    if ('ready' in message) return ready.resolve();
    memory = message.memory;
    if ('parsed' in message) return answer?.resolve(message.parsed);
    const error = new ServiceError(message.problem.code, message.problem);
    return message.isOver ? end(error) : answer?.reject(error);
  });
  const end = (why: Error) => {
    reason ??= why;
    holdOpen(child, true);
    killGroup(child);
    return ended;
  };
  const timeFor = ({ options }: ParserRequest) =>
    Math.max(0, Math.min(limits.timeMs, options.deadline + limits.graceMs - clock.now()));
  holdOpen(child, false);

  return {
    get isAlive() {
      return failure === undefined && reason === undefined;
    },
    get hasCrashed() {
      return hasCrashed;
    },
    get memory() {
      return memory;
    },
    end: () => end(new ServiceError('SERVICE_UNAVAILABLE')),
    async parse(request, signal) {
      using _end = onAbort(signal, () => void end(signal.reason));
      holdOpen(child, true);
      let watch: (() => void) | undefined;
      try {
        signal.throwIfAborted();
        // The time limit excludes the start of the process.
        await ready.promise;
        if (failure) throw failure;
        answer = Promise.withResolvers();
        watch = watchProcess(child.pid!, timeFor(request), limits.memoryBytes, end);
        // A closed channel means that the process is ending or hangs.
        child.send(sent(request, clock.now()), (error) => error && killGroup(child));
        return await answer.promise;
      } finally {
        watch?.();
        answer = undefined;
        holdOpen(child, false);
      }
    },
  };
}

function sent({ options: { deadline, ...options }, ...request }: ParserRequest, now: number): SentRequest {
  return { ...request, options, leftMs: deadline - now };
}

function spawnConfined({ confinement, limits, searchPath, entry = ENTRY }: ParserProcessOptions, folder: string) {
  const heapMb = Math.floor((limits.memoryBytes * HEAP_SHARE) / MB);
  const command = [process.execPath, `--max-old-space-size=${heapMb}`, entry];
  const [program, ...arguments_] = confinement.wrap(command, folder, limits.memoryBytes);
  return spawn(program, arguments_, {
    cwd: folder,
    env: environment(searchPath, folder),
    // A process group of its own can be killed as a whole, and does not receive the terminal's Ctrl+C.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
}

/** Ends the process when it exceeds its time or memory. Returns a function that stops watching. */
function watchProcess(pid: number, timeMs: number, memoryBytes: number, end: (why: Error) => void): () => void {
  const late = setTimeout(() => end(tooComplex('Parsing it takes too long.')), timeMs);
  let isOver = false;
  const memoryWatch = setInterval(async () => {
    const isTooMuch = (await memoryOfTree(pid)) > memoryBytes;
    // By now the process may be parsing the next file.
    if (isTooMuch && !isOver) end(tooComplex('Parsing it needs too much memory.'));
  }, WATCH_MS);
  return () => {
    isOver = true;
    clearTimeout(late);
    clearInterval(memoryWatch);
  };
}

/** Only what libraries need; none of the service's own settings. */
const environment = (searchPath: string, folder: string): NodeJS.ProcessEnv => {
  const cache = getCompileCacheDir();
  return {
    PATH: searchPath,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    TMPDIR: folder,
    MALLOC_ARENA_MAX: '2',
    // getCompileCacheDir() returns a subfolder named after the Node version.
    ...(cache && { NODE_COMPILE_CACHE: dirname(cache) }),
  };
};

/** An idle process must not keep the service alive; one that is parsing must. */
function holdOpen(child: ChildProcess, isHeld: boolean): void {
  const verb = isHeld ? 'ref' : 'unref';
  child[verb]();
  child.channel?.[verb]();
  (child.stderr as (Readable & { [name in 'ref' | 'unref']?: () => void }) | null)?.[verb]?.();
}

/** Resolves when the process has ended; with an error if it could not be started. */
function endOf(child: ChildProcess): Promise<Error | undefined> {
  return new Promise((resolve) => {
    child.once('error', (cause) => {
      if (child.pid === undefined) resolve(new ServiceError('UNKNOWN_ERROR', { cause }));
    });
    // Its children would keep its pipes open.
    child.once('exit', () => killGroup(child));
    child.once('close', () => resolve(undefined));
  });
}

/** Engines are native code and can abort or segfault. */
const crash = (stderr: string): ServiceError =>
  isExhausted(stderr)
    ? tooComplex('Parsing it needs too much memory.')
    : new ServiceError('DOCUMENT_DAMAGED', { cause: `The parser crashed. ${stderr}` });

function keepEnd(stream: Readable): () => string {
  let text = '';
  stream.setEncoding('latin1').on('data', (more: string) => {
    text = (text + more).slice(-MAX_STDERR);
  });
  return () => text;
}

// One parser process, seen from the service: started, given one document at a time, watched, and ended with all it started.
import { type ChildProcess, spawn } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { ServiceError } from '../../contracts/errors.ts';
import type { ParsedDocument } from '../../contracts/parsed.ts';
import { onAbort } from '../../util/abort.ts';
import type { Clock } from '../../util/clock.ts';
import { memoryOfTree } from '../../util/process-memory.ts';
import { tooComplex } from '../parse-errors.ts';
import type { ProcessLimits } from '../parse-limits.ts';
import type { Confinement } from './confinement.ts';
import { isExhausted } from './problem.ts';
import { makeFolder, removeFolder } from './process-folder.ts';
import type { ProcessMessage, ReadRequest } from './process-messages.ts';

export interface DocumentProcess {
  readonly isAlive: boolean;
  /** It ended by itself, without an answer. */
  readonly hasCrashed: boolean;
  /** The process does not survive what is not answered. */
  read(request: ReadRequest, signal: AbortSignal): Promise<ParsedDocument>;
  /** What it held after its last document, in bytes. */
  readonly memory: number;
  /** Resolves when it is gone, with all it started and its folder. */
  end(): Promise<void>;
}

export interface DocumentProcessOptions {
  confinement: Confinement;
  limits: ProcessLimits;
  searchPath: string;
  clock: Clock;
  /** What runs inside. */
  entry?: string;
}

const ENTRY = fileURLToPath(new URL('./inside/parser-main.ts', import.meta.url));
const WATCH_MS = 100;
const MAX_SAID = 4_096;
// The rest is for native code, and for what programs that it starts take.
const HEAP_SHARE = 0.6;
const MB = 1024 * 1024;

export function startProcess(options: DocumentProcessOptions): DocumentProcess {
  const { limits, clock } = options;
  const folder = makeFolder();
  const child = spawnConfined(options, folder);
  const said = keepEnd(child.stderr!);
  const ready = Promise.withResolvers<void>();
  let answer: PromiseWithResolvers<ParsedDocument> | undefined;
  /** Why it is being ended. */
  let reason: Error | undefined;
  /** What became of it. */
  let failure: Error | undefined;
  let hasCrashed = false;
  let memory = 0;

  const ended = endOf(child).then((problem) => {
    removeFolder(folder);
    reason ??= problem;
    hasCrashed = reason === undefined;
    failure = reason ?? crash(said());
    ready.reject(failure);
    answer?.reject(failure);
  });
  // Who reads is told; a process that ends while nobody does is nobody's trouble.
  ready.promise.catch(() => {});
  child.on('message', (message: ProcessMessage) => {
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
  const timeFor = ({ options }: ReadRequest) =>
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
    async read(request, signal) {
      using _end = onAbort(signal, () => void end(signal.reason));
      holdOpen(child, true);
      let watch: (() => void) | undefined;
      try {
        signal.throwIfAborted();
        // The limit is for the document, not for the start of the process.
        await ready.promise;
        if (failure) throw failure;
        answer = Promise.withResolvers();
        watch = watchProcess(child.pid!, timeFor(request), limits.memoryBytes, end);
        // Who does not listen any more is ending by itself, or hangs.
        child.send(request, (error) => error && killGroup(child));
        return await answer.promise;
      } finally {
        watch?.();
        answer = undefined;
        holdOpen(child, false);
      }
    },
  };
}

function spawnConfined({ confinement, limits, searchPath, entry = ENTRY }: DocumentProcessOptions, folder: string) {
  const heapMb = Math.floor((limits.memoryBytes * HEAP_SHARE) / MB);
  const command = [process.execPath, `--max-old-space-size=${heapMb}`, entry];
  const [program, ...arguments_] = confinement.wrap(command, folder, limits.memoryBytes);
  return spawn(program, arguments_, {
    cwd: folder,
    env: environment(searchPath, folder),
    // A group of its own: the whole of it can be killed, and the terminal's Ctrl+C is ours to handle.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
}

/** Ends the process when it takes too long or too much. Returns what stops the watch. */
function watchProcess(pid: number, timeMs: number, memoryBytes: number, end: (why: Error) => void): () => void {
  const late = setTimeout(() => end(tooComplex('It takes too long.')), timeMs);
  let isOver = false;
  const look = setInterval(async () => {
    const isTooMuch = (await memoryOfTree(pid)) > memoryBytes;
    // The next document may be in it by now.
    if (isTooMuch && !isOver) end(tooComplex('It needs too much memory.'));
  }, WATCH_MS);
  return () => {
    isOver = true;
    clearTimeout(late);
    clearInterval(look);
  };
}

/** What libraries need to find their way, and nothing of what the service was told. */
const environment = (searchPath: string, folder: string): NodeJS.ProcessEnv => {
  const cache = getCompileCacheDir();
  return {
    PATH: searchPath,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    TMPDIR: folder,
    MALLOC_ARENA_MAX: '2',
    // The cache's own folder is named after the version of Node.
    ...(cache && { NODE_COMPILE_CACHE: dirname(cache) }),
  };
};

/** An idle process must not keep the service alive; an open document must. */
function holdOpen(child: ChildProcess, isHeld: boolean): void {
  const verb = isHeld ? 'ref' : 'unref';
  child[verb]();
  child.channel?.[verb]();
  (child.stderr as (Readable & { [name in 'ref' | 'unref']?: () => void }) | null)?.[verb]?.();
}

/** With what kept it from starting, if that was it. */
function endOf(child: ChildProcess): Promise<Error | undefined> {
  return new Promise((resolve) => {
    child.once('error', (cause) => {
      if (child.pid === undefined) resolve(new ServiceError('UNKNOWN_ERROR', { cause }));
    });
    // What it started would hold its pipes open.
    child.once('exit', () => killGroup(child));
    child.once('close', () => resolve(undefined));
  });
}

/** The engines are native code: they can abort, or touch memory that is not theirs. */
const crash = (said: string): ServiceError =>
  isExhausted(said)
    ? tooComplex('It needs too much memory.')
    : new ServiceError('DOCUMENT_DAMAGED', { cause: `The parser crashed. ${said}` });

function keepEnd(stream: Readable): () => string {
  let text = '';
  stream.setEncoding('latin1').on('data', (more: string) => {
    text = (text + more).slice(-MAX_SAID);
  });
  return () => text;
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of it is gone already.
  }
}

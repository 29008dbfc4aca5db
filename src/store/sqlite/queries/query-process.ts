// The service's side of a query process: it is started with the first query, runs one at a time, and is killed at a limit.
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ServiceError } from '../../../contracts/errors/errors.ts';
import { killGroup } from '../../../runtime/programs/kill-group.ts';
import { memoryOfTree } from '../../../runtime/programs/process-memory.ts';
import { onAbort } from '../../../util/abort.ts';
import type { QueryResult } from '../../ports/table-queries.ts';
import type { QueryMessage, QueryProblem, QueryRequest } from './inside/query-messages.ts';

/** The command line that runs `command` cut off from the network, with `folder` to read. */
export type WrapCommand = (
  command: readonly string[],
  folder: string,
  memoryBytes: number,
) => [program: string, ...arguments_: string[]];

export interface QueryProcess {
  readonly isAlive: boolean;
  /** The process is gone after a limit or an abort. */
  run(request: QueryRequest, signal: AbortSignal): Promise<QueryResult>;
  end(): void;
}

const ENTRY = fileURLToPath(new URL('./inside/query-main.ts', import.meta.url));
const MB = 1024 * 1024;
export const MEMORY_BYTES = 256 * MB;
/** The rest is left for SQLite. */
const HEAP_MB = 96;
const WATCH_MS = 20;
const START_MS = 20_000;

export function startQueryProcess(wrap: WrapCommand, dataDir: string): QueryProcess {
  const child = spawnConfined(wrap, dataDir);
  const ready = Promise.withResolvers<void>();
  let answer: PromiseWithResolvers<QueryResult> | undefined;
  let batches: string[] = [];
  /** Why it is being ended. */
  let reason: Error | undefined;
  let isGone = false;

  const end = (why: Error) => {
    reason ??= why;
    child.ref();
    killGroup(child);
  };
  const fail = (cause?: unknown) => {
    isGone = true;
    // Native code that gets no memory aborts.
    reason ??= cause ? new ServiceError('UNKNOWN_ERROR', { cause }) : new ServiceError('QUERY_OUT_OF_MEMORY');
    ready.reject(reason);
    answer?.reject(reason);
  };
  child.once('error', fail);
  child.once('exit', () => {
    killGroup(child);
    fail();
  });
  child.on('message', (message: QueryMessage) => {
    if ('ready' in message) ready.resolve();
    else if ('batch' in message) batches.push(message.batch);
    else if ('problem' in message) answer?.reject(errorOf(message.problem));
    else answer?.resolve({ ...message, batches });
  });
  ready.promise.catch(() => {});
  holdOpen(child, false);

  return {
    get isAlive() {
      return !isGone && reason === undefined;
    },
    end: () => end(new ServiceError('SERVICE_UNAVAILABLE')),
    async run(request, signal) {
      using _end = onAbort(signal, () => end(signal.reason));
      holdOpen(child, true);
      const late = setTimeout(() => end(new ServiceError('UNKNOWN_ERROR')), START_MS);
      let watch: (() => void) | undefined;
      try {
        signal.throwIfAborted();
        // The time of the query does not include the start of the process.
        await ready.promise;
        clearTimeout(late);
        batches = [];
        answer = Promise.withResolvers();
        watch = watchLimits(child.pid!, request.timeMs, end);
        child.send(request, (error) => error && killGroup(child));
        return await answer.promise;
      } finally {
        clearTimeout(late);
        watch?.();
        answer = undefined;
        batches = [];
        holdOpen(child, false);
      }
    },
  };
}

const errorOf = ({ code, message }: QueryProblem): ServiceError =>
  code === 'UNKNOWN_ERROR' ? new ServiceError(code, { cause: message }) : new ServiceError(code, { message });

function spawnConfined(wrap: WrapCommand, dataDir: string): ChildProcess {
  const [program, ...arguments_] = wrap(
    [process.execPath, `--max-old-space-size=${HEAP_MB}`, ENTRY],
    dataDir,
    MEMORY_BYTES,
  );
  return spawn(program, arguments_, {
    cwd: dataDir,
    // None of the settings of the service.
    env: { LANG: 'C.UTF-8', TZ: 'UTC', MALLOC_ARENA_MAX: '2' },
    // A process group of its own can be killed as a whole, and does not receive the terminal's Ctrl+C.
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
}

/** Returns a function that stops watching. */
function watchLimits(pid: number, timeMs: number, end: (why: Error) => void): () => void {
  const late = setTimeout(() => end(tooSlow(timeMs)), timeMs);
  let isOver = false;
  const memoryWatch = setInterval(async () => {
    const isTooMuch = (await memoryOfTree(pid)) > MEMORY_BYTES;
    // By now the process may run the next query.
    if (isTooMuch && !isOver) end(new ServiceError('QUERY_OUT_OF_MEMORY'));
  }, WATCH_MS);
  return () => {
    isOver = true;
    clearTimeout(late);
    clearInterval(memoryWatch);
  };
}

const tooSlow = (timeMs: number): ServiceError =>
  new ServiceError('QUERY_TIMEOUT', {
    message: `The query took longer than ${timeMs / 1_000} seconds. Narrow it down (by \`url\` or \`host\`), leave out columns of texts, or raise \`timeout\`, up to 30,000.`,
  });

/** An idle process must not keep the service alive; one that works must. */
function holdOpen(child: ChildProcess, isHeld: boolean): void {
  const verb = isHeld ? 'ref' : 'unref';
  child[verb]();
  child.channel?.[verb]();
}

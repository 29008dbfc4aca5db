// Starts an index in a process of its own and talks to it.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { IndexChange } from '../../src/index/page-index.ts';
import type { IndexRequest, IndexUsage, QueryLoad, QueryTime } from './index-runner.ts';

export interface IndexProcess {
  pid: number;
  apply(changes: IndexChange[]): Promise<void>;
  ask(load: QueryLoad): Promise<QueryTime[]>;
  /** Waits until the index is idle, then returns what it has used so far. */
  settle(): Promise<IndexUsage>;
  stop(): Promise<void>;
}

type RequestWithoutId = IndexRequest extends infer One ? (One extends { id: number } ? Omit<One, 'id'> : never) : never;

const RUNNER = join(import.meta.dirname, 'index-runner.ts');

/** `engine` is the file name of a module in this folder. */
export async function startIndex(engine: string, file: string): Promise<IndexProcess> {
  const child = fork(RUNNER, [join(import.meta.dirname, engine), file], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const calls = new Map<number, PromiseWithResolvers<unknown>>();
  const life = new AbortController();
  const ended = once(child, 'exit').then(() => {
    life.abort();
    for (const call of calls.values()) call.reject(new Error(`The process of ${engine} ended before it answered.`));
  });
  const killOnExit = () => child.kill('SIGKILL');
  process.once('exit', killOnExit);
  await once(child, 'message', { signal: life.signal });
  child.on('message', ({ id, value }: { id: number; value: unknown }) => {
    calls.get(id)?.resolve(value);
    calls.delete(id);
  });

  let last = 0;
  const call = <T>(request: RequestWithoutId): Promise<T> => {
    const id = ++last;
    const answer = Promise.withResolvers<unknown>();
    calls.set(id, answer);
    child.send({ ...request, id });
    return answer.promise as Promise<T>;
  };

  return {
    pid: child.pid!,
    apply: (changes) => call({ apply: changes }),
    ask: (load) => call({ ask: load }),
    settle: () => call({ settle: true }),
    async stop() {
      await call({ close: true });
      child.disconnect();
      await ended;
      process.off('exit', killOnExit);
    },
  };
}

// The parent's end of the process that an index runs in.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { IndexChange } from '../../src/index/page-index.ts';
import type { IndexRequest, IndexUsage, QueryLoad, QueryTime } from './index-runner.ts';

export interface IndexProcess {
  pid: number;
  apply(changes: IndexChange[]): Promise<void>;
  ask(load: QueryLoad): Promise<QueryTime[]>;
  /** When nothing is left to do: what it has spent so far. */
  settle(): Promise<IndexUsage>;
  stop(): Promise<void>;
}

type RequestWithoutId = IndexRequest extends infer One ? (One extends { id: number } ? Omit<One, 'id'> : never) : never;

const RUNNER = join(import.meta.dirname, 'index-runner.ts');

/** `engine` is the name of a module of this folder. */
export async function startIndex(engine: string, file: string): Promise<IndexProcess> {
  const child = fork(RUNNER, [join(import.meta.dirname, engine), file], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const open = new Map<number, PromiseWithResolvers<unknown>>();
  const life = new AbortController();
  const ended = once(child, 'exit').then(() => {
    life.abort();
    for (const call of open.values()) call.reject(new Error(`The process of ${engine} ended before it answered.`));
  });
  const killWithUs = () => child.kill('SIGKILL');
  process.once('exit', killWithUs);
  await once(child, 'message', { signal: life.signal });
  child.on('message', ({ id, value }: { id: number; value: unknown }) => {
    open.get(id)?.resolve(value);
    open.delete(id);
  });

  let last = 0;
  const call = <T>(question: RequestWithoutId): Promise<T> => {
    const id = ++last;
    const answer = Promise.withResolvers<unknown>();
    open.set(id, answer);
    child.send({ ...question, id });
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
      process.off('exit', killWithUs);
    },
  };
}

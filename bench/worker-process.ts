// A process that is asked one question at a time, so that nothing else runs while an answer is measured.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { peakResidentMb } from './measure.ts';

export interface WorkerProcess<Question, Answer> {
  ask(question: Question): Promise<Answer>;
  /** The most memory it has had so far. Not getrusage: what that tells begins with the memory of the parent. */
  peakMb(): number;
  stop(): Promise<void>;
}

/** The runner says that it is ready by its first message; `module` is what it works with. */
export async function startWorkerProcess<Question extends object | string, Answer>(
  runner: string,
  module: string,
  flags: string[] = [],
): Promise<WorkerProcess<Question, Answer>> {
  const child = fork(runner, [module], { execArgv: flags, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const life = new AbortController();
  const ended = once(child, 'exit').then(() => life.abort());
  const message = async () => {
    try {
      return (await once(child, 'message', { signal: life.signal }))[0];
    } catch (cause) {
      throw new Error(`The process of ${module} ended before it answered.`, { cause });
    }
  };
  await message();
  return {
    async ask(question) {
      child.send(question);
      return (await message()) as Answer;
    },
    peakMb: () => peakResidentMb(child.pid!),
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

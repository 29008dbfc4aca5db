// A child process that handles one request at a time, so that nothing else runs while it is measured.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { peakResidentMb } from './measure.ts';

export interface WorkerProcess<Request, Answer> {
  ask(request: Request): Promise<Answer>;
  /** Peak memory so far. Not from getrusage, whose value starts with the memory of the parent. */
  peakMb(): number;
  stop(): Promise<void>;
}

/** `runner` loads `module` and sends its first message when it is ready. */
export async function startWorkerProcess<Request extends object | string, Answer>(
  runner: string,
  module: string,
  flags: string[] = [],
): Promise<WorkerProcess<Request, Answer>> {
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
    async ask(request) {
      child.send(request);
      return (await message()) as Answer;
    },
    peakMb: () => peakResidentMb(child.pid!),
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

// The parent's end of a reader process: one file at a time, so that nothing else runs while a file is measured.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { peakResidentMb } from '../measure.ts';
import type { Answer } from './runner.ts';

export interface ReaderProcess {
  ask(file: string): Promise<Answer>;
  /** The most memory it has had so far. */
  peakMb(): number;
  stop(): Promise<void>;
}

const RUNNER = join(import.meta.dirname, 'runner.ts');

export async function startReader(module: string): Promise<ReaderProcess> {
  const child = fork(RUNNER, [join(import.meta.dirname, module)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
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
    async ask(file) {
      child.send(file);
      return (await message()) as Answer;
    },
    peakMb: () => peakResidentMb(child.pid!),
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

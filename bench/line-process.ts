// A program in any language as a worker process: it prints one line when it is ready, then reads requests and writes
// answers, one line of JSON each.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { peakResidentMb } from './measure.ts';
import type { WorkerProcess } from './worker-process.ts';

export async function startLineProcess<Request extends object, Answer>(
  program: string,
  args: string[] = [],
): Promise<WorkerProcess<Request, Answer>> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  // A program that cannot be started has no output either, which is reported below.
  const ended = once(child, 'close').catch(() => {});
  // A broken pipe shows as the end of the output, which names the program.
  child.stdin.on('error', () => {});
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${program} ended before it answered.`);
    return JSON.parse(value) as unknown;
  };
  await answer();
  return {
    async ask(request) {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      return (await answer()) as Answer;
    },
    peakMb: () => peakResidentMb(child.pid!),
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}

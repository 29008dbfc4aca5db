// A program in any language as a worker process: it prints one line when it is ready, then reads requests and writes
// answers, one line of JSON each.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
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
  const lines = readLines(child.stdout);
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

/** Not by node:readline, which also breaks lines at U+2028 and U+2029: JSON strings may contain them as they are. */
async function* readLines(stream: Readable): AsyncGenerator<string, void> {
  let rest = '';
  for await (const chunk of stream.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
}

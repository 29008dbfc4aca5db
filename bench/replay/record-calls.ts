// Loaded into a service before the program: its store thread and its index thread write down each call that they get, in the
// folder named by TRAWL_BENCH_RECORD.
import { join } from 'node:path';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { createCallsFile, sizeOf } from './calls-file.ts';
import { THREADS } from './threads.ts';

const folder = process.env.TRAWL_BENCH_RECORD;
const entry = process.argv[1]!;
const name = Object.entries(THREADS).find(([, { file }]) => entry.endsWith(file))?.[0];
if (folder && parentPort && name) recordCalls(parentPort, join(folder, `${name}.calls`));

interface Call {
  id: number;
  method: string;
  args: unknown[];
  moved: ArrayBuffer[];
}

/** The thread listens to its port once it is ready; before that, nobody may, because the first calls would be lost. */
function recordCalls(port: MessagePort, file: string): void {
  const write = createCallsFile(file);
  write({ settings: workerData });
  const { on, postMessage } = port;
  port.on = function (this: MessagePort, event: string, listener: (...args: never[]) => void) {
    if (event === 'message') {
      on.call(this, event, ({ id, method, args, moved }: Call) =>
        write({ call: { id, method, args, isMoved: moved.length > 0 }, at: Date.now() }),
      );
    }
    return on.call(this, event as 'message', listener as (value: unknown) => void);
  } as MessagePort['on'];
  port.postMessage = function (this: MessagePort, answer: { id: number }, ...rest: never[]) {
    write({ answered: answer.id, size: sizeOf(answer) });
    return postMessage.call(this, answer, ...rest);
  } as MessagePort['postMessage'];
}

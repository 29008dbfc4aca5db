// Replays recorded calls into the thread of one checkout, and measures what that thread costs. Arguments: the folder of the
// checkout, the name of the thread, the data folder to work on, and the recording as JSON.
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type RecordedCall, readCalls, sizeOf } from './calls-file.ts';
import type { Recording } from './recording.ts';
import { THREADS, type ThreadName } from './threads.ts';

export interface ReplayCost {
  /** Milliseconds of the thread. */
  user: number;
  system: number;
  /** Of V8's helpers: collections and compiling. */
  helpers: number;
  /** Calls whose answer has another size than the recorded one, or that failed. */
  changed: number;
}

interface Answer {
  id: number;
  error?: Error;
}

const [root, name, dataDir, facts] = process.argv.slice(2) as [string, ThreadName, string, string];
const recording: Recording = JSON.parse(facts);
process.send!(await replay());
process.disconnect();

async function replay(): Promise<ReplayCost> {
  /** With the size of their answer. */
  const open = new Map<number, PromiseWithResolvers<number>>();
  let thread: Worker | undefined;
  let start: Usage | undefined;
  let changed = 0;
  for (const event of readCalls(join(recording.folder, `${name}.calls`))) {
    if ('settings' in event) {
      // The thread may have ended in between because nothing came.
      await thread?.terminate();
      thread = startThread(event.settings);
      thread.on('message', (answer: Answer) => {
        if (answer.error) console.error(`  call ${answer.id} failed:`, answer.error.message);
        open.get(answer.id)!.resolve(sizeOf(answer));
      });
    } else if ('answered' in event) {
      if ((await open.get(event.answered)!.promise) !== event.size) changed += 1;
      open.delete(event.answered);
    } else {
      if (event.at >= recording.startedAt) start ??= await usageOf(thread!);
      open.set(event.call.id, Promise.withResolvers());
      send(thread!, event.call);
    }
  }
  await Promise.all([...open.values()].map(({ promise }) => promise));
  const end = await usageOf(thread!);
  await thread!.terminate();
  const own = { user: end.user - start!.user, system: end.system - start!.system };
  return { ...own, helpers: end.others - start!.others - own.user - own.system, changed };
}

function startThread(settings: unknown): Worker {
  return new Worker(join(root, THREADS[name].file), { workerData: moveFolder(settings) });
}

/** The settings with the folder that the calls are replayed on. */
function moveFolder(settings: unknown): unknown {
  if (typeof settings === 'string') return settings.replace(recording.dataDir, dataDir);
  if (typeof settings !== 'object' || settings === null || ArrayBuffer.isView(settings)) return settings;
  return Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, moveFolder(value)]));
}

function send(thread: Worker, { id, method, args, isMoved }: RecordedCall): void {
  const moved: ArrayBuffer[] = [];
  const own = withOwnBytes(args, moved);
  const buffers = isMoved ? moved : [];
  thread.postMessage({ id, method, args: own, moved: buffers }, buffers);
}

/** What is read from a file is a view of it; each value gets a buffer of its own, as it had. */
function withOwnBytes(value: unknown, buffers: ArrayBuffer[]): unknown {
  if (value instanceof Uint8Array) {
    const bytes = new Uint8Array(value);
    buffers.push(bytes.buffer);
    return bytes;
  }
  if (Array.isArray(value)) return value.map((one) => withOwnBytes(one, buffers));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withOwnBytes(one, buffers)]));
}

interface Usage {
  user: number;
  system: number;
  /** All threads but the main one, which sends. */
  others: number;
}

async function usageOf(thread: Worker): Promise<Usage> {
  const [{ user, system }, whole, main] = [await thread.cpuUsage(), process.cpuUsage(), process.threadCpuUsage()];
  const others = whole.user + whole.system - main.user - main.system;
  return { user: user / 1000, system: system / 1000, others: others / 1000 };
}

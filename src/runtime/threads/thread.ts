// Typed calls into a worker thread. Both sides are checked against one interface, the port: `remotePort<Port>` makes the
// calls, `serveThread<Port>` answers them. Each call is one request message and one answer message, matched by number.
import { parentPort, Worker } from 'node:worker_threads';
import { assert, fail } from '../../util/assert.ts';
import { collectWhenIdle } from './collect-when-idle.ts';
import { createTurns } from './turns.ts';

export interface Thread {
  /** Sends one call. Used through `remotePort`, which knows the types. */
  readonly call: SendCall;
  /** Number of calls that have not been answered. */
  readonly pending: number;
  /** Processor time that the thread has used, in milliseconds. A thread that is stuck outside of JavaScript does not answer. */
  cpuMs(): Promise<number>;
  /** Ends the thread; open calls reject with `reason`. */
  terminate(reason?: Error): Promise<void>;
}

export type SendCall = (method: string, args: readonly unknown[], transfer: readonly ArrayBuffer[]) => Promise<unknown>;

/**
 * A value whose buffers move to the other thread instead of being copied: an argument of a call, or its answer. Those of a
 * call that fails come back with the error, see `handedBack`.
 */
export class Moved<Value> {
  readonly value: Value;
  readonly buffers: readonly ArrayBuffer[];

  constructor(value: Value, buffers: readonly ArrayBuffer[]) {
    this.value = value;
    this.buffers = buffers;
  }
}

type AsyncMethod = (...args: never[]) => Promise<unknown>;
type Movable<Args extends unknown[]> = { [Index in keyof Args]: Args[Index] | Moved<Args[Index]> };

/** A port as its caller sees it: any argument may be moved. A port of ports is called as `remote.pages.find(...)`. */
export type Remote<Port> = {
  readonly [Name in keyof Port]: Port[Name] extends AsyncMethod
    ? (...args: Movable<Parameters<Port[Name]>>) => ReturnType<Port[Name]>
    : Remote<Port[Name]>;
};

/** The same port as a thread implements it: methods may answer at once, and may move the buffers of their answer. */
export type Hosted<Port> = {
  [Name in keyof Port]: Port[Name] extends (...args: infer Args) => Promise<infer Value>
    ? (...args: Args) => Value | Moved<Value> | Promise<Value | Moved<Value>>
    : Hosted<Port[Name]>;
};

/** What a thread serves: its port, and what it does when it is at rest. */
export type Served<Port> = Hosted<Port> & { onRest?(): void };

interface Call {
  id: number;
  /** Names of nested ports and the method, joined by dots. */
  method: string;
  args: unknown[];
  /** The buffers of the arguments that were moved, not copied. */
  moved: ArrayBuffer[];
}
interface Answer {
  id: number;
  value?: unknown;
  error?: unknown;
  /** The `code` of the error, which it would lose on the way like every property of its own. */
  code?: unknown;
  /** The moved buffers of a call that failed. */
  moved?: ArrayBuffer[];
}

export interface ThreadOptions {
  workerData?: unknown;
  maxOldGenerationSizeMb?: number;
  stackSizeMb?: number;
  /** Called once when the thread ends for any reason other than `terminate`. */
  onCrash?: (error: Error) => void;
}

export function startThread(entry: URL, options: ThreadOptions = {}): Thread {
  const worker = new Worker(entry, {
    workerData: options.workerData,
    resourceLimits: {
      maxOldGenerationSizeMb: options.maxOldGenerationSizeMb,
      stackSizeMb: options.stackSizeMb,
    },
  });
  const open = new Map<number, PromiseWithResolvers<unknown>>();
  let next = 1;
  let ended: Error | undefined;

  const endWith = (error: Error) => {
    if (ended) return;
    ended = error;
    for (const call of open.values()) call.reject(error);
    open.clear();
    worker.unref();
  };
  const crash = (error: Error) => {
    if (ended) return;
    endWith(error);
    options.onCrash?.(error);
  };
  const settle = ({ id, value, error, code, moved }: Answer) => {
    const call = open.get(id);
    if (!call) return;
    open.delete(id);
    if (open.size === 0) worker.unref();
    if (error === undefined) call.resolve(value);
    else call.reject(Object.assign(error as Error, code !== undefined && { code }, moved && { moved }));
  };
  // What its caller does with an answer may take longer than the call.
  const takeTurn = createTurns();
  worker.on('message', (answer: Answer) => takeTurn(() => settle(answer)));
  worker.on('error', (error) => crash(error as Error));
  worker.on('exit', (code) => crash(new Error(`The worker thread ended with code ${code}.`)));
  // An idle thread must not keep the process alive; an open call must.
  worker.unref();

  return {
    get pending() {
      return open.size;
    },
    async cpuMs() {
      const { user, system } = await worker.cpuUsage();
      return (user + system) / 1000;
    },
    call(method, args, transfer) {
      if (ended) return Promise.reject(ended);
      const id = next++;
      const answer = Promise.withResolvers<unknown>();
      const moved = [...transfer];
      worker.postMessage({ id, method, args: [...args], moved } satisfies Call, moved);
      if (open.size === 0) worker.ref();
      open.set(id, answer);
      return answer.promise;
    },
    async terminate(reason = new Error('The worker thread was terminated.')) {
      endWith(reason);
      await worker.terminate();
    },
  };
}

/** The buffers that moved with a call that failed, in the same order, so that the call can be repeated. */
export function handedBack(error: unknown): readonly ArrayBuffer[] {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('moved' in cause) return cause.moved as ArrayBuffer[];
  }
  return [];
}

/** The port at the other end of `send`. Method names come from the port's type; nobody writes them as strings. */
export function remotePort<Port extends object>(send: SendCall): Remote<Port> {
  // The one place where the types of a port meet untyped messages; `serveThread` is checked against the same port.
  return remoteAt(send, '') as Remote<Port>;
}

function remoteAt(send: SendCall, path: string): object {
  const members = new Map<string, object>();
  const invoke = (...args: unknown[]) => {
    const values = args.map((arg) => (arg instanceof Moved ? arg.value : arg));
    return send(
      path,
      values,
      args.flatMap((arg) => (arg instanceof Moved ? arg.buffers : [])),
    );
  };
  return new Proxy(invoke, {
    get(_target, name) {
      // A port is no promise: `await port` must not turn into a call.
      if (typeof name !== 'string' || name === 'then') return undefined;
      const known = members.get(name);
      if (known) return known;
      const member = remoteAt(send, path === '' ? name : `${path}.${name}`);
      members.set(name, member);
      return member;
    },
    // Its methods are only known to the type: a spread would silently be empty.
    ownKeys: () => fail('A remote port cannot be spread or listed. Use `override`.'),
  });
}

/** A port with some of its methods replaced; the rest still go to `port`. */
export function override<Port extends object>(port: Port, own: Partial<Port>): Port {
  return Object.assign(Object.create(port), own);
}

/** The other side: answers each call with what the method of that name returns or throws. */
export function serveThread<Port extends object>(hosted: Served<Port>): void {
  const port = parentPort;
  assert(port, 'serveThread runs only inside a worker thread.');
  collectWhenIdle({ onRest: hosted.onRest });
  port.on('message', async ({ id, method, args, moved }: Call) => {
    try {
      const answer: unknown = await findMethod(hosted, method)(...args);
      if (answer instanceof Moved) port.postMessage({ id, value: answer.value } satisfies Answer, [...answer.buffers]);
      else port.postMessage({ id, value: answer } satisfies Answer);
    } catch (error) {
      const back = moved.filter((buffer) => !buffer.detached);
      port.postMessage({ id, error, code: (error as { code?: unknown }).code, moved: back } satisfies Answer, back);
    }
  });
}

function findMethod(hosted: object, path: string): (...args: unknown[]) => unknown {
  let found: unknown = hosted;
  for (const name of path.split('.')) found = (found as Record<string, unknown> | undefined)?.[name];
  if (typeof found === 'function') return found as (...args: unknown[]) => unknown;
  return fail(`The worker thread has no method ${path}.`);
}

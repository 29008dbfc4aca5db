// Runs inside the sandbox: a caller's JavaScript, with `page`, `context` and `browser` of the session as globals. The
// result is the value of the last expression; `await` is allowed everywhere, and a top-level `return` ends it with its
// value.
import { readFileSync, writeSync } from 'node:fs';
import { Session } from 'node:inspector';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { inspect } from 'node:util';
import { type ConnectOverCDPTransport, chromium } from 'playwright-core';

interface Evaluation {
  result: { type: string; value?: unknown; unserializableValue?: string; objectId?: string };
  exceptionDetails?: { exception?: { description?: string; value?: unknown; className?: string }; text: string };
}

const SOCKET = '/trawl/cdp';
const CODE = '/trawl/code';
const RESULT_FD = 3;
const MAX_RESULT = 1_000_000;

const inspector = new Session();
const retrieved: { value?: unknown } = {};

function socketTransport(): ConnectOverCDPTransport {
  const socket = connect(SOCKET);
  let rest = '';
  const transport: ConnectOverCDPTransport = {
    send: (message) => socket.write(`${JSON.stringify(message)}\0`),
    close: () => socket.destroy(),
  };
  socket.setEncoding('utf8');
  socket.on('error', () => socket.destroy()).on('close', () => transport.onclose?.());
  socket.on('data', (text: string) => {
    const [first = '', ...more] = text.split('\0');
    rest += first;
    for (const part of more) {
      const message = JSON.parse(rest);
      // One task a message: Playwright must have processed one before it gets the next.
      setImmediate(() => transport.onmessage?.(message));
      rest = part;
    }
  });
  return transport;
}

async function prepare(): Promise<void> {
  const browser = await chromium.connectOverCDP(socketTransport(), { artifactsDir: '/tmp' });
  const context = browser.contexts()[0]!;
  const page = context.pages()[0] ?? (await context.newPage());
  Object.assign(globalThis, { browser, context, page, require: createRequire(import.meta.url) });
}

/** Like a debugger's console: declarations, `await`, and the value of the last expression. */
const evaluate = (expression: string): Promise<Evaluation> =>
  new Promise((resolve, reject) => {
    inspector.post('Runtime.evaluate', { expression, replMode: true, awaitPromise: true }, (error, answer) =>
      error ? reject(error) : resolve(answer as Evaluation),
    );
  });

const describe = ({ exceptionDetails }: Evaluation): string | undefined => {
  if (!exceptionDetails) return undefined;
  const { exception, text } = exceptionDetails;
  return exception?.description ?? String(exception?.value ?? text);
};

async function retrieve({ result }: Evaluation): Promise<unknown> {
  const { type, value, unserializableValue, objectId } = result;
  if (objectId === undefined) return type === 'undefined' ? undefined : (value ?? unserializableValue ?? null);
  // The debugger only returns an object id; calling a function on the object hands us the object itself.
  Object.assign(globalThis, { [Symbol.for('retrieved')]: retrieved });
  const functionDeclaration = 'function () { globalThis[Symbol.for("retrieved")].value = this; }';
  inspector.post('Runtime.callFunctionOn', { objectId, functionDeclaration });
  return retrieved.value;
}

function format(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  try {
    const isPlain = typeof value !== 'object' || value === null || isData(value);
    return (isPlain ? JSON.stringify(value) : undefined) ?? inspect(value, { depth: 2 });
  } catch {
    return inspect(value);
  }
}

const isData = (value: object): boolean => {
  const prototype = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === null || prototype === Object.prototype || 'toJSON' in value;
};

function fail(text: string): never {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

/** Drops the stack frames of this file. */
const withoutOwnFrames = (text: string): string => {
  const lines = text.split('\n');
  const ours = lines.findIndex((line) => /^\s+at .*(node:inspector|\/trawl\/run-node)/.test(line));
  return lines.slice(0, ours === -1 ? undefined : ours).join('\n');
};

const code = readFileSync(CODE, 'utf8');
await prepare().catch((error: Error) => fail(`The browser of the session could not be reached: ${error.message}`));
inspector.connect();
let done = await evaluate(code);
if (/^SyntaxError: Illegal return statement/.test(describe(done) ?? '')) {
  done = await evaluate(`(async () => {\n${code}\n})()`);
}
const problem = describe(done);
if (problem !== undefined) fail(withoutOwnFrames(problem));
try {
  writeSync(RESULT_FD, format(await retrieve(done)).slice(0, MAX_RESULT));
} catch (error) {
  fail(inspect(error));
}
// An open connection or timer would keep the process alive.
process.exit();

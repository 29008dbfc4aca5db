// Runs inside the sandbox: a caller's JavaScript, with `page`, `context` and `browser` of the session at hand. Its last
// expression is the result; `await` is allowed everywhere, and a `return` outside of functions ends it with its value.
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
const kept: { value?: unknown } = {};

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
      // One at a time: Playwright must have taken in one message before the next comes.
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

/** As the console of a debugger would: declarations, `await`, and the value of the last expression. */
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

async function bringBack({ result }: Evaluation): Promise<unknown> {
  const { type, value, unserializableValue, objectId } = result;
  if (objectId === undefined) return type === 'undefined' ? undefined : (value ?? unserializableValue ?? null);
  // The debugger knows it by a number only; this brings the thing itself back here.
  Object.assign(globalThis, { [Symbol.for('kept')]: kept });
  const functionDeclaration = 'function () { globalThis[Symbol.for("kept")].value = this; }';
  inspector.post('Runtime.callFunctionOn', { objectId, functionDeclaration });
  return kept.value;
}

function print(value: unknown): string {
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

/** Without the lines that tell of this file. */
const withoutUs = (text: string): string => {
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
if (problem !== undefined) fail(withoutUs(problem));
try {
  writeSync(RESULT_FD, print(await bringBack(done)).slice(0, MAX_RESULT));
} catch (error) {
  fail(inspect(error));
}
// A connection or a timer would keep it from ending.
process.exit();

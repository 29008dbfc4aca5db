// Runs a caller's code in a sandbox whose only way out is the browser of one session.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ServiceError } from '../../contracts/errors.ts';
import { LANGUAGES, type Language } from '../../contracts/execute.ts';
import { listenForMessages, type MessageConnection } from '../../net/message-socket.ts';
import { deadline } from '../../util/abort.ts';
import { createGate, type Gate } from '../../util/limit.ts';
import type { BrowserSession } from '../session.ts';
import { type Bind, CODE_FILE, INSIDE } from './bwrap-arguments.ts';
import type { Sandbox, SandboxOutcome } from './sandbox.ts';

export interface CodeRun {
  text: string;
  language: Language;
  timeoutMs: number;
}

export interface Executor {
  /** Throws ServiceError when code of this language may not run here. */
  admit(language: Language): void;
  run(session: BrowserSession, code: CodeRun, signal: AbortSignal): Promise<SandboxOutcome>;
}

export interface ExecutorDeps {
  sandbox: Sandbox;
  /** What the operator allows. */
  languages: readonly Language[];
}

interface Program {
  command: readonly string[];
  binds: readonly Bind[];
}

const MAX_AT_ONCE = 4;
const MAX_WAITING = 32;
const TOUCH_MS = 5_000;
const NODE = `${INSIDE}/node`;
// Node would else take a part of the machine's memory for its own.
const NODE_HEAP = '--max-old-space-size=256';
const WITH_PORT = [NODE, NODE_HEAP, `${INSIDE}/run-with-port.ts`];
const NO_PLAYWRIGHT = 'no playwright';

export function createExecutor({ sandbox, languages }: ExecutorDeps): Executor {
  const gate = createGate(MAX_AT_ONCE, MAX_WAITING);
  const admit = (language: Language) => {
    if (languages.includes(language)) return;
    throw new ServiceError('EXECUTE_NOT_ALLOWED', {
      message:
        languages.length === 0
          ? undefined
          : `Code in ${language} is not run on this server; its operator allows ${languages.join(', ')} (TRAWL_BROWSER_EXECUTE).`,
    });
  };
  return {
    admit,
    async run(session, { text, language, timeoutMs }, outer) {
      admit(language);
      const signal = AbortSignal.any([outer, session.ended]);
      const leave = await enter(gate, timeoutMs, signal);
      // A session is not idle while code runs beside it, also if that only thinks.
      const busy = setInterval(session.touch, TOUCH_MS);
      try {
        session.touch();
        const outcome = await runWithSocket(sandbox, session, { text, language, timeoutMs }, signal);
        session.touch();
        if (outcome.result === NO_PLAYWRIGHT && language === 'python') throw withoutPython();
        return language === 'node' ? outcome : { ...outcome, result: outcome.stdout };
      } catch (error) {
        if (session.ended.aborted && !outer.aborted) throw new ServiceError('SESSION_ENDED');
        throw error;
      } finally {
        clearInterval(busy);
        leave();
      }
    },
  };
}

/** Nobody waits for a place longer than his code may run. */
async function enter(gate: Gate, timeoutMs: number, signal: AbortSignal): Promise<() => void> {
  const waiting = deadline(timeoutMs, () => new ServiceError('QUEUE_FULL'), signal);
  try {
    const leave = await gate.enter(waiting.signal);
    if (!leave) throw new ServiceError('QUEUE_FULL');
    return leave;
  } finally {
    waiting.done();
  }
}

async function runWithSocket(
  sandbox: Sandbox,
  session: BrowserSession,
  { text, language, timeoutMs }: CodeRun,
  signal: AbortSignal,
): Promise<SandboxOutcome> {
  const { command, binds } = programOf(language);
  const socket = await listenForMessages((connection) => bridge(connection, session, signal));
  try {
    const run = {
      program: command,
      code: text,
      binds,
      socket: { from: socket.path, to: `${INSIDE}/cdp` },
      timeoutMs,
      onReady: socket.hide,
    };
    return await sandbox.run(run, signal);
  } finally {
    socket.close();
  }
}

/** The session's own rules hold for what comes through here, as for every client. */
async function bridge(connection: MessageConnection, session: BrowserSession, signal: AbortSignal): Promise<void> {
  const early: string[] = [];
  connection.onMessage((message) => early.push(message));
  try {
    const channel = await session.connect(signal);
    connection.onMessage((message) => {
      session.touch();
      channel.send(message);
    });
    channel.onMessage(connection.send);
    channel.onClose(connection.close);
    connection.onClose(channel.close);
    for (const message of early) channel.send(message);
  } catch {
    connection.close();
  }
}

function programOf(language: Language): Program {
  const node = { from: process.execPath, to: NODE };
  const here = (name: string, to = name): Bind => ({
    from: join(import.meta.dirname, 'inside', name),
    to: `${INSIDE}/${to}`,
  });
  const runWithPort = [node, here('run-with-port.ts'), packageBind('ws', '@fastify/websocket')];
  if (language === 'node') {
    const binds = [node, here('run-node.ts'), packageBind('playwright-core')];
    return { command: [NODE, NODE_HEAP, `${INSIDE}/run-node.ts`], binds };
  }
  if (language === 'python') {
    const command = [...WITH_PORT, 'python3', `${INSIDE}/run-python.py`];
    return { command, binds: [...runWithPort, here('run-python.py')] };
  }
  const agent = findAgentBrowser();
  const binds = [here('agent-browser.sh', 'bin/agent-browser'), ...(agent ? [...runWithPort, agent] : [])];
  return { command: [...(agent ? WITH_PORT : []), 'bash', CODE_FILE], binds };
}

/** `of`: whose dependency it is. */
function packageBind(name: string, of?: string): Bind {
  const own = createRequire(import.meta.url);
  const { resolve } = of === undefined ? own : createRequire(own.resolve(of));
  return { from: dirname(resolve(`${name}/package.json`)), to: `${INSIDE}/node_modules/${name}` };
}

/** An optional package: one program for each kind of machine. */
function findAgentBrowser(): Bind | undefined {
  const { resolve } = createRequire(import.meta.url);
  try {
    const folder = dirname(resolve('agent-browser/package.json'));
    const from = join(folder, 'bin', `agent-browser-linux-${process.arch}`);
    return existsSync(from) ? { from, to: `${INSIDE}/agent-browser` } : undefined;
  } catch {
    return undefined;
  }
}

const withoutPython = (): ServiceError =>
  new ServiceError('SANDBOX_UNAVAILABLE', {
    message: `Python code needs the system's python3 with Playwright for Python, which this server does not have. Use ${LANGUAGES[0]} instead.`,
  });

/** One sentence for the caller where the code did not end well. */
export function problemOf(
  { exitCode, killedFor, stderr }: SandboxOutcome,
  { language, timeoutMs }: CodeRun,
): string | undefined {
  if (killedFor === 'time') return `The code was ended after ${timeoutMs / 1000} seconds (\`timeout\`).`;
  if (killedFor === 'memory') return 'The code was ended because it used more than 512 MB of memory.';
  if (exitCode === 0) return undefined;
  const said = stderr.trim().split('\n');
  // Python names the error last, the others first.
  const line = language === 'python' ? said.at(-1) : said[0];
  return line || `The code ended with exit code ${exitCode}.`;
}

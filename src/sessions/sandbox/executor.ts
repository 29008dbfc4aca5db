// Runs a caller's code in a sandbox that can reach nothing but the browser of one session.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LANGUAGES, type Language } from '../../contracts/browser/execute.ts';
import { queueFull, ServiceError } from '../../contracts/errors/errors.ts';
import { listenForMessages, type MessageConnection } from '../../net/message-socket.ts';
import { createGate } from '../../runtime/gate/gate.ts';
import { systemClock } from '../../util/clock.ts';
import type { BrowserSession } from '../session.ts';
import { type Bind, CODE_FILE, INSIDE } from './bwrap-arguments.ts';
import type { Sandbox, SandboxOutcome } from './sandbox.ts';

export interface CodeRun {
  text: string;
  language: Language;
  timeoutMs: number;
}

export interface Executor {
  /** Throws ServiceError if code in this language may not run here. */
  checkAllowed(language: Language): void;
  run(session: BrowserSession, code: CodeRun, signal: AbortSignal): Promise<SandboxOutcome>;
}

export interface ExecutorDeps {
  sandbox: Sandbox;
  /** Those that the operator allows. */
  languages: readonly Language[];
}

interface Program {
  command: readonly string[];
  binds: readonly Bind[];
}

const MAX_CONCURRENT = 4;
const MAX_WAITING = 32;
const TOUCH_MS = 5_000;
const NODE = `${INSIDE}/node`;
// Otherwise Node would derive its heap limit from the machine's memory.
const NODE_HEAP = '--max-old-space-size=256';
const RUN_NODE = fileURLToPath(new URL('./inside/run-node.ts', import.meta.url));
const RUN_WITH_PORT = fileURLToPath(new URL('./inside/run-with-port.ts', import.meta.url));
const RUN_PYTHON = join(import.meta.dirname, 'inside/run-python.py');
const AGENT_BROWSER = join(import.meta.dirname, 'inside/agent-browser.sh');
const NO_PLAYWRIGHT = 'no playwright';

export function createExecutor({ sandbox, languages }: ExecutorDeps): Executor {
  const gate = createGate({
    size: MAX_CONCURRENT,
    spare: 1,
    maxWaiting: MAX_WAITING,
    clock: systemClock,
    refusal: queueFull,
  });
  const checkAllowed = (language: Language) => {
    if (languages.includes(language)) return;
    throw new ServiceError('EXECUTE_NOT_ALLOWED', {
      message:
        languages.length === 0
          ? undefined
          : `Running ${language} code is disabled on this server; its operator allows ${languages.join(', ')} (TRAWL_BROWSER_EXECUTE).`,
    });
  };
  return {
    checkAllowed,
    async run(session, { text, language, timeoutMs }, outer) {
      checkAllowed(language);
      const signal = AbortSignal.any([outer, session.ended]);
      const asker = { team: session.teamId, deadline: systemClock.now() + timeoutMs };
      const { leave } = await gate.enter(asker, language, signal);
      // A session is not idle while code runs, even if the code does not use the browser.
      const busy = setInterval(session.touch, TOUCH_MS);
      try {
        session.touch();
        const outcome = await runWithSocket(sandbox, session, { text, language, timeoutMs }, signal);
        session.touch();
        if (outcome.result === NO_PLAYWRIGHT && language === 'python') throw noPython();
        return language === 'node' ? outcome : { ...outcome, result: outcome.stdout };
      } catch (error) {
        if (session.ended.aborted && !outer.aborted) throw session.ended.reason;
        throw error;
      } finally {
        clearInterval(busy);
        leave();
      }
    },
  };
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

/** The code is a client like any other: the session's rules apply to its messages. */
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
  if (language === 'node') {
    const script = fileBind(RUN_NODE);
    return { command: [NODE, NODE_HEAP, script.to], binds: [node, script, packageBind('playwright-core')] };
  }
  const relay = fileBind(RUN_WITH_PORT);
  const withPort = [NODE, NODE_HEAP, relay.to];
  const relayBinds = [node, relay, packageBind('ws', '@fastify/websocket')];
  if (language === 'python') {
    const script = fileBind(RUN_PYTHON);
    return { command: [...withPort, 'python3', script.to], binds: [...relayBinds, script] };
  }
  const agent = findAgentBrowser();
  const binds = [{ from: AGENT_BROWSER, to: `${INSIDE}/bin/agent-browser` }, ...(agent ? [...relayBinds, agent] : [])];
  return { command: [...(agent ? withPort : []), 'bash', CODE_FILE], binds };
}

const fileBind = (from: string): Bind => ({ from, to: `${INSIDE}/${basename(from)}` });

/** `dependent`: the package that depends on it, if we do not. */
function packageBind(name: string, dependent?: string): Bind {
  const own = createRequire(import.meta.url);
  const { resolve } = dependent === undefined ? own : createRequire(own.resolve(dependent));
  return { from: dirname(resolve(`${name}/package.json`)), to: `${INSIDE}/node_modules/${name}` };
}

/** An optional package with one program for each architecture. */
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

const noPython = (): ServiceError =>
  new ServiceError('SANDBOX_UNAVAILABLE', {
    message: `Python code needs python3 with Playwright for Python, which this server does not have. Use ${LANGUAGES[0]} instead.`,
  });

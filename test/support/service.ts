// The real program as a child process, with a free port and its own data folder. Stopping it leaves nothing behind.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEngines, PROCESSES } from './engines.ts';
import { PROGRAM_ENV, PROGRAM_FLAGS, ROOT } from './program.ts';
import type { Web } from './web.ts';

const ANSWER_CHECKS = 'test/support/answer-checks.ts';
const START_MS = 60_000;
const STOP_MS = 30_000;

export interface Answer<T = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: T;
}

export interface RunningService {
  url: string;
  /** The key printed by the first start, else TRAWL_API_KEY. */
  key: string;
  dataDir: string;
  /** A request with the key, unless `init` has its own authorization. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** POST of a JSON body with the key, the answer read as JSON. */
  post<T = Record<string, unknown>>(path: string, body: unknown): Promise<Answer<T>>;
  scrape<T = Record<string, unknown>>(body: unknown): Promise<Answer<T>>;
  /**
   * Removes the data folder, too, if it was made here. A program gets SIGTERM, then SIGKILL after half a minute, and its
   * exit code is returned.
   */
  stop(): Promise<number | null>;
}

/** A service in a process of its own. One in the process of the test has less: see service-here.ts. */
export interface RunningProgram extends RunningService {
  pid: number;
  /** Milliseconds from the start of the process until it was ready. */
  startMs: number;
  /** Everything written so far. */
  output(): { stdout: string; stderr: string };
  /** SIGKILL, like a power cut. The data folder stays until `stop`. */
  kill(): Promise<void>;
}

interface StartOptions {
  /** Whether every JSON answer is checked against its contract. Benches do without. */
  checkAnswers?: boolean;
  /** Modules that the process loads before the program. */
  imports?: readonly string[];
  /** The folder whose src/ is run; by default the project's own. */
  root?: string;
  /** The key to call it with, if another process has printed it. */
  key?: string;
  /** Wraps the command that is run, for example to run it on a small disk. */
  command?(program: string, args: readonly string[]): [program: string, args: string[]];
}

const unchanged: NonNullable<StartOptions['command']> = (program, args) => [program, [...args]];

/** `settings` are environment variables. Trawl's settings in the developer's own environment are ignored. */
export async function startService(
  settings: Record<string, string> = {},
  options: StartOptions = {},
): Promise<RunningProgram> {
  const ownFolder = settings.TRAWL_DATA_DIR === undefined;
  const dataDir = settings.TRAWL_DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'trawl-data-')));
  const engines = settings.TRAWL_DATABASE_URL === undefined ? await createEngines(dataDir) : undefined;
  const all = { ...engines?.settings, ...settings, TRAWL_DATA_DIR: dataDir };
  const remove = async () => {
    if (ownFolder) await Promise.all([rm(dataDir, { recursive: true, force: true }), engines?.remove()]);
  };
  const first = await startProcess(all, options).catch(async (error) => {
    await remove();
    throw error;
  });
  const others = await startOthers(first, all, options);
  const stop = async () => {
    await Promise.all(others.map((other) => other.stop()));
    const code = await first.stop();
    await remove();
    return code;
  };
  if (others.length === 0) return { ...first, stop };
  const kill = async () => void (await Promise.all([first, ...others].map((each) => each.kill())));
  return { ...takeTurns([first, ...others]), stop, kill };
}

/** Further processes on the same engines. They print no key, and need a folder of their own. */
const startOthers = (first: RunningProgram, settings: Record<string, string>, options: StartOptions) =>
  Promise.all(
    Array.from({ length: settings.TRAWL_DATABASE_URL === undefined ? 0 : PROCESSES - 1 }, (_, index) => {
      const folder = join(first.dataDir, `process-${index + 2}`);
      return startProcess({ ...settings, TRAWL_PORT: '0', TRAWL_DATA_DIR: folder }, { ...options, key: first.key });
    }),
  );

/** The first process, whose calls go to all of them in turn. */
function takeTurns(processes: readonly RunningProgram[]): RunningProgram {
  let calls = 0;
  const next = () => processes[calls++ % processes.length]!;
  return {
    ...processes[0]!,
    fetch: (...call) => next().fetch(...call),
    post: (...call) => next().post(...call),
    scrape: (...call) => next().scrape(...call),
  };
}

async function startProcess(
  settings: Record<string, string>,
  { checkAnswers = true, imports = [], root = ROOT, command = unchanged, key: given }: StartOptions,
): Promise<RunningProgram> {
  const dataDir = settings.TRAWL_DATA_DIR!;
  const env = {
    ...PROGRAM_ENV,
    TRAWL_PORT: '0',
    TRAWL_LOG_LEVEL: 'warn',
    // Off by default, to save threads, browsers and provider requests. Tests that need them switch them on.
    TRAWL_INDEX_MANUAL: 'off',
    TRAWL_SEMANTIC: 'off',
    TRAWL_KEYLESS_PROVIDERS: 'off',
    TRAWL_BROWSER: 'off',
    ...settings,
  };
  const began = performance.now();
  const loaded = [...(checkAnswers ? [join(root, ANSWER_CHECKS)] : []), ...imports];
  const flags = loaded.flatMap((module) => ['--import', module]);
  const child = spawn(...command(process.execPath, [...PROGRAM_FLAGS, ...flags, join(root, 'src/main.ts')]), {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  const killWithUs = () => child.kill('SIGKILL');
  process.once('exit', killWithUs);
  const output = collect(child);

  const stop = async () => {
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    child.kill('SIGTERM');
    await ended;
    clearTimeout(late);
    process.off('exit', killWithUs);
    return child.exitCode;
  };

  let url: string;
  try {
    url = await readyAt(child, output, AbortSignal.timeout(START_MS));
  } catch (error) {
    await stop();
    throw error;
  }
  const startMs = performance.now() - began;
  const key = given ?? /\bfc-[\w-]+/.exec(output.stdout)?.[0] ?? settings.TRAWL_API_KEY ?? '';
  const call = (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    if (key !== '' && !headers.has('authorization')) headers.set('authorization', `Bearer ${key}`);
    return fetch(new URL(path, url), { ...init, headers });
  };
  const post = async <T>(path: string, body: unknown): Promise<Answer<T>> => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await call(path, init);
    return { status: response.status, headers: response.headers, body: (await response.json()) as T };
  };

  return {
    url,
    key,
    dataDir,
    pid: child.pid!,
    startMs,
    output: () => ({ ...output }),
    fetch: call,
    post,
    scrape: (body) => post('/v2/scrape', body),
    stop,
    async kill() {
      child.kill('SIGKILL');
      await ended;
      process.off('exit', killWithUs);
    },
  };
}

/** A service that can reach the small web. */
export const startServiceWith = (
  web: Web,
  settings: Record<string, string> = {},
  options?: StartOptions,
): Promise<RunningProgram> => startService({ ...web.settings, ...settings }, options);

interface Output {
  stdout: string;
  stderr: string;
}

function collect(child: ChildProcess): Output {
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]!.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  return output;
}

/** Waits for the address on standard output, then for a successful readiness check. */
async function readyAt(child: ChildProcess, output: Output, signal: AbortSignal): Promise<string> {
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`The service did not start: ${output.stderr || output.stdout}`);
    }
    signal.throwIfAborted();
    const url = /http:\/\/[\w.:[\]]+:\d+/.exec(output.stdout)?.[0];
    if (url && (await isReady(url, signal))) return url;
    await sleep(5, undefined, { signal });
  }
}

async function isReady(url: string, signal: AbortSignal): Promise<boolean> {
  const response = await fetch(new URL('/v0/health/readiness', url), { signal }).catch(() => undefined);
  await response?.arrayBuffer();
  return response?.status === 200;
}

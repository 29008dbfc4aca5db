// The service of the demo: the real program as a child process, with a data folder, a key and a port of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface DemoService {
  url: string;
  key: string;
  /** The settings it runs with, as one would type them before `npm start`. */
  settings: string;
  pid(): number;
  /** What it has written to standard error. */
  errors(): string;
  /** Starts the program; returns the milliseconds until it was ready. */
  start(signal: AbortSignal): Promise<number>;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** SIGTERM, then SIGKILL if that takes too long. */
  stop(): Promise<void>;
  /** Without waiting, for the last moment of the process. */
  killNow(): void;
}

interface ServiceOptions {
  folder: string;
  /** `localhost:PORT` of the small web. */
  webHost: string;
  /** Taken if it is free. */
  wantedPort: number;
  /** In addition to those of the demo, or instead of them. */
  more?: Readonly<Record<string, string>>;
  /** Gets all output. The program also has a process group of its own then, so that Ctrl-C reaches only who started it. */
  logFile?: string;
}

const ROOT = join(import.meta.dirname, '..');
const START_MS = 60_000;
const POLL_MS = 10;
const STOP_MS = 12_000;
const MAX_ERRORS = 3_000;

export async function createDemoService({
  folder,
  webHost,
  wantedPort,
  more,
  logFile,
}: ServiceOptions): Promise<DemoService> {
  const port = (await isFree(wantedPort)) ? wantedPort : await freePort();
  const key = `fc-${randomBytes(16).toString('hex')}`;
  const settings = {
    TRAWL_PORT: String(port),
    TRAWL_DATA_DIR: join(folder, 'data'),
    TRAWL_ALLOW_NETWORKS: webHost,
    TRAWL_KEYLESS_PROVIDERS: 'off',
    TRAWL_API_KEY: key,
  };
  const { PATH, HOME, LANG, CHROMIUM_PATH, TRAWL_BROWSER } = process.env;
  const env = {
    ...Object.fromEntries(
      Object.entries({ PATH, HOME, LANG, CHROMIUM_PATH, TRAWL_BROWSER }).filter(([, value]) => value),
    ),
    ...settings,
    TRAWL_LOG_LEVEL: 'error',
    // Whatever a killed process leaves in the temporary folder goes with the folder of the demo.
    TMPDIR: join(folder, 'tmp'),
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/trawl'),
    // The tour does not redact, and needs no network.
    TRAWL_INSTALL_MODELS: 'off',
    MALLOC_ARENA_MAX: '2',
    MALLOC_TRIM_THRESHOLD_: '131072',
    MALLOC_MMAP_THRESHOLD_: '32768',
    ...more,
  };
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  let errors = '';

  const lastErrors = () => (logFile ? readFileSync(logFile, 'utf8').slice(-MAX_ERRORS) : errors);
  const hasEnded = () => child === undefined || child.exitCode !== null || child.signalCode !== null;
  const end = async (signal: NodeJS.Signals) => {
    if (hasEnded()) return;
    const closed = once(child!, 'close');
    const late = setTimeout(() => child!.kill('SIGKILL'), STOP_MS);
    child!.kill(signal);
    await closed;
    clearTimeout(late);
  };

  return {
    url,
    key,
    settings: ['TRAWL_PORT', 'TRAWL_DATA_DIR', 'TRAWL_ALLOW_NETWORKS', 'TRAWL_KEYLESS_PROVIDERS']
      .map((name) => `${name}=${settings[name as keyof typeof settings]}`)
      .join(' \\\n')
      .concat(' \\\nTRAWL_API_KEY=$KEY npm start'),
    pid: () => child!.pid!,
    errors: lastErrors,
    async start(signal) {
      const began = performance.now();
      const log = logFile && openSync(logFile, 'a');
      child = spawn(process.execPath, [join(ROOT, 'src/main.ts')], {
        cwd: ROOT,
        env,
        stdio: log ? ['ignore', log, log] : ['ignore', 'ignore', 'pipe'],
        detached: log !== undefined,
      });
      if (log) closeSync(log);
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        errors += text;
      });
      const limit = AbortSignal.any([signal, AbortSignal.timeout(START_MS)]);
      while (!(await isReady(url, limit))) {
        if (hasEnded()) throw new Error(`The service did not start: ${lastErrors()}`);
        await sleep(POLL_MS, undefined, { signal: limit });
      }
      return performance.now() - began;
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    killNow: () => void child?.kill('SIGKILL'),
  };
}

async function isReady(url: string, signal: AbortSignal): Promise<boolean> {
  const response = await fetch(`${url}/v0/health/readiness`, { signal }).catch(() => undefined);
  await response?.arrayBuffer();
  return response?.status === 200;
}

function listenOnce(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(undefined));
    probe.listen(port, '127.0.0.1', () => {
      const { port: taken } = probe.address() as { port: number };
      probe.close(() => resolve(taken));
    });
  });
}

const isFree = async (port: number): Promise<boolean> => port !== 0 && (await listenOnce(port)) !== undefined;

async function freePort(): Promise<number> {
  const port = await listenOnce(0);
  if (port === undefined) throw new Error('There is no free port on 127.0.0.1.');
  return port;
}

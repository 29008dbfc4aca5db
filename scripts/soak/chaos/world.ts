// The service under chaos: a real process on a data folder of its own, restarted after each death, with a clock that can
// jump and a disk that can be filled.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { descendants, isAlive } from '../../../test/support/browser/browser.ts';
import { type RunningProgram, startServiceWith } from '../../../test/support/service.ts';
import type { Problems } from './problems.ts';
import type { Sites } from './sites.ts';

export interface Reply {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

export interface World {
  readonly dataDir: string;
  /** TMPDIR of the service: everything in it is its own. */
  readonly tmpDir: string;
  /** The data folder is a small file system of its own, which can be filled. */
  readonly hasOwnDisk: boolean;
  /** Set while the disk is full or has just been. */
  isDiskFull: boolean;
  /** How often it was. Each time, the service may evict results of earlier scrapes to make room. */
  diskFulls: number;
  service(): Promise<RunningProgram>;
  /** Undefined if the service died meanwhile, which only a fault may cause. Adds a problem for bugs. */
  call(where: string, path: string, init?: RequestInit, ms?: number): Promise<Reply | undefined>;
  /** Ends the service, and starts it again. */
  restart(how: 'kill' | 'stop', whileStopped?: () => void): Promise<void>;
  /** Ends the service for good. */
  end(): Promise<void>;
  setClock(ms: number): void;
  /** All that the service has logged, over all of its lives. */
  log(): string;
  stop(): Promise<void>;
}

export const KEY = 'canary-key-6d1f';
const DISK_MB = 256;
const CALL_MS = 90_000;
const GONE_MS = 15_000;
const START_TRIES = 3;
const START_PAUSE_MS = 3_000;
const IMPORTS = [join(import.meta.dirname, 'shifted-clock.ts')];

export async function createWorld(sites: Sites, problems: Problems, hasBrowser: boolean): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-chaos-'));
  const [dataDir, tmpDir, clockFile] = [join(folder, 'data'), join(folder, 'tmp'), join(folder, 'clock')];
  mkdirSync(dataDir);
  mkdirSync(tmpDir);
  writeFileSync(clockFile, '0');
  const unmount = mountDisk(dataDir);
  const settings = {
    TRAWL_DATA_DIR: dataDir,
    TRAWL_API_KEY: KEY,
    TRAWL_BROWSER: hasBrowser ? 'auto' : 'off',
    TMPDIR: tmpDir,
    CHAOS_CLOCK_FILE: clockFile,
  };
  const start = () => startServiceWith(sites.web, settings, { checkAnswers: false, imports: IMPORTS });
  const logs: string[] = [];
  let isStopped = false;
  let running: Promise<RunningProgram> | undefined = start();
  let lives = 1;

  const stopCleanly = async (service: RunningProgram) => {
    const began = performance.now();
    const code = await service.stop();
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    const last = service.output().stderr.trimEnd().split('\n').at(-1)?.slice(0, 300);
    if (code !== 0)
      problems.add(`life ${lives}`, `SIGTERM: exit code ${code} after ${seconds} s. Last log line: ${last}`);
  };
  const end = async (how: 'kill' | 'stop') => {
    const service = await running!;
    const children = descendants(service.pid);
    running = undefined;
    if (how === 'kill') await service.kill();
    else await stopCleanly(service);
    logs.push(service.output().stderr);
    const left = await whoIsLeft(children);
    if (left > 0) problems.add(`life ${lives} (${how})`, 'Processes of the service outlived it.');
  };
  const startAgain = async (): Promise<RunningProgram> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await start();
      } catch (error) {
        problems.add(`life ${lives}`, `The service did not start: ${String(error).slice(0, 300)}`);
        if (tries === START_TRIES) throw error;
        await delay(START_PAUSE_MS);
      }
    }
  };
  const service = async () => {
    while (!running && !isStopped) await delay(20);
    return running!;
  };

  const world: World = {
    dataDir,
    tmpDir,
    hasOwnDisk: unmount !== undefined,
    isDiskFull: false,
    diskFulls: 0,
    service,
    async call(where, path, init = {}, ms = CALL_MS) {
      const asked = await service();
      const life = lives;
      const signal = AbortSignal.any([AbortSignal.timeout(ms), ...(init.signal ? [init.signal] : [])]);
      try {
        const response = await asked.fetch(path, { ...init, signal });
        const text = await response.text();
        return { status: response.status, headers: response.headers, body: readJson(text) };
      } catch (error) {
        if (init.signal?.aborted) return undefined;
        if (signal.aborted) {
          problems.add(where, `No answer within ${ms / 1000} s: ${path.replaceAll(/[\da-f-]{20,}/g, 'ID')}`);
          return undefined;
        }
        // The process may be about to be killed: its fault ends a moment later.
        await delay(1_000);
        const isSame = lives === life && running !== undefined && isAlive(asked.pid);
        if (isSame) problems.add(where, `The connection was lost: ${String((error as Error).cause ?? error)}`);
        return undefined;
      }
    },
    async restart(how, whileStopped) {
      await end(how);
      whileStopped?.();
      lives += 1;
      running = startAgain();
      await running;
    },
    end: () => end('stop'),
    setClock(ms) {
      writeFileSync(clockFile, String(ms));
      running?.then(({ pid }) => process.kill(pid, 'SIGUSR2')).catch(() => {});
    },
    log: () => logs.join(''),
    async stop() {
      if (running) await end('stop').catch(() => {});
      isStopped = true;
      unmount?.();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await running;
  return world;
}

function readJson(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return { text };
  }
}

/** Mounts a small disk, if this user may. Returns the function that unmounts it. */
function mountDisk(folder: string): (() => void) | undefined {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=0700`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  const unmount = () => {
    process.off('exit', unmount);
    try {
      execFileSync('umount', ['-l', folder], { stdio: 'ignore' });
    } catch {
      // It is not mounted any more.
    }
  };
  process.once('exit', unmount);
  return unmount;
}

async function whoIsLeft(pids: readonly number[]): Promise<number> {
  let alive = [...pids];
  for (const end = performance.now() + GONE_MS; alive.length > 0 && performance.now() < end; ) {
    await delay(50);
    alive = alive.filter(isAlive);
  }
  return alive.length;
}

// The service in the test process, with its own data folder and a clock that the test turns ahead.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createService } from '../../src/compose/service.ts';
import { readConfig } from '../../src/config/settings.ts';
import { machineTime, type TimeSources } from '../../src/runtime/service-clock.ts';
import { systemClock } from '../../src/util/clock.ts';
import { withAnswerChecks } from './answer-checks.ts';
import type { Web } from './web.ts';

export interface ClockedService {
  url: string;
  dataDir: string;
  /** As at the start of the service. */
  openConsole(): Promise<string>;
  /** Current time of the service. */
  now(): number;
  turnAhead(ms: number): void;
  /** From now on, time only passes by `turnAhead`. */
  stopClock(): void;
  /** Stops the service. Its folder stays until `remove`. */
  close(): Promise<void>;
  remove(): Promise<void>;
}

const SETTINGS = {
  TRAWL_PORT: '0',
  TRAWL_AUTH: 'off',
  TRAWL_LOG_LEVEL: 'warn',
  TRAWL_INDEX_MANUAL: 'off',
  TRAWL_INSTALL_MODELS: 'off',
  // Its tests turn it on: how pages are ranked would depend on when they have got their vectors.
  TRAWL_SEMANTIC: 'off',
  TRAWL_KEYLESS_PROVIDERS: 'off',
  TRAWL_BROWSER: 'off',
};

export async function startClockedService(web: Web, more: Record<string, string> = {}): Promise<ClockedService> {
  let ahead = 0;
  let stoppedAt: number | undefined;
  const now = () => (stoppedAt ?? Date.now()) + ahead;
  const dataDir = more.TRAWL_DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'trawl-clocked-')));
  const config = readConfig({ ...web.settings, ...SETTINGS, ...more, TRAWL_DATA_DIR: dataDir });
  const remove = async () => {
    if (more.TRAWL_DATA_DIR === undefined) await rm(dataDir, { recursive: true, force: true });
  };
  const clock = { ...systemClock, now };
  const service = await withAnswerChecks(() => createService(config, { clock })).catch(async (error) => {
    await remove();
    throw error;
  });
  let ended: Promise<void> | undefined;
  const close = () => {
    ended ??= service.close();
    return ended;
  };
  return {
    url: service.url,
    dataDir,
    openConsole: service.openConsole,
    now,
    turnAhead(ms) {
      ahead += ms;
    },
    stopClock() {
      stoppedAt ??= Date.now();
    },
    close,
    async remove() {
      await close();
      await remove();
    },
  };
}

export interface JumpingService {
  readonly url: string;
  /** Sets the wall clock of the machine. No time passes. */
  jump(ms: number): void;
  restart(): Promise<void>;
  remove(): Promise<void>;
}

/** The service in the test process, on a machine whose wall clock somebody sets. */
export async function startJumpingService(web: Web, more: Record<string, string> = {}): Promise<JumpingService> {
  let shift = 0;
  const time: TimeSources = { ...machineTime(), wall: () => Date.now() + shift };
  const dataDir = await mkdtemp(join(tmpdir(), 'trawl-jumping-'));
  const config = readConfig({ ...web.settings, ...SETTINGS, TRAWL_DATA_DIR: dataDir, ...more });
  const open = () => withAnswerChecks(() => createService(config, { time }));
  let service = await open();
  return {
    get url() {
      return service.url;
    },
    jump(ms) {
      shift += ms;
    },
    async restart() {
      await service.close();
      service = await open();
    },
    async remove() {
      await service.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

// The service in the test process, with its own data folder and a clock that the test turns ahead.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import './answer-checks.ts';
import { createService } from '../../src/compose/service.ts';
import { readConfig } from '../../src/config/settings.ts';
import { systemClock } from '../../src/util/clock.ts';
import type { Web } from './web.ts';

export interface ClockedService {
  url: string;
  dataDir: string;
  /** Current time of the service. */
  now(): number;
  turnAhead(ms: number): void;
  /** Stops the service. Its folder stays until `remove`. */
  close(): Promise<void>;
  remove(): Promise<void>;
}

export async function startClockedService(web: Web, more: Record<string, string> = {}): Promise<ClockedService> {
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const dataDir = await mkdtemp(join(tmpdir(), 'trawl-clocked-'));
  const settings = {
    TRAWL_DATA_DIR: dataDir,
    TRAWL_PORT: '0',
    TRAWL_AUTH: 'off',
    TRAWL_LOG_LEVEL: 'warn',
    TRAWL_INDEX_MANUAL: 'off',
    TRAWL_KEYLESS_PROVIDERS: 'off',
    TRAWL_BROWSER: 'off',
  };
  const config = readConfig({ ...web.settings, ...settings, ...more });
  const service = await createService(config, { clock: { ...systemClock, now } });
  let ended: Promise<void> | undefined;
  const close = () => {
    ended ??= service.close();
    return ended;
  };
  return {
    url: service.url,
    dataDir,
    now,
    turnAhead(ms) {
      ahead += ms;
    },
    close,
    async remove() {
      await close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

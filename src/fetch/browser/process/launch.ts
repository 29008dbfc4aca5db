// Starts a Chromium and connects Playwright to it.
import { tmpdir } from 'node:os';
import type { Browser } from 'playwright-core';
import { BrowserFault } from '../browser-failure.ts';
import { createPipeTransport } from './pipe.ts';
import { type SpawnOptions, spawnBrowser } from './spawn.ts';

export interface RunningBrowser {
  readonly browser: Browser;
  readonly pid: number;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  /** Asks it to end, and kills it after two seconds. */
  close(): Promise<void>;
}

const START_MS = 20_000;

/** Requests that belong to no context have no pass, so the proxy refuses them. */
export async function launchBrowser(options: SpawnOptions): Promise<RunningBrowser> {
  const { chromium } = await import('playwright-core');
  const { pid, pipe, ended, close } = spawnBrowser(options);
  try {
    const transport = createPipeTransport(pipe);
    const connected = chromium.connectOverCDP(transport, { artifactsDir: tmpdir(), timeout: START_MS });
    const browser = await Promise.race([connected, ended.then(startFailed)]);
    return { browser, pid, ended, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function startFailed(): never {
  throw new BrowserFault('Chromium exited during startup.');
}

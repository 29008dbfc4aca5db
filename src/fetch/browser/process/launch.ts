// Starts a Chromium and takes hold of it by Playwright.
import { tmpdir } from 'node:os';
import type { Browser } from 'playwright-core';
import { createPipeTransport } from './pipe.ts';
import { type SpawnOptions, spawnBrowser } from './spawn.ts';

export interface RunningBrowser {
  readonly browser: Browser;
  readonly pid: number;
  /** Resolves when the process is gone. */
  readonly ended: Promise<void>;
  /** Ends it, politely for two seconds, then by force. */
  close(): Promise<void>;
}

const START_MS = 20_000;

/** What is not asked on behalf of a context gets to the proxy and, without a pass, no further. */
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
  throw new Error('Chromium ended while it started.');
}

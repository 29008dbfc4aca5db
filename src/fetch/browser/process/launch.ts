// Starts a Chromium and connects Playwright to it.
import { tmpdir } from 'node:os';
import type { Browser } from 'playwright-core';
import { brandsOf } from '../../identity.ts';
import { BrowserFault } from '../browser-failure.ts';
import { createDecodedTraffic, type DecodedTraffic } from './decoded-traffic.ts';
import { createPipeTransport } from './pipe.ts';
import { loadPlaywright } from './playwright.ts';
import { type BrowserProcess, type SpawnOptions, spawnBrowser } from './spawn.ts';

export interface RunningBrowser extends Omit<BrowserProcess, 'pipe'> {
  readonly browser: Browser;
  readonly traffic: Pick<DecodedTraffic, 'watch'>;
}

const START_MS = 20_000;
const START_FAILED =
  'Chromium exited during startup. In a container, its sandbox needs user namespaces: allow them, or set TRAWL_BROWSER_SANDBOX=off.';

/** Requests that belong to no context have no pass, so the proxy refuses them. */
export async function launchBrowser(options: SpawnOptions): Promise<RunningBrowser> {
  const { chromium } = await loadPlaywright();
  const { pipe, ...spawned } = spawnBrowser(options);
  const { ended, close } = spawned;
  try {
    const traffic = createDecodedTraffic();
    const transport = createPipeTransport(pipe, withBrands, traffic.observe);
    const connected = chromium.connectOverCDP(transport, { artifactsDir: tmpdir(), timeout: START_MS });
    const browser = await Promise.race([connected, ended.then(startFailed)]);
    return { browser, traffic, ...spawned };
  } catch (error) {
    await close();
    throw error;
  }
}

function startFailed(): never {
  throw new BrowserFault(START_FAILED);
}

interface UserAgentOverride {
  method?: string;
  params?: { userAgent?: string; userAgentMetadata?: { brands?: unknown } };
}

/** Playwright names no brands, and is the only one to reach frames of other sites and workers: there they would be empty. */
function withBrands(message: object): object {
  const { method, params } = message as UserAgentOverride;
  const { userAgent = '', userAgentMetadata } = params ?? {};
  const major = Number(/Chrome\/(\d+)\./.exec(userAgent)?.[1]);
  if (method !== 'Emulation.setUserAgentOverride' || !major || !userAgentMetadata || userAgentMetadata.brands) {
    return message;
  }
  return { ...message, params: { ...params, userAgentMetadata: { ...userAgentMetadata, brands: brandsOf(major) } } };
}

// Starts Chromium so that it leaves nothing behind: no profile folder, no open port, and it dies with us, however we end.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { Browser } from 'playwright-core';
import { createPipeTransport } from './pipe.ts';

export interface RunningBrowser {
  readonly browser: Browser;
  readonly pid: number;
  /** Resolves when the process is gone. */
  readonly ended: Promise<void>;
  /** Ends it, politely for two seconds, then by force. */
  close(): Promise<void>;
}

const START_MS = 20_000;
const CLOSE_MS = 2_000;

const FEATURES_OFF = [
  // Each would ask servers of its own, or a target without being told to.
  'AutofillServerCommunication',
  'CertificateTransparencyComponentUpdater',
  'DnsOverHttps',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'Prerender2',
  'SpeculationRulesPrefetchFuture',
  'Translate',
  // An address is read as the caller wrote it.
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  // Interception and redirects with preflight do not go together with it.
  'AvoidCorsURLLoaderRestartOnRedirect',
  // Nothing is shown while it is on; pictures would come late.
  'PaintHolding',
];

export const BROWSER_FLAGS: readonly string[] = [
  '--headless',
  '--remote-debugging-pipe',
  '--no-first-run',
  '--no-default-browser-check',
  '--no-pings',
  '--disable-background-networking',
  '--disable-breakpad',
  '--disable-client-side-phishing-detection',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-extensions',
  '--disable-field-trial-config',
  '--disable-sync',
  '--metrics-recording-only',
  '--password-store=basic',
  '--use-mock-keychain',
  // What is not in sight must run all the same: all pages are in the background here.
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-hang-monitor',
  '--disable-back-forward-cache',
  // Containers have little shared memory, and crash when it is full.
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--enable-unsafe-swiftshader',
  '--force-color-profile=srgb',
  '--hide-scrollbars',
  '--mute-audio',
  '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4',
  '--disable-blink-features=AutomationControlled',
  // Everything leaves by the proxy: no UDP, no look-ups, no connections on suspicion.
  '--disable-quic',
  '--dns-prefetch-disable',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--proxy-bypass-list=<-loopback>',
  `--disable-features=${FEATURES_OFF.join(',')}`,
  '--enable-features=CDPScreenshotNewSurface',
];

export interface LaunchOptions {
  executable: string;
  /** For what is not asked on behalf of a context: it gets there and, without a pass, no further. */
  proxyUrl: string;
}

export async function launchBrowser({ executable, proxyUrl }: LaunchOptions): Promise<RunningBrowser> {
  const { chromium } = await import('playwright-core');
  const flags = [...BROWSER_FLAGS, `--proxy-server=${proxyUrl}`];
  // Chromium's sandbox does not work for root.
  if (process.getuid?.() === 0) flags.push('--no-sandbox');
  // Only the headless shell keeps everything in memory by itself.
  const profile = basename(executable).includes('headless') ? undefined : mkdtempSync(join(tmpdir(), 'trawl-browser-'));
  if (profile) flags.push(`--user-data-dir=${profile}`);

  const child = spawn(executable, [...flags, 'about:blank'], {
    // A group of its own: the terminal's Ctrl+C is ours to handle, and the whole group can be killed.
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const ended = endOf(child).then(() => {
    if (profile) rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
  });
  const transport = createPipeTransport(child.stdio[3] as Writable, child.stdio[4] as Readable);
  try {
    const connected = chromium.connectOverCDP(transport, { artifactsDir: tmpdir(), timeout: START_MS });
    const browser = await Promise.race([connected, ended.then(startFailed)]);
    return { browser, pid: child.pid!, ended, close: () => closeBrowser(browser, child, ended) };
  } catch (error) {
    killGroup(child);
    await ended;
    throw error;
  }
}

function startFailed(): never {
  throw new Error('Chromium ended while it started.');
}

function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => {
      // What the main process leaves behind (it may have been killed by itself) goes too.
      killGroup(child);
      resolve();
    });
  });
}

async function closeBrowser(browser: Browser, child: ChildProcess, ended: Promise<void>): Promise<void> {
  const late = setTimeout(() => killGroup(child), CLOSE_MS);
  // The pipes close with it, and that ends Chromium.
  await browser.close().catch(() => {});
  await ended;
  clearTimeout(late);
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of it is gone already.
  }
}

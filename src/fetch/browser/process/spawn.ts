// Starts the process of a Chromium so that it leaves nothing behind: no profile folder, no open port, and it dies with us,
// however we end. What it may do by itself is decided by the flags here, for every browser alike.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { type BrowserPipe, createPipe } from './pipe.ts';

export interface BrowserProcess {
  readonly pid: number;
  readonly pipe: BrowserPipe;
  /** Resolves when the process is gone, with all it started. */
  readonly ended: Promise<void>;
  /** Ends it, politely for two seconds, then by force. */
  close(): Promise<void>;
}

export interface SpawnOptions {
  executable: string;
  /** The only way out that it has. */
  proxyUrl: string;
  /** What this one needs besides. */
  flags?: readonly string[];
}

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
  // It would join a multicast group, for addresses that nobody is told here.
  'WebRtcHideLocalIpsWithMdns',
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
  // Names are the proxy's business.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--proxy-bypass-list=<-loopback>',
  `--disable-features=${FEATURES_OFF.join(',')}`,
  '--enable-features=CDPScreenshotNewSurface',
];

export function spawnBrowser({ executable, proxyUrl, flags: more = [] }: SpawnOptions): BrowserProcess {
  const flags = [...BROWSER_FLAGS, `--proxy-server=${proxyUrl}`, ...more];
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
  const pipe = createPipe(child.stdio[3] as Writable, child.stdio[4] as Readable);
  // Of a process that never started they would stay open.
  ended.then(pipe.close);
  return {
    pid: child.pid ?? 0,
    pipe,
    ended,
    async close() {
      const late = setTimeout(() => killGroup(child), CLOSE_MS);
      // Chromium ends with its pipes.
      pipe.close();
      await ended;
      clearTimeout(late);
    },
  };
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

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of it is gone already.
  }
}

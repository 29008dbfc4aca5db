// Starts a Chromium process that leaves nothing behind: no profile folder, no open port, and it exits with us, however
// we end. The flags here decide, for every browser alike, what Chromium may do on its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { killGroup } from '../../../runtime/programs/kill-group.ts';
import type { MemoryWatch, WatchedMemory } from './memory/memory-watch.ts';
import { type BrowserPipe, createPipe } from './pipe.ts';

export interface BrowserProcess {
  readonly pid: number;
  readonly pipe: BrowserPipe;
  /** Resolves when the process and all its children have ended. */
  readonly ended: Promise<void>;
  /** Asks it to end, and kills it after two seconds. */
  close(): Promise<void>;
  /** Kills all of its processes at once. */
  kill(): void;
  /** Past its limit, the browser or one of its pages is killed. */
  readonly memory: WatchedMemory;
}

export interface SpawnOptions {
  executable: string;
  /** Whether pages run in Chromium's own sandbox. */
  sandbox: boolean;
  memory: MemoryWatch;
  /** The proxy on loopback that all traffic must use. */
  proxyUrl: string;
  /** Additional flags. */
  flags?: readonly string[];
}

const CLOSE_MS = 2_000;

const FEATURES_OFF = [
  // Each would contact servers of its own, or a target without being asked to.
  'AutofillServerCommunication',
  'CertificateTransparencyComponentUpdater',
  'DnsOverHttps',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'Prerender2',
  'SpeculationRulesPrefetchFuture',
  'Translate',
  // It would join a multicast group to hide local addresses that are never revealed here.
  'WebRtcHideLocalIpsWithMdns',
  // URLs are loaded as the caller wrote them.
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  // It breaks redirects with CORS preflight when requests are intercepted.
  'AvoidCorsURLLoaderRestartOnRedirect',
  // It delays painting, and so screenshots.
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
  // All pages are in the background here, and must run at full speed anyway.
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-hang-monitor',
  '--disable-back-forward-cache',
  // Containers have little shared memory, and Chromium crashes when it is full.
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--enable-unsafe-swiftshader',
  '--force-color-profile=srgb',
  '--hide-scrollbars',
  '--mute-audio',
  '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4',
  '--disable-blink-features=AutomationControlled',
  // Everything goes through the proxy: no UDP, no DNS lookups, no speculative connections.
  '--disable-quic',
  '--dns-prefetch-disable',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  // The proxy resolves names; the browser must not.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--proxy-bypass-list=<-loopback>',
  `--disable-features=${FEATURES_OFF.join(',')}`,
  '--enable-features=CDPScreenshotNewSurface',
];

export function spawnBrowser({
  executable,
  sandbox,
  memory,
  proxyUrl,
  flags: more = [],
}: SpawnOptions): BrowserProcess {
  const flags = [...BROWSER_FLAGS, `--proxy-server=${proxyUrl}`, ...more];
  // Chromium's sandbox does not work for root.
  if (!sandbox || process.getuid?.() === 0) flags.push('--no-sandbox');
  // Only the headless shell keeps its profile in memory.
  const profile = basename(executable).includes('headless') ? undefined : mkdtempSync(join(tmpdir(), 'trawl-browser-'));
  if (profile) flags.push(`--user-data-dir=${profile}`);

  const child = spawn(executable, [...flags, 'about:blank'], {
    // Its own process group: Ctrl+C in the terminal reaches only us, and the whole group can be killed.
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const ended = endOf(child).then(() => {
    if (profile) rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
  });
  const pipe = createPipe(child.stdio[3] as Writable, child.stdio[4] as Readable);
  // If the process never started, the pipes would stay open.
  ended.then(pipe.close);
  const pid = child.pid ?? 0;
  const kill = () => killGroup(child);
  return {
    pid,
    pipe,
    ended,
    kill,
    memory: memory.watch({ pid, kill, ended }),
    async close() {
      const late = setTimeout(kill, CLOSE_MS);
      // Chromium exits when its pipes close.
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
      // The main process may have been killed alone: its children must go, too.
      killGroup(child);
      resolve();
    });
  });
}

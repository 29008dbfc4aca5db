// The rendering engine on the small web, and the processes of its browser.
import { readdirSync, readFileSync } from 'node:fs';
import { type BrowserEngineDeps, createBrowserEngine } from '../../../src/fetch/browser/browser-engine.ts';
import { findBrowser } from '../../../src/fetch/browser/process/find-browser.ts';
import { createMemoryWatch, type MemoryWatch } from '../../../src/fetch/browser/process/memory/memory-watch.ts';
import type { FetchRequest } from '../../../src/fetch/engine.ts';
import { parseAllowList } from '../../../src/net/addresses/allow-list.ts';
import { parseDnsServers } from '../../../src/net/addresses/resolver.ts';
import { createEgress } from '../../../src/net/egress.ts';
import { CallerHeaders } from '../../../src/net/http/caller-headers.ts';
import { OWN_WORK } from '../../../src/runtime/gate/gate.ts';
import { createLog } from '../../../src/runtime/log.ts';
import { createDocumentGuard } from '../../../src/sessions/guard-documents.ts';
import { systemClock } from '../../../src/util/clock.ts';
import type { Web } from '../web.ts';

export const { executable: EXECUTABLE, problem } = findBrowser({
  browser: 'auto',
  chromiumPath: process.env.CHROMIUM_PATH,
  searchPath: process.env.PATH ?? '',
});

const MEGABYTE = 1024 * 1024;

/** For `test(name, NEEDS_BROWSER, ...)`. */
export const NEEDS_BROWSER = { skip: EXECUTABLE === undefined && problem };

/** For files that need a browser: with the same settings they share a service. */
export const BROWSER_SETTINGS = {
  TRAWL_BROWSER: 'auto',
  TRAWL_MAX_SESSIONS: '2',
  TRAWL_BROWSER_EXECUTE: 'node, bash, python',
};

/** Limits in megabytes. */
export const memoryWatch = (page = 1_024, total = 8 * 1_024): MemoryWatch =>
  createMemoryWatch({ pageBytes: page * MEGABYTE, totalBytes: total * MEGABYTE });

export function startEngine(web: Web, options: Partial<BrowserEngineDeps> = {}) {
  const egress = createEgress({
    allow: parseAllowList(web.settings.TRAWL_ALLOW_NETWORKS!),
    dnsServers: parseDnsServers(web.settings.TRAWL_DNS!),
    proxies: { basic: [], enhanced: [] },
    maxPageBytes: 50 * 1024 * 1024,
    ownAddress: () => undefined,
  });
  const engine = createBrowserEngine({
    egress,
    clock: systemClock,
    log: createLog('silent'),
    memory: memoryWatch(),
    createDocumentGuard,
    executable: EXECUTABLE,
    sandbox: true,
    ...options,
  });
  return {
    engine,
    egress,
    async stop() {
      await engine.close();
      await egress.close();
    },
  };
}

export const browserRequest = (url: string, options: Partial<FetchRequest> = {}): FetchRequest => ({
  url: new URL(url),
  asker: OWN_WORK,
  headers: CallerHeaders.none(),
  mobile: false,
  location: { country: 'US', languages: ['en-US'] },
  verifyTls: true,
  waitFor: 0,
  blockAds: true,
  actions: [],
  proxyClass: 'basic',
  deadline: Date.now() + 30_000,
  admit() {},
  ...options,
});

/** All descendants of a process. */
export function descendants(root: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      parents.set(pid, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // It has ended in the meantime.
    }
  }
  const found: number[] = [];
  for (const open = [root]; open.length > 0; ) {
    const parent = open.pop();
    const children = [...parents].filter(([, other]) => other === parent).map(([pid]) => pid);
    found.push(...children);
    open.push(...children);
  }
  return found;
}

/** A zombie does not count as alive. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

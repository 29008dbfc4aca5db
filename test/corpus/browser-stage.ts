// The stage for hostile pages: an open site, and a canary for TCP and UDP that stands for every forbidden target.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { type BrowserContext, chromium } from 'playwright-core';
import { findBrowser } from '../../src/fetch/browser/process/find-browser.ts';
import { launchBrowser } from '../../src/fetch/browser/process/launch.ts';
import { parseAllowList } from '../../src/net/addresses/allow-list.ts';
import type { BrowserPass } from '../../src/net/browser-proxy/browser-proxy.ts';
import { createEgress } from '../../src/net/egress.ts';
import { memoryWatch } from '../support/browser/browser.ts';
import { type DnsServer, startDns } from '../support/dns.ts';
import { listenOnOnePort } from '../support/one-port.ts';

const PATIENCE_MS = 120_000;

export interface BrowserStage {
  /** The port of both the site and the canary. */
  readonly port: number;
  readonly udpPort: number;
  readonly dns: DnsServer;
  /** The first bytes of every connection to the canary. It must stay empty. */
  readonly caught: string[];
  /** Datagrams that reached the canary. */
  readonly datagrams: string[];
  /** Addresses of the canary, as written in URLs. */
  readonly canaries: readonly string[];
  /** The process id of the browser. */
  readonly pid: number;
  readonly proxyPort: number;
  /** Opens a browser context like that of a scrape. */
  enter(): Promise<{ context: BrowserContext; pass: BrowserPass }>;
  stop(): Promise<void>;
}

export const SITE_ADDRESS = '127.0.0.2';
/** A name of the open site. Browsers treat such names as secure contexts, which service workers need. */
export const SITE = 'site.localhost';
/** Its subdomains resolve to the canary. */
export const INSIDE = 'inside.test';
export const ALLOWED = `${SITE_ADDRESS}, ${SITE}`;

const { executable, problem } = findBrowser({
  browser: 'auto',
  chromiumPath: process.env.CHROMIUM_PATH,
  searchPath: process.env.PATH ?? '',
});
/** Why there is no browser to test with, if so. */
export const noBrowser = problem ?? false;

/** `allow` is the allow-list; the control widens it to prove that the canary can be caught at all. */
export async function openBrowserStage(site: RequestListener, allow = ALLOWED): Promise<BrowserStage> {
  const caught: string[] = [];
  const datagrams: string[] = [];
  const server = createServer(site);
  const own = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  const outer = own.filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => address);
  const tcp = ['127.0.0.1', '::1', ...outer].map((address) => ({ address, ...createCanary(caught) }));
  const port = await listenOnOnePort([
    ...tcp.map((canary) => [canary.address, canary.server] as const),
    [SITE_ADDRESS, server],
  ]);
  const udp = createSocket('udp4', (message) => void datagrams.push(message.toString('hex'))).bind(0);
  await once(udp, 'listening');

  const dns = await startDns({ [SITE]: [SITE_ADDRESS], [`*.${INSIDE}`]: ['127.0.0.1'] });
  const egress = createEgress({
    allow: parseAllowList(allow),
    dnsServers: [dns.address],
    proxies: { basic: [], enhanced: [] },
    maxPageBytes: 1_000_000,
    ownAddress: () => undefined,
  });
  const proxy = await egress.openBrowserProxy();
  const running = await launchBrowser({
    executable: executable ?? '',
    sandbox: true,
    memory: memoryWatch(),
    proxyUrl: proxy.url,
  });

  return {
    port,
    udpPort: (udp.address() as AddressInfo).port,
    dns,
    caught,
    datagrams,
    canaries: ['127.0.0.1', '[::1]', 'localhost', ...outer],
    pid: running.pid,
    proxyPort: Number(new URL(proxy.url).port),
    async enter() {
      const pass = proxy.issuePass({ proxyClass: 'basic' });
      const { username, password } = pass;
      const context = await running.browser.newContext({ proxy: { server: proxy.url, username, password } });
      // Other tests keep the machine busy.
      context.setDefaultTimeout(PATIENCE_MS);
      return { context, pass };
    },
    async stop() {
      await running.close();
      await Promise.all([egress.close(), dns.stop(), ...tcp.map((canary) => canary.stop())]);
      udp.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Without a proxy. */
export const openPlainBrowser = () =>
  chromium.launch({ executablePath: executable, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });

/** Accepts everything, records the first bytes, and responds like a web server. */
function createCanary(caught: string[]) {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    const index = caught.push('') - 1;
    sockets.add(socket.on('error', () => {}).once('close', () => sockets.delete(socket)));
    socket.once('data', (chunk) => {
      caught[index] = chunk.toString('latin1');
      socket.end('HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    });
  });
  return {
    server,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The Internet sockets that the processes of a group hold: `tcp 127.0.0.1:PORT` with the far end, or `udp`. From Linux's /proc. */
export function socketsOf(group: number): string[] {
  const inodes = new Set(processesOf(group).flatMap(openInodes));
  return ['tcp', 'tcp6', 'udp', 'udp6'].flatMap((kind) => {
    const rows = readFileSync(`/proc/net/${kind}`, 'utf8').trim().split('\n').slice(1);
    return rows
      .map((row) => row.trim().split(/\s+/))
      .filter((cells) => inodes.has(cells[9] ?? ''))
      .map(
        ([, , far = '']) =>
          `${kind} ${far.slice(0, far.indexOf(':'))}:${Number.parseInt(far.slice(far.indexOf(':') + 1), 16)}`,
      );
  });
}

function processesOf(group: number): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    // The name, which may contain anything, is in brackets; after it come state, parent and group.
    const [, , pgrp] = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, ''), '').split(' ');
    return Number(pgrp) === group;
  });
}

function openInodes(pid: string): string[] {
  return attempt(() => readdirSync(`/proc/${pid}/fd`), []).flatMap((fd) => {
    const link = attempt(() => readlinkSync(`/proc/${pid}/fd/${fd}`), '');
    return /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? [];
  });
}

/** A process may end while it is being inspected. */
function attempt<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

// Hostile pages in a browser: what they try, and how a test waits for it.
import { setTimeout as delay } from 'node:timers/promises';
import type { BrowserPass } from '../../src/net/browser-proxy/browser-proxy.ts';
import { DEPARTURES, hostilePage, hostileSite } from './browser-attacks.ts';
import { type BrowserStage, INSIDE, openBrowserStage, SITE } from './browser-stage.ts';

const PATIENCE_MS = 60_000;
export const onLinux = process.platform === 'linux';

/** Waits until `look` returns something; undefined after a timeout. */
export async function eventually<T>(look: () => T | undefined): Promise<T | undefined> {
  const end = performance.now() + PATIENCE_MS;
  while (performance.now() < end) {
    const found = look();
    if (found) return found;
    await delay(50);
  }
  return undefined;
}

export async function openStage(allow?: string): Promise<BrowserStage> {
  const stage = await openBrowserStage(
    hostileSite((path) => {
      const [, kind = '', name = ''] = path.split('/');
      const { port, udpPort } = stage;
      if (kind === 'hostile') return { html: hostilePage((attack) => `${attack}.${INSIDE}:${port}`, udpPort) };
      if (kind === 'literal') return { html: hostilePage(() => `${name}:${port}`, udpPort) };
      if (kind === 'depart') return DEPARTURES[name]?.(`http://${name}.${INSIDE}:${port}/`);
      return undefined;
    }),
    allow,
  );
  return stage;
}

/** Lets the page do everything that it can, and resolves afterwards. */
export async function openHostilePage(stage: BrowserStage, path: string): Promise<BrowserPass> {
  const { context, pass } = await stage.enter();
  const page = await context.newPage();
  await page.goto(`http://${SITE}:${stage.port}${path}`, { waitUntil: 'commit' });
  await page.waitForFunction('window.tried && window.gathered');
  await page.evaluate('Promise.all([window.tried, window.gathered])');
  return pass;
}

export const target = (name: string, { port }: BrowserStage) => new URL(`http://${name}.${INSIDE}:${port}/`);

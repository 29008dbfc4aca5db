// Loads pages with Trawl or with plain Playwright. The process owns the browser, so its cost can be measured separately.
// Arguments: `trawl` or `playwright`, the port of the site, and the settings of the web as JSON.
import { chromium } from 'playwright-core';
import { browserRequest, descendants, EXECUTABLE, startEngine } from '../../test/support/browser/browser.ts';
import type { Web } from '../../test/support/web.ts';
import { cpuSecondsWithChildren, load, residentMb, unsharedMb } from '../measure.ts';

export interface PageLoader {
  /** Loads a page and returns its HTML. */
  read(path: string): Promise<string>;
  screenshot(path: string): Promise<unknown>;
  stop(): Promise<void>;
}

export interface LoadRequest {
  what: 'read' | 'screenshot';
  count: number;
  concurrency: number;
}

export interface Usage {
  times: number[];
  seconds: number;
  cpuSeconds: number;
  /** Unshared memory of the whole process tree: the peak during the run, and at its end. */
  peakMb: number;
  mb: number;
  /** Memory of this process alone. */
  residentMb: number;
}

const SAMPLE_MS = 100;
const [name, port, settings] = process.argv.slice(2) as [string, string, string];
const loader = await (name === 'trawl' ? startTrawl() : startPlaywright());
let served = 0;

process.on('message', async ({ what, count, concurrency }: LoadRequest) => {
  process.send?.(await measure(count, concurrency, what));
});
process.on('disconnect', async () => {
  await loader.stop();
  process.exit();
});
process.send?.('ready');

async function measure(count: number, concurrency: number, what: LoadRequest['what']): Promise<Usage> {
  const tree = () => [process.pid, ...descendants(process.pid)];
  const cpu = () => tree().reduce((sum, pid) => sum + cpuSecondsWithChildren(pid), 0);
  const memory = () => tree().reduce((sum, pid) => sum + unsharedMb(pid), 0);
  let peakMb = 0;
  const sampler = setInterval(() => {
    peakMb = Math.max(peakMb, memory());
  }, SAMPLE_MS);
  const [began, cpuBefore] = [performance.now(), cpu()];
  const times = await load(count, concurrency, async () => {
    served += 1;
    const html = await loader[what](`/page/${served}`);
    if (typeof html === 'string' && !html.includes('More about river')) throw new Error('The page was not rendered.');
  });
  clearInterval(sampler);
  const seconds = (performance.now() - began) / 1000;
  return { times, seconds, cpuSeconds: cpu() - cpuBefore, peakMb, mb: memory(), residentMb: residentMb(process.pid) };
}

async function startTrawl(): Promise<PageLoader> {
  const { engine, stop } = startEngine({ settings: JSON.parse(settings) } as Web, { maxPages: 16 });
  const loadPage = (path: string, screenshot?: { fullPage: boolean }) =>
    engine.fetch(browserRequest(`http://rendered.test:${port}${path}`, { screenshot }), AbortSignal.timeout(60_000));
  return {
    read: async (path) => Buffer.from((await loadPage(path)).bytes).toString(),
    screenshot: (path) => loadPage(path, { fullPage: true }),
    stop,
  };
}

/** The usual first attempt. It waits until the network is idle, because the page would be empty otherwise. */
async function startPlaywright(): Promise<PageLoader> {
  let browser: ReturnType<typeof chromium.launch> | undefined;
  const loadPage = async <T>(path: string, use: (page: import('playwright-core').Page) => Promise<T>) => {
    browser ??= chromium.launch({ executablePath: EXECUTABLE });
    const context = await (await browser).newContext();
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${port}${path}`, { waitUntil: 'networkidle' });
    const result = await use(page);
    await context.close();
    return result;
  };
  return {
    read: (path) => loadPage(path, (page) => page.content()),
    screenshot: (path) => loadPage(path, (page) => page.screenshot({ fullPage: true })),
    stop: async () => (await browser)?.close(),
  };
}

// The programs that try to get past the walls: Trawl with each `proxy`, and peers as they come.
import { execFile } from 'node:child_process';
import { lookup } from 'node:dns';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { Agent, request } from 'undici';
import { EXECUTABLE } from '../../test/support/browser/browser.ts';
import { type RunningProgram, startService } from '../../test/support/service.ts';
import type { Walls } from '../../test/support/walls/walls.ts';

export interface Visitor {
  name: string;
  /** The page as text, whatever its status. */
  visit(url: string): Promise<string>;
  stop(): Promise<void>;
}

const TIMEOUT_MS = 60_000;
const SETTLE_MS = 3_000;

export async function openVisitors(walls: Walls, withPeers: boolean): Promise<Visitor[]> {
  const service = await startService({ ...walls.settings, TRAWL_BROWSER: 'auto' }, { checkAnswers: false });
  const trawl = [
    trawlWith(service, 'basic', { proxy: 'basic' }),
    trawlWith(service, 'auto', { proxy: 'auto' }),
    trawlWith(service, 'enhanced', { proxy: 'enhanced' }),
    trawlWith(service, 'enhanced, fastMode', { proxy: 'enhanced', fastMode: true }),
  ];
  const peers = withPeers ? [undiciVisitor(), ...(await curlVisitor(walls)), ...(await playwrightVisitor(walls))] : [];
  return [...trawl, ...peers];
}

function trawlWith(service: RunningProgram, name: string, options: object): Visitor {
  return {
    name: `Trawl ${name}`,
    async visit(url) {
      const { body } = await service.scrape<{ error?: string; data?: { markdown: string } }>({
        url,
        maxAge: 0,
        ...options,
      });
      return body.data?.markdown ?? body.error ?? '';
    },
    // Shared by all of them: stopping it again does nothing.
    stop: async () => void (await service.stop()),
  };
}

function undiciVisitor(): Visitor {
  const toLoopback = ((_host, options, done) => lookup('127.0.0.1', options as never, done as never)) as typeof lookup;
  const dispatcher = new Agent({ allowH2: true, connect: { rejectUnauthorized: false, lookup: toLoopback as never } });
  return {
    name: 'undici',
    visit: async (url) => (await request(url, { dispatcher })).body.text(),
    stop: () => dispatcher.close(),
  };
}

async function curlVisitor({ port }: Walls): Promise<Visitor[]> {
  const run = promisify(execFile);
  try {
    await run('curl', ['--version']);
  } catch {
    return [];
  }
  const visit = async (url: string) => {
    const { stdout } = await run('curl', ['-skL', '--resolve', `${new URL(url).hostname}:${port}:127.0.0.1`, url]);
    return stdout;
  };
  return [{ name: 'curl', visit, stop: async () => {} }];
}

/** Playwright as it comes: headless, a new context a page, a few seconds for its scripts. */
async function playwrightVisitor({ port }: Walls): Promise<Visitor[]> {
  if (EXECUTABLE === undefined) return [];
  const rules = `MAP *.test:${port} 127.0.0.1:${port}`;
  const browser = await chromium.launch({
    executablePath: EXECUTABLE,
    args: ['--no-sandbox', `--host-resolver-rules=${rules}`],
  });
  return [
    {
      name: 'Playwright',
      async visit(url) {
        const context = await browser.newContext({ ignoreHTTPSErrors: true });
        try {
          const page = await context.newPage();
          await page.goto(url, { timeout: TIMEOUT_MS });
          await page.waitForTimeout(SETTLE_MS);
          return await page.content();
        } finally {
          await context.close();
        }
      },
      stop: () => browser.close(),
    },
  ];
}

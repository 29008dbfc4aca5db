// A service of its own whose browser a test kills while pages are loading.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { until } from '../jobs.ts';
import { type RunningService, startServiceWith } from '../service.ts';
import { startWeb, type Web } from '../web.ts';
import { descendants } from './browser.ts';

interface Scraped {
  code?: string;
  error?: string;
  data: { markdown: string };
}

/** A test may put another service in place of the first. */
export function useBreakableBrowser() {
  const scene = {
    web: {} as Web,
    service: {} as RunningService,
    /** Catches all files that the service or its browser write outside the data folder. */
    scratch: mkdtempSync(join(tmpdir(), 'trawl-scratch-')),
    start: () => startServiceWith(scene.web, { TRAWL_BROWSER: 'auto', TMPDIR: scene.scratch }),
    async scrape(path: string) {
      const url = scene.web.url('room.test', path);
      const { status, body } = await scene.service.scrape<Scraped>({ url, waitFor: 1 });
      return { status, ...body };
    },
    /** Waits until the page was requested this many times. */
    asked: (path: string, times: number) =>
      until(
        async () => scene.web.requests('room.test', path),
        (requests) => requests === times,
      ),
    killBrowser() {
      const { pid } = scene.service;
      // The main process of the browser; its children end with it.
      const pids = descendants(pid).filter((child) => parentOf(child) === pid);
      assert.equal(pids.length, 1, 'there is one browser');
      process.kill(pids[0]!, 'SIGKILL');
    },
  };
  before(async () => {
    scene.web = await startWeb();
    scene.service = await scene.start();
  });
  after(async () => {
    await scene.service.stop?.();
    await scene.web.stop?.();
    rmSync(scene.scratch, { recursive: true, force: true });
  });
  return scene;
}

function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

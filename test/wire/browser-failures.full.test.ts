// What happens when the browser is killed, when the service stops with a page open, and when the browser does not exist.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { descendants, isAlive, NEEDS_BROWSER } from '../support/browser/browser.ts';
import { until } from '../support/jobs.ts';
import { type RunningProgram, startServiceWith } from '../support/service.ts';
import { useOwnService } from '../support/use-service.ts';
import { startWeb, type Web } from '../support/web.ts';

interface Scraped {
  success: boolean;
  code?: string;
  error?: string;
  data: { markdown: string; metadata: Record<string, unknown> };
}

describe('a browser that dies while loading pages', NEEDS_BROWSER, () => {
  let web: Web;
  let service: RunningProgram;
  /** Catches all files that the service or its browser write outside the data folder. */
  const scratch = mkdtempSync(join(tmpdir(), 'trawl-scratch-'));

  before(async () => {
    web = await startWeb();
    service = await startServiceWith(web, { TRAWL_BROWSER: 'auto', TMPDIR: scratch });
  });
  after(async () => {
    await service?.stop();
    await web?.stop();
    rmSync(scratch, { recursive: true, force: true });
  });

  const scrape = async (path: string) => {
    const { status, body } = await service.scrape<Scraped>({ url: web.url('room.test', path), waitFor: 1 });
    return { status, ...body };
  };
  const asked = (path: string, times: number) =>
    until(
      async () => web.requests('room.test', path),
      (requests) => requests === times,
    );
  /** The main browser process; its children end with it. */
  const browserOf = ({ pid }: RunningProgram) => descendants(pid).filter((child) => parentOf(child) === pid);
  const killBrowser = () => {
    const pids = browserOf(service);
    assert.equal(pids.length, 1, 'there is one browser');
    process.kill(pids[0]!, 'SIGKILL');
  };
  const allGone = (pids: number[]) =>
    until(
      async () => pids.filter(isAlive),
      (left) => left.length === 0,
    );

  test('if it is killed once, the page is loaded by a new one', async () => {
    const scraping = scrape('/slow/once');
    await asked('/slow/once', 1);
    killBrowser();
    const { status, data } = await scraping;
    assert.equal(status, 200);
    assert.match(data.markdown, /Visit 2/);
  });

  test('if it is killed repeatedly, the answer says so, and the next page is read', async () => {
    const scraping = scrape('/slow/twice');
    for (const times of [1, 2]) {
      await asked('/slow/twice', times);
      killBrowser();
    }
    const { status, code, error } = await scraping;
    assert.deepEqual([status, code], [500, 'SCRAPE_SITE_ERROR']);
    assert.match(error!, /browser/);
    assert.match((await scrape('/number/after')).data.markdown, /Seen \/number\/after/);
  });

  test('no process or file of it is left when the service is killed or stopped', async () => {
    const open = descendants(service.pid);
    assert.ok(open.length > 1);
    await service.kill();
    await allGone(open);
    await service.stop();

    service = await startServiceWith(web, { TRAWL_BROWSER: 'auto', TMPDIR: scratch });
    const scraping = scrape('/slow/stop');
    await asked('/slow/stop', 1);
    const again = descendants(service.pid);
    assert.ok(again.length > 1);
    assert.equal(await service.stop(), 0);
    // A browser on a busy machine may need longer than a stopping service waits.
    assert.ok([200, 503].includes((await scraping).status), 'the running scrape was answered');
    await allGone(again);
    assert.deepEqual(readdirSync(scratch), []);
  });
});

describe('a service whose browser does not exist', () => {
  const scene = useOwnService({}, { TRAWL_BROWSER: '/nowhere/chromium' });
  const scrape = (options: object, service = scene.service) =>
    service.scrape<Scraped>({ url: scene.web.url('app.test', '/story/alone'), ...options });

  test('a configured browser that does not exist is reported once, and the service works', async () => {
    const { status, body } = await scrape({ formats: ['screenshot'] }, scene.other);
    assert.equal(status, 400);
    assert.match(body.error!, /TRAWL_BROWSER names a file that cannot be executed/);
    assert.equal((await scrape({}, scene.other)).status, 200);
    const { stdout, stderr } = scene.other.output();
    assert.equal((stdout + stderr).split('cannot be executed').length, 2);
    assert.doesNotMatch(Object.values(scene.service.output()).join(''), /browser/i);
  });
});

function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

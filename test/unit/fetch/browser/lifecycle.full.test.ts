// Browsers that are replaced or killed with their service leave neither a process nor a file.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { browserRequest, descendants, isAlive, NEEDS_BROWSER, startEngine } from '../../../support/browser/browser.ts';
import { page, reply, type Site } from '../../../support/web/reply.ts';
import { startWeb, type Web } from '../../../support/web.ts';

const site: Site = {
  '/n/*': reply(page('Numbered', '<div id="d"></div><script>d.textContent = location.pathname</script>')),
};

// A private folder for temporary files.
const folder = mkdtempSync(join(tmpdir(), 'trawl-lifecycle-'));
process.env.TMPDIR = folder;

let web: Web;

before(async () => {
  web = await startWeb({ 'site.test': site });
});
after(async () => {
  await web.stop();
  rmSync(folder, { recursive: true, force: true });
});

const browsers = () => descendants(process.pid);
const leftovers = () => readdirSync(tmpdir());

async function allGone(pids: readonly number[]): Promise<void> {
  while (pids.some(isAlive)) await delay(50);
}

test('thirty pages in browsers of ten pages each leave no process and no folder', NEEDS_BROWSER, async () => {
  let most: number[] = [];
  const { engine, stop } = startEngine(web, { maxPages: 3, limits: { pagesEach: 10 } });
  const load = async (path: string) => {
    const fetched = await engine.fetch(browserRequest(web.url('site.test', path)), AbortSignal.timeout(60_000));
    return Buffer.from(fetched.bytes).toString();
  };
  try {
    const paths = Array.from({ length: 30 }, (_, n) => `/n/${n}`);
    const pages = await Promise.all(
      paths.map(async (path) => {
        const html = await load(path);
        most = [...new Set([...most, ...browsers()])];
        return html;
      }),
    );
    assert.ok(pages.every((html, n) => html.includes(`>/n/${n}<`)));
  } finally {
    await stop();
  }
  assert.ok(most.length > 0);
  await allGone(most);
  assert.deepEqual(leftovers(), []);
});

test('a browser dies with the service, even if the service is killed', NEEDS_BROWSER, async () => {
  const script = join(import.meta.dirname, '../../../support/browser/browser-holder.ts');
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout!, 'data');
  const pids = descendants(child.pid!);
  assert.ok(pids.length > 0);
  child.kill('SIGKILL');
  await allGone(pids);
  assert.deepEqual(leftovers(), []);
});

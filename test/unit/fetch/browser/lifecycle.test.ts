// The lifecycle of browsers: they start, are replaced and end, and leave nothing behind.
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
  '/': reply(page('Fine')),
  '/n/*': reply(page('Numbered', '<div id="d"></div><script>d.textContent = location.pathname</script>')),
  '/silent': ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
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

type LoadPage = (path: string) => Promise<string>;

async function withEngine(options: Parameters<typeof startEngine>[1], use: (load: LoadPage) => Promise<void>) {
  const { engine, stop } = startEngine(web, options);
  try {
    await use(async (path) => {
      const fetched = await engine.fetch(browserRequest(web.url('site.test', path)), AbortSignal.timeout(60_000));
      return Buffer.from(fetched.bytes).toString();
    });
  } finally {
    await stop();
  }
}

const browsers = () => descendants(process.pid);
const leftovers = () => readdirSync(tmpdir());

async function allGone(pids: readonly number[]): Promise<void> {
  while (pids.some(isAlive)) await delay(50);
}

test('thirty pages in browsers of ten pages each leave no process and no folder', NEEDS_BROWSER, async () => {
  let most: number[] = [];
  await withEngine({ maxPages: 3, limits: { pagesEach: 10 } }, async (load) => {
    const paths = Array.from({ length: 30 }, (_, n) => `/n/${n}`);
    const pages = await Promise.all(
      paths.map(async (path) => {
        const html = await load(path);
        most = [...new Set([...most, ...browsers()])];
        return html;
      }),
    );
    assert.ok(pages.every((html, n) => html.includes(`>/n/${n}<`)));
  });
  assert.ok(most.length > 0);
  await allGone(most);
  assert.deepEqual(leftovers(), []);
});

test('an idle browser exits, and a new one starts when needed', NEEDS_BROWSER, () =>
  withEngine({ limits: { idleMs: 100 } }, async (load) => {
    await load('/');
    await allGone(browsers());
    assert.match(await load('/'), /Fine/);
  }),
);

test('closing the engine ends the browser, even while pages are loading', NEEDS_BROWSER, async () => {
  const { engine, stop } = startEngine(web);
  const coming = engine.fetch(browserRequest(web.url('site.test', '/silent')), AbortSignal.timeout(60_000));
  const refused = assert.rejects(coming);
  while (web.requests('site.test', '/silent') === 0 || browsers().length === 0) await delay(50);
  const pids = browsers();
  await stop();
  await refused;
  await allGone(pids);
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

test('without a browser the engine is unavailable and refuses with the reason', async () => {
  const { engine, stop } = startEngine(web, { executable: undefined, problem: 'There is none.' });
  assert.equal(engine.unavailable(), 'There is none.');
  await assert.rejects(engine.fetch(browserRequest(web.url('site.test')), AbortSignal.timeout(60_000)), {
    code: 'SCRAPE_ALL_ENGINES_FAILED',
    message: /browser.*There is none\./,
  });
  await stop();
});

test('a browser that fails to start is not retried at once', async () => {
  const { engine, stop } = startEngine(web, { executable: '/bin/false' });
  assert.equal(engine.unavailable(), undefined);
  await assert.rejects(engine.fetch(browserRequest(web.url('site.test')), AbortSignal.timeout(60_000)), {
    code: 'SCRAPE_ALL_ENGINES_FAILED',
  });
  assert.match(engine.unavailable()!, /does not start/);
  await stop();
});

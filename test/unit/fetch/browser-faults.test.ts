// What happens when pages, sites, browsers or the service itself go down: bounded, named, and nothing is left behind.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { FetchRequest } from '../../../src/fetch/engine.ts';
import { browserRequest, descendants, isAlive, NEEDS_BROWSER, startEngine } from '../../support/browser.ts';
import { page, reply, reset, type Site } from '../../support/web/reply.ts';
import { startWeb, type Web } from '../../support/web.ts';

const site: Site = {
  '/': reply(page('Fine')),
  '/n/*': reply(page('Numbered', '<div id="d"></div><script>d.textContent = location.pathname</script>')),
  '/hangs': reply(page('Hangs', '<script>while (true) {}</script>')),
  '/silent': ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
  '/reset': reset,
  '/circle': reply('', { status: 302, headers: { location: '/circle' } }),
  '/slow-picture': reply(page('Slow picture', '<img src="/silent">')),
  '/large': reply(() => page('Large', `<p>${'word '.repeat(100_000)}</p>`)),
  '/large.txt': reply(() => 'word '.repeat(100_000), { type: 'text/plain' }),
};

// A folder for temporary files that nobody else uses.
const folder = mkdtempSync(join(tmpdir(), 'trawl-faults-'));
process.env.TMPDIR = folder;

let web: Web;

before(async () => {
  web = await startWeb({ 'site.test': site });
});
after(async () => {
  await web.stop();
  rmSync(folder, { recursive: true, force: true });
});

type Options = Parameters<typeof startEngine>[1];

async function withEngine(options: Options, use: (visit: Visit) => Promise<void>): Promise<void> {
  const { engine, stop } = startEngine(web, options);
  const visit: Visit = async (url, request = {}, signal = AbortSignal.timeout(60_000)) => {
    const fetched = await engine.fetch(
      browserRequest(url.includes('://') ? url : web.url('site.test', url), request),
      signal,
    );
    return Buffer.from(fetched.bytes).toString();
  };
  try {
    await use(visit);
  } finally {
    await stop();
  }
}
type Visit = (url: string, request?: Partial<FetchRequest>, signal?: AbortSignal) => Promise<string>;

const browsers = () => descendants(process.pid);
const leftovers = () => readdirSync(tmpdir());

async function allGone(pids: readonly number[]): Promise<void> {
  while (pids.some(isAlive)) await delay(50);
}

test('failures of a site have the names they have without a browser', NEEDS_BROWSER, () =>
  withEngine({}, async (visit) => {
    await assert.rejects(visit('http://nowhere.invalid/'), { code: 'SCRAPE_DNS_RESOLUTION_ERROR' });
    await assert.rejects(visit('http://10.0.0.1/'), { code: 'UNSUPPORTED_SITE' });
    await assert.rejects(visit(web.secureUrl('site.test')), { code: 'SCRAPE_SSL_ERROR' });
    assert.match(await visit(web.secureUrl('site.test'), { verifyTls: false }), /Fine/);
    await assert.rejects(visit('/reset'), { code: 'SCRAPE_SITE_ERROR', message: /broke the connection off/ });
    await assert.rejects(visit('/circle'), { code: 'SCRAPE_SITE_ERROR', message: /redirects/ });
  }),
);

test('pages and files over the limit are refused', NEEDS_BROWSER, () =>
  withEngine({ maxPageBytes: 200_000 }, async (visit) => {
    await assert.rejects(visit('/large'), { code: 'SCRAPE_PAGE_TOO_LARGE' });
    await assert.rejects(visit('/large.txt'), { code: 'SCRAPE_PAGE_TOO_LARGE' });
    assert.match(await visit('/'), /Fine/);
  }),
);

test('an abort ends a visit at once, with its own reason, and the next one is fine', NEEDS_BROWSER, () =>
  withEngine({}, async (visit) => {
    const late = new Error('too late');
    for (const path of ['/silent', '/hangs']) {
      const caller = new AbortController();
      setTimeout(() => caller.abort(late), 1_500);
      await assert.rejects(visit(path, {}, caller.signal), late);
    }
    assert.match(await visit('/'), /Fine/);
  }),
);

test('a picture that never comes does not hold a page up beyond its limit', NEEDS_BROWSER, () =>
  withEngine({}, async (visit) => assert.match(await visit('/slow-picture'), /Slow picture/)),
);

test('a page that never yields is given up, and a new browser is there for the next', NEEDS_BROWSER, () =>
  withEngine({}, async (visit) => {
    const deadline = Date.now() + 60_000;
    await assert.rejects(visit('/hangs', { deadline }), { code: 'SCRAPE_SITE_ERROR', message: /without end/ });
    assert.match(await visit('/'), /Fine/);
  }),
);

test('a browser that is killed under a page is replaced, and the page comes all the same', NEEDS_BROWSER, () =>
  withEngine({}, async (visit) => {
    await visit('/');
    const first = browsers();
    const coming = visit('/n/1', { waitFor: 1_500 });
    await delay(700);
    for (const pid of first) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    assert.match(await coming, /\/n\/1/);
    assert.equal(
      browsers().some((pid) => first.includes(pid)),
      false,
    );
  }),
);

test('a renderer that dies costs a second try and nothing more', NEEDS_BROWSER, () =>
  withEngine({}, async (visit) => {
    await visit('/');
    const before = new Set(browsers());
    const coming = visit('/n/2', { waitFor: 2_000 });
    await delay(1_000);
    for (const pid of browsers()) if (!before.has(pid)) process.kill(pid, 'SIGKILL');
    assert.match(await coming, /\/n\/2/);
  }),
);

test('thirty pages, in browsers of ten pages each, leave no process and no folder', NEEDS_BROWSER, async () => {
  let most: number[] = [];
  await withEngine({ maxPages: 3, limits: { pagesEach: 10 } }, async (visit) => {
    const paths = Array.from({ length: 30 }, (_, n) => `/n/${n}`);
    const pages = await Promise.all(
      paths.map(async (path) => {
        const html = await visit(path);
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

test('an idle browser ends by itself, and a new one starts when it is needed', NEEDS_BROWSER, () =>
  withEngine({ limits: { idleMs: 100 } }, async (visit) => {
    await visit('/');
    await allGone(browsers());
    assert.match(await visit('/'), /Fine/);
  }),
);

test('closing the engine ends the browser under its pages', NEEDS_BROWSER, async () => {
  const { engine, stop } = startEngine(web);
  const coming = engine.fetch(browserRequest(web.url('site.test', '/silent')), AbortSignal.timeout(30_000));
  const refused = assert.rejects(coming);
  while (web.requests('site.test', '/silent') === 0 || browsers().length === 0) await delay(50);
  const pids = browsers();
  await stop();
  await refused;
  await allGone(pids);
});

test('a browser dies with the service, even when that is killed', NEEDS_BROWSER, async () => {
  const script = join(import.meta.dirname, '../../support/browser-holder.ts');
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout!, 'data');
  const pids = descendants(child.pid!);
  assert.ok(pids.length > 0);
  child.kill('SIGKILL');
  await allGone(pids);
  assert.deepEqual(leftovers(), []);
});

test('without a browser the engine says so, and refuses in a sentence', async () => {
  const { engine, stop } = startEngine(web, { executable: undefined, problem: 'There is none.' });
  assert.equal(engine.unavailable(), 'There is none.');
  await assert.rejects(engine.fetch(browserRequest(web.url('site.test')), AbortSignal.timeout(5_000)), {
    code: 'SCRAPE_ALL_ENGINES_FAILED',
    message: /browser.*There is none\./,
  });
  await stop();
});

test('a browser that does not start is not tried again at once', async () => {
  const { engine, stop } = startEngine(web, { executable: '/bin/false' });
  assert.equal(engine.unavailable(), undefined);
  await assert.rejects(engine.fetch(browserRequest(web.url('site.test')), AbortSignal.timeout(30_000)), {
    code: 'SCRAPE_ALL_ENGINES_FAILED',
  });
  assert.match(engine.unavailable()!, /does not start/);
  await stop();
});

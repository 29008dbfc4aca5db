// Failing pages, sites and browsers: each failure is bounded and named, and the next page works.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { FetchRequest } from '../../../../src/fetch/engine.ts';
import { browserRequest, descendants, isAlive, NEEDS_BROWSER, startEngine } from '../../../support/browser/browser.ts';
import { page, reply, reset, type Site, send } from '../../../support/web/reply.ts';
import { startWeb, type Web } from '../../../support/web.ts';

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
  // Its script comes from the address in its query.
  '/borrows': (exchange) =>
    send(exchange, page('Borrows', `<div id="d"></div><script src="${exchange.query.get('src')}"></script>`)),
  '/sub.js': reply('d.textContent = "Sub"', { type: 'text/javascript' }),
};

let web: Web;

before(async () => {
  web = await startWeb({ 'site.test': site });
});
after(() => web.stop());

type Options = Parameters<typeof startEngine>[1];

async function withEngine(options: Options, use: (load: LoadPage) => Promise<void>): Promise<void> {
  const { engine, stop } = startEngine(web, options);
  const load: LoadPage = async (url, request = {}, signal = AbortSignal.timeout(60_000)) => {
    const fetched = await engine.fetch(
      browserRequest(url.includes('://') ? url : web.url('site.test', url), request),
      signal,
    );
    return Buffer.from(fetched.bytes).toString();
  };
  try {
    await use(load);
  } finally {
    await stop();
  }
}
type LoadPage = (url: string, request?: Partial<FetchRequest>, signal?: AbortSignal) => Promise<string>;

const browsers = () => descendants(process.pid);
test('site failures have the same error codes as without a browser', NEEDS_BROWSER, () =>
  withEngine({}, async (load) => {
    await assert.rejects(load('http://nowhere.invalid/'), { code: 'SCRAPE_DNS_RESOLUTION_ERROR' });
    await assert.rejects(load('http://10.0.0.1/'), { code: 'UNSUPPORTED_SITE' });
    await assert.rejects(load(web.secureUrl('site.test')), { code: 'SCRAPE_SSL_ERROR' });
    await assert.rejects(load('/reset'), { code: 'SCRAPE_SITE_ERROR', message: /broke the connection off/ });
    await assert.rejects(load('/circle'), { code: 'SCRAPE_SITE_ERROR', message: /redirects/ });
  }),
);

test('a page says whether every certificate was valid, its own and those of what it loads', NEEDS_BROWSER, async () => {
  const { engine, stop } = startEngine(web);
  const load = async (url: string, request: Partial<FetchRequest> = {}) => {
    const { bytes, isVerified } = await engine.fetch(browserRequest(url, request), AbortSignal.timeout(60_000));
    return [/Fine|Sub/.exec(Buffer.from(bytes).toString())?.[0], isVerified];
  };
  try {
    assert.deepEqual(await load(web.url('site.test', '/'), { verifyTls: false }), ['Fine', true]);
    assert.deepEqual(await load(web.secureUrl('site.test'), { verifyTls: false }), ['Fine', undefined]);
    const mixed = web.url('site.test', `/borrows?src=${encodeURIComponent(web.secureUrl('site.test', '/sub.js'))}`);
    assert.deepEqual(await load(mixed, { verifyTls: false }), ['Sub', undefined]);
    assert.deepEqual(await load(mixed), [undefined, true]);
  } finally {
    await stop();
  }
});

test('pages and files over the size limit are refused', NEEDS_BROWSER, () =>
  withEngine({ maxPageBytes: 200_000 }, async (load) => {
    await assert.rejects(load('/large'), { code: 'SCRAPE_PAGE_TOO_LARGE' });
    await assert.rejects(load('/large.txt'), { code: 'SCRAPE_PAGE_TOO_LARGE' });
    assert.match(await load('/'), /Fine/);
  }),
);

test('an abort ends a page load at once with its own reason, and the next one works', NEEDS_BROWSER, () =>
  withEngine({}, async (load) => {
    const late = new Error('too late');
    for (const path of ['/silent', '/hangs']) {
      const caller = new AbortController();
      setTimeout(() => caller.abort(late), 1_500);
      await assert.rejects(load(path, {}, caller.signal), late);
    }
    assert.match(await load('/'), /Fine/);
  }),
);

test('an image that never arrives delays a page only up to its limit', NEEDS_BROWSER, () =>
  withEngine({}, async (load) => assert.match(await load('/slow-picture'), /Slow picture/)),
);

test('a page that blocks its renderer forever fails, and the next page gets a new browser', NEEDS_BROWSER, () =>
  withEngine({}, async (load) => {
    const deadline = Date.now() + 60_000;
    await assert.rejects(load('/hangs', { deadline }), {
      code: 'SCRAPE_SITE_ERROR',
      message: /keeps it busy forever/,
    });
    assert.match(await load('/'), /Fine/);
  }),
);

test('a browser that is killed during a page load is replaced, and the page is still returned', NEEDS_BROWSER, () =>
  withEngine({}, async (load) => {
    await load('/');
    const first = browsers();
    const coming = load('/n/1', { waitFor: 1_500 });
    await delay(700);
    for (const pid of first) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    assert.match(await coming, /\/n\/1/);
    assert.equal(
      browsers().some((pid) => first.includes(pid)),
      false,
    );
  }),
);

test('a renderer that dies causes one retry', NEEDS_BROWSER, () =>
  withEngine({}, async (load) => {
    await load('/');
    const before = new Set(browsers());
    const coming = load('/n/2', { waitFor: 2_000 });
    await delay(1_000);
    for (const pid of browsers()) if (!before.has(pid)) process.kill(pid, 'SIGKILL');
    assert.match(await coming, /\/n\/2/);
  }),
);

// What happens when pages, sites or browsers go down: it is bounded and named, and the next page is fine.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { FetchRequest } from '../../../../src/fetch/engine.ts';
import { browserRequest, descendants, isAlive, NEEDS_BROWSER, startEngine } from '../../../support/browser/browser.ts';
import { page, reply, reset, type Site } from '../../../support/web/reply.ts';
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
};

let web: Web;

before(async () => {
  web = await startWeb({ 'site.test': site });
});
after(() => web.stop());

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
    await assert.rejects(visit('/hangs', { deadline }), {
      code: 'SCRAPE_SITE_ERROR',
      message: /keeps it busy forever/,
    });
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

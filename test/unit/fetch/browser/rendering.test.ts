// What the browser engine returns for pages that a plain request would not see as people do.
import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { ServiceError } from '../../../../src/contracts/errors/errors.ts';
import type { FetchRequest } from '../../../../src/fetch/engine.ts';
import { browserRequest, NEEDS_BROWSER, startEngine } from '../../../support/browser/browser.ts';
import { fullTest, test } from '../../../support/full-run.ts';
import { page, reply, type Site, send } from '../../../support/web/reply.ts';
import { startWeb, type Web } from '../../../support/web.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const TALL = '<div style="height:3000px">A tall page.</div>';

const site: Site = {
  '/app': reply(
    page(
      'Loading',
      '<div id="root"></div><script>fetch("/slow-data").then(r => r.text()).then(t => root.textContent = t)</script>',
    ),
  ),
  '/slow-data': async (exchange) => {
    await new Promise((resolve) => setTimeout(resolve, 900));
    send(exchange, 'The data came late.', { type: 'text/plain' });
  },
  '/moved-by-script': reply('<script>setTimeout(() => location.href = "/landed", 50)</script>', { status: 202 }),
  '/landed': reply(page('Landed'), { status: 203, headers: { 'x-which': 'landed' } }),
  '/pushed': reply(page('Pushed', '<script>history.pushState({}, "", "/another-address")</script>')),
  '/scroll': reply(
    page(
      'Endless',
      `<div id="list">${TALL}</div><script>let n = 0; new IntersectionObserver(([entry]) => {
        if (!entry.isIntersecting || n === 4) return;
        n += 1; list.insertAdjacentHTML("beforeend", "<p style='height:900px'>Part " + n + "</p>");
      }).observe(list.parentElement.appendChild(document.createElement("footer")));</script>`,
    ),
  ),
  '/lazy': reply(
    page(
      'Lazy',
      `${TALL}<img data-src="/picture.png" width="10" height="10"><script>const image = document.querySelector("img");
      new IntersectionObserver(([entry], observer) => { if (entry.isIntersecting) { image.src = image.dataset.src; observer.disconnect(); } }).observe(image)</script>`,
    ),
  ),
  '/picture.png': reply(PNG, { type: 'image/png' }),
  '/shadow': reply(
    page(
      'Shadow',
      `<my-card><b slot="name">Ada</b><i>wrote it.</i></my-card><script>customElements.define("my-card", class extends HTMLElement {
        constructor() { super(); this.attachShadow({ mode: "open" }).innerHTML =
          "<style>p { color: red }</style><p>By <slot name='name'>nobody</slot>, who <slot></slot></p><slot name='none'>No more.</slot>"; } })</script>`,
    ),
  ),
  '/frames': (exchange) =>
    send(
      exchange,
      page(
        'Frames',
        `<p>Before.</p><iframe src="${exchange.origin('inner.test')}/in"></iframe><p>After.</p><iframe srcdoc="<p>Same origin.</p>"></iframe>`,
      ),
    ),
  '/banner': reply(
    page(
      'Story',
      `<p>The story itself, which is long enough to be read.</p><div id="onetrust-consent-sdk">We value your privacy.</div>
      <div class="my-cookie-box" style="position:fixed;bottom:0">Cookies? <button>Yes</button></div>
      <p class="cookie-recipe">Take flour for the cookies. <button>Print</button></p><script src="/assets/prebid.js"></script>`,
    ),
  ),
  '/assets/prebid.js': reply('document.body.append("Buy this now!")', { type: 'text/javascript' }),
  '/data.json': reply('{"plain":true}', { type: 'application/json' }),
  '/report.pdf': reply('%PDF-1.4 not much of it', { type: 'application/pdf' }),
  '/saved': reply('a,b\n1,2\n', { type: 'text/csv', headers: { 'content-disposition': 'attachment; filename=a.csv' } }),
  '/offers-file': reply(page('Offers a file', '<script>location.href = "/saved"</script>')),
  '/missing': reply(page('Not here'), { status: 404 }),
  '/empty-error': reply('', { status: 500 }),
  '/nothing': reply('', { status: 204 }),
  '/japanese': reply(Buffer.from('<meta charset="shift_jis"><p>\x93\xfa\x96\x7b</p>', 'latin1'), { type: 'text/html' }),
  '/deep': reply(
    () =>
      `<my-host></my-host>${'<div>'.repeat(3000)}bottom<script>document.querySelector("my-host").attachShadow({mode:"open"}).innerHTML="in"</script>`,
  ),
  '/ticker': reply(
    page(
      'Ticker',
      '<b id="t">0</b><script>setInterval(() => t.textContent = Date.now() % 10, 20); setInterval(() => fetch("/data.json"), 100)</script>',
    ),
  ),
  '/long-poll': reply(page('Poll', '<script>fetch("/never")</script>')),
  '/never': ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
  '/much-later': reply(
    page('Late', '<script>setTimeout(() => document.body.append("A minute later."), 60_000)</script>'),
  ),
  '/late': reply(page('Late', '<script>setTimeout(() => document.body.append("Three seconds later."), 2500)</script>')),
};
const inner: Site = { '/in': reply(page('Inner', '<p>Inside: <a href="/link">a link</a>.</p>')) };

let web: Web;
let running: ReturnType<typeof startEngine>;

before(async () => {
  web = await startWeb({ 'site.test': site, 'inner.test': inner });
  running = startEngine(web);
});
after(async () => {
  await running.stop();
  await web.stop();
});

async function load(path: string, options: Partial<FetchRequest> = {}) {
  const request = browserRequest(web.url('site.test', path), options);
  const fetched = await running.engine.fetch(request, AbortSignal.timeout(60_000));
  return { ...fetched, html: Buffer.from(fetched.bytes).toString() };
}

// Most of their time, pages only wait.
describe('the browser engine', { ...NEEDS_BROWSER, concurrency: 4 }, () => {
  test('an app is read once its data has loaded, as UTF-8 with the status and headers of its response', async () => {
    const fetched = await load('/app');
    assert.match(fetched.html, /<div id="root">The data came late\.<\/div>/);
    const { engine, status, contentType, requestedUrl, captures } = fetched;
    assert.deepEqual([engine, status, contentType, captures], ['browser', 200, 'text/html; charset=utf-8', undefined]);
    assert.equal(requestedUrl, web.url('site.test', '/app'));
  });

  fullTest('a page that redirects by script returns the URL, status and headers of the last page', async () => {
    const { finalUrl, status, headers, html } = await load('/moved-by-script');
    assert.equal(finalUrl, web.url('site.test', '/landed'));
    assert.deepEqual([status, headers['x-which']], [203, 'landed']);
    assert.match(html, /Landed/);
    assert.equal((await load('/pushed')).finalUrl, web.url('site.test', '/another-address'));
  });

  fullTest(
    'open shadow roots are serialised with their slotted content, in reading order and without styles',
    async () => {
      const { html } = await load('/shadow');
      const text = html.replace(/<script.*?<\/script>|<[^>]+>/gs, '').replace(/\s+/g, ' ');
      assert.match(text, /By Ada, who wrote it\.No more\./);
      assert.doesNotMatch(html.replace(/<script.*?<\/script>/gs, ''), /color: red|nobody|<slot/);
    },
  );

  test('frames from any site are inlined where they are shown, with absolute links', async () => {
    const { html } = await load('/frames');
    const inside = web.url('inner.test', '/in');
    assert.ok(html.includes(`<div data-frame-src="${inside}">`));
    assert.ok(html.includes(`<a href="${web.url('inner.test', '/link')}">a link</a>`));
    assert.match(html, /Before\..*Inside:.*After\..*Same origin\./s);
  });

  test('blockAds removes banners and blocks advertisements; without it, both are there', async () => {
    const without = (await load('/banner', { blockAds: true })).html;
    assert.match(without, /The story itself.*Take flour for the cookies/s);
    assert.doesNotMatch(without, /value your privacy|Cookies\?|Buy this now/);
    assert.equal(web.requests('site.test', '/assets/prebid.js'), 0);
    const withAll = (await load('/banner', { blockAds: false })).html;
    assert.match(withAll, /value your privacy.*Cookies\?.*Buy this now/s);
  });

  fullTest('files that are not web pages are returned unchanged', async () => {
    for (const [path, type, text] of [
      ['/data.json', 'application/json', '{"plain":true}'],
      ['/report.pdf', 'application/pdf', '%PDF-1.4 not much of it'],
      ['/saved', 'text/csv', 'a,b\n1,2\n'],
    ]) {
      const { html, contentType, status, finalUrl } = await load(path!);
      assert.deepEqual([html, contentType, status, finalUrl], [text, type, 200, web.url('site.test', path)]);
    }
    assert.deepEqual(Buffer.from((await load('/picture.png')).bytes), PNG);
  });

  test('an unsupported file is refused by its first bytes', async () => {
    const admit = (type: string, bytes: Uint8Array): undefined => {
      if (type === 'application/pdf' && Buffer.from(bytes).toString().startsWith('%PDF')) {
        throw new ServiceError('SCRAPE_UNSUPPORTED_FILE_ERROR');
      }
    };
    await assert.rejects(load('/report.pdf', { admit }), { code: 'SCRAPE_UNSUPPORTED_FILE_ERROR' });
  });

  test('a file that is rendered for a screenshot is still returned unchanged', async () => {
    const { html, captures } = await load('/data.json', { screenshot: { fullPage: false } });
    assert.equal(html, '{"plain":true}');
    assert.equal(captures?.screenshot?.type, 'image/png');
  });

  fullTest('a page that starts a download is itself returned', async () => {
    assert.match((await load('/offers-file')).html, /<h1>Offers a file<\/h1>/);
  });

  fullTest('error pages keep their status, with and without a body', async () => {
    const missing = await load('/missing');
    assert.equal(missing.status, 404);
    assert.match(missing.html, /Not here/);
    const empty = await load('/empty-error');
    assert.equal(empty.status, 500);
    assert.equal(empty.html.replace(/<[^>]*>/g, ''), '');
    const nothing = await load('/nothing');
    assert.deepEqual([nothing.status, nothing.html], [204, '']);
  });

  test('other character sets are converted to UTF-8', async () => {
    assert.match((await load('/japanese')).html, /日本/);
  });

  test('a page with extremely deep nesting is still read', async () => {
    assert.match((await load('/deep')).html, /bottom/);
  });

  fullTest('pages that never become idle (tickers, polling, open requests) are not waited for forever', async () => {
    for (const path of ['/ticker', '/long-poll']) assert.equal((await load(path)).status, 200);
  });

  test('waitFor waits even if the page seems ready', async () => {
    assert.doesNotMatch((await load('/much-later')).html, /<\/script>\s*A minute later/);
    assert.match((await load('/late', { waitFor: 2_500 })).html, /<\/script>\s*Three seconds later/);
  });
});

// One at a time: the engine gives a page only a moment to grow.
describe('the browser engine', NEEDS_BROWSER, () => {
  test('an infinite list is scrolled', async () => {
    // How far it gets within its seconds depends on the machine. The second part needs a second look at the end.
    assert.match((await load('/scroll')).html, /Part 1.*Part 2/s);
  });

  test('lazy images are loaded', async () => {
    assert.match((await load('/lazy')).html, /<img[^>]* src="\/picture\.png"/);
  });
});

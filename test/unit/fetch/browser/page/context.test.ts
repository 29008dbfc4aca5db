// What a browser context reveals to a site, and what it hides from other sites.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createBrowserVersion } from '../../../../../src/fetch/browser/process/browser-version.ts';
import type { FetchRequest } from '../../../../../src/fetch/engine.ts';
import { createIdentify } from '../../../../../src/fetch/identity.ts';
import { browserRequest, EXECUTABLE, NEEDS_BROWSER, startEngine } from '../../../../support/browser/browser.ts';
import { callerHeaders } from '../../../../support/caller-headers.ts';
import { type Exchange, page, reply, type Site, send } from '../../../../support/web/reply.ts';
import { startWeb, type Web } from '../../../../support/web.ts';

/** Every request that came, as `host path`, with its headers. */
const seen = new Map<string, Exchange['headers']>();
const note = ({ host, path, headers }: Exchange) => seen.set(`${host} ${path}`, headers);

const noted =
  (content: string | ((exchange: Exchange) => string), type?: string) =>
  (exchange: Exchange): void => {
    note(exchange);
    send(exchange, typeof content === 'string' ? content : content(exchange), { type });
  };

const leave = (path: string) => (exchange: Exchange) => {
  note(exchange);
  send(exchange, '', { status: 302, headers: { location: exchange.origin('other.test') + path } });
};

const TELL = `<pre id="t"></pre><script>
  const { userAgent, language, languages, webdriver, userAgentData, maxTouchPoints } = navigator;
  t.textContent = JSON.stringify({ userAgent, language, languages, webdriver, maxTouchPoints, width: innerWidth, scale: devicePixelRatio,
    brands: userAgentData?.brands, mobile: userAgentData?.mobile, zone: Intl.DateTimeFormat().resolvedOptions().timeZone })</script>`;

const home: Site = {
  '/page': noted((exchange) =>
    page(
      'Home',
      `<img src="/own.png"><img src="${exchange.origin('other.test')}/foreign.png"><img src="/own-leads-away.png">
      <script>fetch("/own-data"); fetch("${exchange.origin('other.test')}/foreign-data", { mode: "no-cors" })</script>
      <iframe src="${exchange.origin('other.test')}/foreign-frame"></iframe>`,
    ),
  ),
  '/own.png': noted('', 'image/png'),
  '/own-data': noted('{}', 'application/json'),
  '/own-leads-away.png': leave('/led-away.png'),
  '/leads-away': leave('/led-away'),
  '/tell': noted(page('Tell', TELL)),
  '/popup': noted(
    page('Popup', '<script>window.open("/own-data"); alert("Hello"); document.body.append("went on")</script>'),
  ),
  '/asks': noted(
    page(
      'Asks',
      '<p id="a"></p><script>navigator.geolocation.getCurrentPosition(() => a.textContent = "told", () => a.textContent = "refused")</script>',
    ),
  ),
  '/password': (exchange) => {
    note(exchange);
    send(exchange, page('Password needed'), { status: 401, headers: { 'www-authenticate': 'Basic realm="site"' } });
  },
};
const other: Site = { '/*': (exchange) => noted(page('Other'))(exchange), '/': reply('') };

let web: Web;
let running: ReturnType<typeof startEngine>;

before(async () => {
  web = await startWeb({ 'home.test': home, 'other.test': other });
  running = startEngine(web);
});
after(async () => {
  await running.stop();
  await web.stop();
});

async function load(url: string, options: Partial<FetchRequest> = {}) {
  const fetched = await running.engine.fetch(browserRequest(url, options), AbortSignal.timeout(60_000));
  return { ...fetched, html: Buffer.from(fetched.bytes).toString() };
}
const reported = ({ html }: { html: string }) => JSON.parse(/<pre id="t">(.*?)<\/pre>/.exec(html)![1]!);

test("the caller's headers and cookies go to the target's origin and to no other", NEEDS_BROWSER, async () => {
  const sent = { 'X-Secret': 'mine', Authorization: 'Bearer mine', Cookie: 'session=mine; flag=1' };
  const headers = callerHeaders(web.url('home.test', '/'), sent);
  await load(web.url('home.test', '/page'), { headers });
  await load(web.url('home.test', '/leads-away'), { headers });
  for (const path of ['/page', '/own.png', '/own-data', '/own-leads-away.png', '/leads-away']) {
    const { 'x-secret': own, authorization, cookie } = seen.get(`home.test ${path}`)!;
    assert.deepEqual([own, authorization, cookie], ['mine', 'Bearer mine', 'session=mine; flag=1'], path);
  }
  for (const path of ['/foreign.png', '/foreign-data', '/foreign-frame', '/led-away.png', '/led-away']) {
    const foreign = seen.get(`other.test ${path}`);
    assert.ok(foreign, path);
    assert.doesNotMatch(JSON.stringify(foreign), /mine/, path);
  }
});

test('each page load starts without the cookies of the one before', NEEDS_BROWSER, async () => {
  await load(web.url('home.test', '/tell'), {
    headers: callerHeaders(web.url('home.test', '/'), { Cookie: 'session=mine' }),
  });
  await load(web.url('home.test', '/tell'));
  assert.equal(seen.get('home.test /tell')!.cookie, undefined);
});

test('the user agent and client hints match those of plain requests', NEEDS_BROWSER, async () => {
  const { userAgent, brands, webdriver, width } = reported(
    await load(web.secureUrl('home.test', '/tell'), { verifyTls: false }),
  );
  const sent = seen.get('home.test /tell')!;
  const plain = await createIdentify({ browserVersion: createBrowserVersion(EXECUTABLE, process.env.PATH ?? '') })({
    mobile: false,
    location: { country: 'US', languages: ['en-US'] },
  });
  assert.deepEqual([sent['user-agent'], sent['sec-ch-ua']], [plain['user-agent'], plain['sec-ch-ua']]);
  assert.equal(sent['user-agent'], userAgent);
  assert.match(userAgent, /^Mozilla\/5\.0 \(X11; Linux x86_64\) .* Chrome\/\d+\.0\.0\.0 Safari\/537\.36$/);
  assert.match(String(sent['sec-ch-ua']), /"Google Chrome"/);
  assert.doesNotMatch(JSON.stringify([sent, userAgent, brands]), /Headless/);
  assert.ok(brands.some(({ brand }: { brand: string }) => brand === 'Google Chrome'));
  assert.deepEqual([webdriver, width], [false, 1280]);
});

test('a custom User-Agent and the crawler name after it are sent', NEEDS_BROWSER, async (t) => {
  const own = startEngine(web, { userAgent: 'Reader/1.0' });
  t.after(own.stop);
  await own.engine.fetch(
    browserRequest(web.url('home.test', '/tell'), { agent: 'Trawl/1' }),
    AbortSignal.timeout(60_000),
  );
  assert.equal(seen.get('home.test /tell')!['user-agent'], 'Reader/1.0 Trawl/1');
});

test('mobile emulates a phone: user agent, touch and width', NEEDS_BROWSER, async () => {
  const phone = reported(await load(web.secureUrl('home.test', '/tell'), { mobile: true, verifyTls: false }));
  assert.match(phone.userAgent, /Android .* Mobile Safari/);
  assert.equal(phone.mobile, true);
  assert.ok(phone.maxTouchPoints > 0 && phone.scale > 2 && phone.width < 1000);
});

test('location sets languages and time zone', NEEDS_BROWSER, async () => {
  const location = { country: 'AT', languages: ['de-AT', 'en'] };
  const { language, languages, zone } = reported(await load(web.url('home.test', '/tell'), { location }));
  assert.deepEqual([language, languages, zone], ['de-AT', ['de-AT', 'de', 'en'], 'Europe/Vienna']);
  assert.equal(seen.get('home.test /tell')!['accept-language'], 'de-AT,de;q=0.9,en;q=0.8');
  const far = { country: 'BR', languages: ['pt-BR'] };
  assert.equal(reported(await load(web.url('home.test', '/tell'), { location: far })).zone, 'America/Sao_Paulo');
});

test('dialogs and windows opened by a page do not block it', NEEDS_BROWSER, async () => {
  assert.match((await load(web.url('home.test', '/popup'))).html, /<\/script>went on/);
});

test('permissions are refused', NEEDS_BROWSER, async () => {
  assert.match((await load(web.secureUrl('home.test', '/asks'), { verifyTls: false })).html, /<p id="a">refused/);
});

test('a site that asks for a password gets none, and never the proxy credentials', NEEDS_BROWSER, async () => {
  const { status, html } = await load(web.url('home.test', '/password'));
  assert.equal(status, 401);
  assert.match(html, /Password needed/);
  assert.equal(seen.get('home.test /password')!.authorization, undefined);
});

// Failing pages, sites and browsers: each failure is bounded and named, and the next page works.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { FetchRequest } from '../../../../src/fetch/engine.ts';
import { browserRequest, descendants, isAlive, NEEDS_BROWSER, startEngine } from '../../../support/browser/browser.ts';
import { until } from '../../../support/jobs.ts';
import { page, reply, reset, type Site, send } from '../../../support/web/reply.ts';
import { startWeb, type Web } from '../../../support/web.ts';

/** A page that is answered only when the test says so. */
const held = { requests: 0, ...Promise.withResolvers<void>() };

const site: Site = {
  '/held': async (exchange) => {
    held.requests += 1;
    await held.promise;
    if (!exchange.signal.aborted) send(exchange, page('Held'));
  },
  '/': reply(page('Fine')),
  '/n/*': reply(page('Numbered', '<div id="d"></div><script>d.textContent = location.pathname</script>')),
  '/hangs': reply(page('Hangs', '<script>while (true) {}</script>')),
  '/silent': ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
  '/reset': reset,
  '/circle': reply('', { status: 302, headers: { location: '/circle' } }),
  '/slow-picture': reply(page('Slow picture', '<img src="/silent">')),
  '/large': reply(() => page('Large', `<p>${'word '.repeat(100_000)}</p>`)),
  '/large.txt': reply(() => 'word '.repeat(100_000), { type: 'text/plain' }),
  '/holds': (exchange) => send(exchange, page('Holds', exchange.query.get('body') ?? '')),
  '/home': (exchange) => send(exchange, '', { status: 302, headers: { location: web.url('site.test', '/') } }),
  '/small.txt': reply('Fine', { type: 'text/plain' }),
  '/picture': reply('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', { type: 'image/svg+xml' }),
  '/sub.js': reply('d.textContent = "Sub"', { type: 'text/javascript' }),
};

let web: Web;

before(async () => {
  web = await startWeb({ 'site.test': site, 'other.test': site });
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

/** Ways to something behind an invalid certificate, from a page or a redirect. */
const OVER_TLS: Record<string, () => string> = {
  'the page': () => web.secureUrl('site.test'),
  'a file': () => web.secureUrl('site.test', '/small.txt'),
  'a redirect': () => web.secureUrl('site.test', '/home'),
  'a script': () => holding(`<div id="d"></div><script src="${web.secureUrl('site.test', '/sub.js')}"></script>`),
  'a picture': () => holding(`<img src="${web.secureUrl('other.test', '/picture')}">`),
  'a frame': () => holding(`<iframe src="${web.secureUrl('other.test')}"></iframe>`),
  'a script in a frame': () => {
    const inner = `<script src="${web.secureUrl('site.test', '/sub.js')}"></script>`;
    return holding(`<iframe src="${web.url('other.test', `/holds?body=${encodeURIComponent(inner)}`)}"></iframe>`);
  },
  'a request of a script': () => holding(`<script>fetch('${web.secureUrl('other.test')}', {mode: 'no-cors'})</script>`),
  // The page has not loaded until the socket is closed.
  'a WebSocket': () =>
    holding(`<script>
      const closed = new AbortController();
      fetch('/silent', { signal: closed.signal }).catch(() => {});
      new WebSocket('${web.secureUrl('other.test').replace('https', 'wss')}').onclose = () => closed.abort();
    </script>`),
};
const holding = (html: string) => web.url('site.test', `/holds?body=${encodeURIComponent(html)}`);

test('a page says whether every certificate was valid, its own and those of what it loads', NEEDS_BROWSER, async () => {
  const { engine, stop } = startEngine(web);
  const load = async (url: string, request: Partial<FetchRequest> = {}) => {
    // Long enough for all loads together, because they wait for each other.
    const patient = browserRequest(url, { deadline: Date.now() + 120_000, ...request });
    const { bytes, isVerified } = await engine.fetch(patient, AbortSignal.timeout(120_000));
    return [/Fine|Sub/.exec(Buffer.from(bytes).toString())?.[0], isVerified];
  };
  const wait = { type: 'wait' as const, milliseconds: 1 };
  try {
    const checks = [[], [wait]].flatMap((actions) => {
      const lenient = { verifyTls: false, actions };
      return [
        async () => assert.deepEqual(await load(web.url('site.test', '/'), lenient), ['Fine', true]),
        ...Object.entries(OVER_TLS).map(([name, url]) => async () => {
          const [text, isVerified] = await load(url(), lenient);
          assert.equal(isVerified, undefined, `${name}, ${actions.length} actions`);
          if (['the page', 'a file', 'a redirect'].includes(name)) assert.equal(text, 'Fine', name);
          if (name === 'a script') assert.equal(text, 'Sub');
        }),
        async () => assert.deepEqual(await load(OVER_TLS['a script']!(), { actions }), [undefined, true]),
        () => assert.rejects(load(web.secureUrl('site.test'), { actions }), { code: 'SCRAPE_SSL_ERROR' }),
      ];
    });
    const link = holding(`<a href="${web.secureUrl('site.test')}">Go</a>`);
    const click = { type: 'click' as const, selector: 'a', all: false };
    const clicked = async () =>
      assert.deepEqual(await load(link, { verifyTls: false, actions: [click] }), ['Fine', undefined]);
    await Promise.all([...checks, clicked].map((check) => check()));
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

test('pages in a browser that the operator ends are loaded again, however often', NEEDS_BROWSER, async () => {
  const { engine, stop } = startEngine(web, {});
  try {
    const patient = { deadline: Date.now() + 120_000 };
    const loading = ['/held', '/n/1'].map((path) =>
      engine.fetch(browserRequest(web.url('site.test', path), patient), AbortSignal.timeout(120_000)),
    );
    const requested = (times: number) =>
      until(
        async () => held.requests,
        (count) => count >= times,
      );
    for (let times = 1; times <= 3; times++) {
      await requested(times);
      const [process] = engine.processes().filter(({ state }) => state === 'running');
      assert.ok(process!.openPages >= 1 && process!.pid > 0);
      assert.equal(engine.endProcess(process!.id)?.id, process!.id);
      assert.equal(engine.endProcess(process!.id), undefined);
      await until(
        async () => isAlive(process!.pid),
        (alive) => !alive,
      );
    }
    await requested(4);
    held.resolve();
    const texts = (await Promise.all(loading)).map(({ bytes }) => Buffer.from(bytes).toString());
    assert.match(texts[0]!, /Held/);
    assert.match(texts[1]!, /\/n\/1/);
    assert.equal(engine.endProcess('nobody'), undefined);
  } finally {
    await stop();
  }
});

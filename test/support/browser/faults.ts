// Sites and browsers that fail, and ways to something behind an invalid certificate.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import type { FetchRequest } from '../../../src/fetch/engine.ts';
import { page, reply, reset, type Site, send } from '../web/reply.ts';
import { startWeb, type Web } from '../web.ts';
import { browserRequest, startEngine } from './browser.ts';

const ASK = 'const asking = new XMLHttpRequest(); asking.open("GET", "/hanging", false); asking.send()';

type Options = Parameters<typeof startEngine>[1];
type Engine = ReturnType<typeof startEngine>['engine'];
export type LoadPage = (url: string, request?: Partial<FetchRequest>, signal?: AbortSignal) => Promise<string>;

/** The small web with `site.test` and `other.test`, which both have the pages below. */
export function useFaults() {
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
    // The request tells that the loop begins.
    '/hangs': reply(page('Hangs', `<script>${ASK}; while (true) {}</script>`)),
    '/hanging': reply(''),
    '/silent': ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    '/reset': reset,
    '/circle': reply('', { status: 302, headers: { location: '/circle' } }),
    '/slow-picture': reply(page('Slow picture', '<img src="/silent">')),
    '/large': reply(() => page('Large', `<p>${'word '.repeat(100_000)}</p>`)),
    '/large.txt': reply(() => 'word '.repeat(100_000), { type: 'text/plain' }),
    '/holds': (exchange) => send(exchange, page('Holds', exchange.query.get('body') ?? '')),
    '/home': (exchange) => send(exchange, '', { status: 302, headers: { location: scene.web.url('site.test', '/') } }),
    '/small.txt': reply('Fine', { type: 'text/plain' }),
    '/picture': reply('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', { type: 'image/svg+xml' }),
    '/sub.js': reply('d.textContent = "Sub"', { type: 'text/javascript' }),
  };
  const scene = { held } as { held: typeof held; web: Web };
  let usual: ReturnType<typeof startEngine>;
  before(async () => {
    scene.web = await startWeb({ 'site.test': site, 'other.test': site });
    usual = startEngine(scene.web);
  });
  after(async () => {
    await usual.stop();
    await scene.web.stop();
  });

  /** Without options, it is the same engine each time. */
  async function withEngine(
    options: Options | undefined,
    use: (load: LoadPage, engine: Engine) => Promise<void>,
  ): Promise<void> {
    const { engine, stop } = options ? startEngine(scene.web, options) : usual;
    const load: LoadPage = async (url, request = {}, signal = AbortSignal.timeout(60_000)) => {
      const fetched = await engine.fetch(
        browserRequest(url.includes('://') ? url : scene.web.url('site.test', url), request),
        signal,
      );
      return Buffer.from(fetched.bytes).toString();
    };
    try {
      await use(load, engine);
    } finally {
      if (options) await stop();
    }
  }
  return Object.assign(scene, { withEngine });
}

/** Ways to something behind an invalid certificate, from a page or a redirect. */
export const overTls = (web: Web): Record<string, string> => {
  const holding = (html: string) => web.url('site.test', `/holds?body=${encodeURIComponent(html)}`);
  const inner = `<script src="${web.secureUrl('site.test', '/sub.js')}"></script>`;
  return {
    'the page': web.secureUrl('site.test'),
    'a file': web.secureUrl('site.test', '/small.txt'),
    'a redirect': web.secureUrl('site.test', '/home'),
    'a script': holding(`<div id="d"></div><script src="${web.secureUrl('site.test', '/sub.js')}"></script>`),
    'a picture': holding(`<img src="${web.secureUrl('other.test', '/picture')}">`),
    'a frame': holding(`<iframe src="${web.secureUrl('other.test')}"></iframe>`),
    'a script in a frame': holding(
      `<iframe src="${web.url('other.test', `/holds?body=${encodeURIComponent(inner)}`)}"></iframe>`,
    ),
    'a request of a script': holding(`<script>fetch('${web.secureUrl('other.test')}', {mode: 'no-cors'})</script>`),
    // The page has not loaded until the socket is closed.
    'a WebSocket': holding(`<script>
      const closed = new AbortController();
      fetch('/silent', { signal: closed.signal }).catch(() => {});
      new WebSocket('${web.secureUrl('other.test').replace('https', 'wss')}').onclose = () => closed.abort();
    </script>`),
  };
};

/** Loads a page by each of the ways, and checks whether it is said that every certificate was valid. */
export async function checkCertificates(web: Web, ways: readonly string[], withActions: boolean): Promise<void> {
  const over = overTls(web);
  const { engine, stop } = startEngine(web);
  const load = async (url: string, request: Partial<FetchRequest> = {}) => {
    // Long enough for all loads together, because they wait for each other.
    const patient = browserRequest(url, { deadline: Date.now() + 120_000, ...request });
    const { bytes, isVerified } = await engine.fetch(patient, AbortSignal.timeout(120_000));
    return [/Fine|Sub/.exec(Buffer.from(bytes).toString())?.[0], isVerified];
  };
  const wait = { type: 'wait' as const, milliseconds: 1 };
  try {
    const checks = (withActions ? [[], [wait]] : [[]]).flatMap((actions) => {
      const lenient = { verifyTls: false, actions };
      return [
        async () => assert.deepEqual(await load(web.url('site.test', '/'), lenient), ['Fine', true]),
        ...ways.map((name) => async () => {
          const [text, isVerified] = await load(over[name]!, lenient);
          assert.equal(isVerified, undefined, `${name}, ${actions.length} actions`);
          if (['the page', 'a file', 'a redirect'].includes(name)) assert.equal(text, 'Fine', name);
          if (name === 'a script') assert.equal(text, 'Sub');
        }),
        async () => assert.deepEqual(await load(over['a script']!, { actions }), [undefined, true]),
        () => assert.rejects(load(web.secureUrl('site.test'), { actions }), { code: 'SCRAPE_SSL_ERROR' }),
      ];
    });
    const link = web.url(
      'site.test',
      `/holds?body=${encodeURIComponent(`<a href="${web.secureUrl('site.test')}">Go</a>`)}`,
    );
    const click = { type: 'click' as const, selector: 'a', all: false };
    const clicked = async () =>
      assert.deepEqual(await load(link, { verifyTls: false, actions: [click] }), ['Fine', undefined]);
    await Promise.all([...checks, ...(withActions ? [clicked] : [])].map((check) => check()));
  } finally {
    await stop();
  }
}

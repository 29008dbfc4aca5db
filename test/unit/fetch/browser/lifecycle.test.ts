// The lifecycle of browsers: they start, end, and leave no process behind.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { browserRequest, descendants, isAlive, NEEDS_BROWSER, startEngine } from '../../../support/browser/browser.ts';
import { page, reply, type Site } from '../../../support/web/reply.ts';
import { startWeb, type Web } from '../../../support/web.ts';

const site: Site = {
  '/': reply(page('Fine')),
  '/silent': ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
};

let web: Web;

before(async () => {
  web = await startWeb({ 'site.test': site });
});
after(() => web.stop());

type LoadPage = (path: string) => Promise<string>;
type Engine = ReturnType<typeof startEngine>['engine'];

async function withEngine(
  options: Parameters<typeof startEngine>[1],
  use: (load: LoadPage, engine: Engine) => Promise<void>,
) {
  const { engine, stop } = startEngine(web, options);
  try {
    await use(async (path) => {
      const fetched = await engine.fetch(browserRequest(web.url('site.test', path)), AbortSignal.timeout(60_000));
      return Buffer.from(fetched.bytes).toString();
    }, engine);
  } finally {
    await stop();
  }
}

/** The processes of its browsers, with their own. */
const treeOf = (engine: Engine): number[] => engine.processes().flatMap(({ pid }) => [pid, ...descendants(pid)]);

async function allGone(pids: readonly number[]): Promise<void> {
  while (pids.some(isAlive)) await delay(50);
}

test('an idle browser exits, and a new one starts when needed', NEEDS_BROWSER, () =>
  withEngine({ limits: { idleMs: 100 } }, async (load, engine) => {
    await load('/');
    await allGone(treeOf(engine));
    assert.match(await load('/'), /Fine/);
  }),
);

test('closing the engine ends the browser, even while pages are loading', NEEDS_BROWSER, async () => {
  const { engine, stop } = startEngine(web);
  const coming = engine.fetch(browserRequest(web.url('site.test', '/silent')), AbortSignal.timeout(60_000));
  const refused = assert.rejects(coming);
  while (web.requests('site.test', '/silent') === 0 || engine.processes().length === 0) await delay(50);
  const pids = treeOf(engine);
  await stop();
  await refused;
  await allGone(pids);
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

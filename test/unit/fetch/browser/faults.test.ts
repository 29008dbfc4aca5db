// Failing pages, sites and browsers: each failure is bounded and named, and the next page works.
import assert from 'node:assert/strict';
import { browserRequest, isAlive, NEEDS_BROWSER, startEngine } from '../../../support/browser/browser.ts';
import { checkCertificates, useFaults } from '../../../support/browser/faults.ts';
import { fullTest, test } from '../../../support/full-run.ts';
import { until } from '../../../support/jobs.ts';

const scene = useFaults();

test('site failures have the same error codes as without a browser', NEEDS_BROWSER, () =>
  scene.withEngine(undefined, async (load) => {
    await assert.rejects(load('http://nowhere.invalid/'), { code: 'SCRAPE_DNS_RESOLUTION_ERROR' });
    await assert.rejects(load('http://10.0.0.1/'), { code: 'UNSUPPORTED_SITE' });
    await assert.rejects(load(scene.web.secureUrl('site.test')), { code: 'SCRAPE_SSL_ERROR' });
    await assert.rejects(load('/reset'), { code: 'SCRAPE_SITE_ERROR', message: /broke the connection off/ });
    await assert.rejects(load('/circle'), { code: 'SCRAPE_SITE_ERROR', message: /redirects/ });
  }),
);

fullTest('a page says whether every certificate was valid, its own and those of what it loads', NEEDS_BROWSER, () =>
  checkCertificates(scene.web, ['the page', 'a script', 'a WebSocket'], false),
);

fullTest('pages and files over the size limit are refused', NEEDS_BROWSER, () =>
  scene.withEngine({ maxPageBytes: 200_000 }, async (load) => {
    await assert.rejects(load('/large'), { code: 'SCRAPE_PAGE_TOO_LARGE' });
    await assert.rejects(load('/large.txt'), { code: 'SCRAPE_PAGE_TOO_LARGE' });
    assert.match(await load('/'), /Fine/);
  }),
);

const asked = (path: string) =>
  until(
    async () => scene.web.requests('site.test', path),
    (times) => times > 0,
  );

test('an abort ends a page load at once with its own reason, and the next one works', NEEDS_BROWSER, () =>
  scene.withEngine(undefined, async (load) => {
    const late = new Error('too late');
    for (const [path, sign] of [
      ['/silent', '/silent'],
      ['/hangs', '/hanging'],
    ] as const) {
      const caller = new AbortController();
      const loading = assert.rejects(load(path, {}, caller.signal), late);
      await asked(sign);
      caller.abort(late);
      await loading;
    }
    assert.match(await load('/'), /Fine/);
  }),
);

fullTest('a browser that is killed during a page load is replaced, and the page is still returned', NEEDS_BROWSER, () =>
  scene.withEngine(undefined, async (load, engine) => {
    await load('/');
    const [first] = engine.processes();
    const coming = load('/n/1', { waitFor: 1_500 });
    await asked('/n/1');
    process.kill(first!.pid, 'SIGKILL');
    assert.match(await coming, /\/n\/1/);
    assert.ok(!isAlive(first!.pid));
  }),
);

fullTest('pages in a browser that the operator ends are loaded again, however often', NEEDS_BROWSER, async () => {
  const { engine, stop } = startEngine(scene.web);
  try {
    const patient = { deadline: Date.now() + 120_000 };
    const loading = ['/held', '/n/1'].map((path) =>
      engine.fetch(browserRequest(scene.web.url('site.test', path), patient), AbortSignal.timeout(120_000)),
    );
    const requested = (times: number) =>
      until(
        async () => scene.held.requests,
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
    scene.held.resolve();
    const texts = (await Promise.all(loading)).map(({ bytes }) => Buffer.from(bytes).toString());
    assert.match(texts[0]!, /Held/);
    assert.match(texts[1]!, /\/n\/1/);
    assert.equal(engine.endProcess('nobody'), undefined);
  } finally {
    await stop();
  }
});

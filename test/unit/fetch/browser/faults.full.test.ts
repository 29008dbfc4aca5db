// Failures of pages and browsers that take long to tell, and every way to an invalid certificate.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { descendants, NEEDS_BROWSER } from '../../../support/browser/browser.ts';
import { checkCertificates, overTls, useFaults } from '../../../support/browser/faults.ts';

const scene = useFaults();

const browsers = () => descendants(process.pid);

test('a page says whether every certificate was valid, whatever it loads and after actions, too', NEEDS_BROWSER, () =>
  checkCertificates(scene.web, Object.keys(overTls(scene.web)), true),
);

test('an image that never arrives delays a page only up to its limit', NEEDS_BROWSER, () =>
  scene.withEngine(undefined, async (load) => assert.match(await load('/slow-picture'), /Slow picture/)),
);

test('a page that blocks its renderer forever fails, and the next page gets a new browser', NEEDS_BROWSER, () =>
  scene.withEngine(undefined, async (load) => {
    const deadline = Date.now() + 60_000;
    await assert.rejects(load('/hangs', { deadline }), {
      code: 'SCRAPE_SITE_ERROR',
      message: /keeps it busy forever/,
    });
    assert.match(await load('/'), /Fine/);
  }),
);

test('a renderer that dies causes one retry', NEEDS_BROWSER, () =>
  scene.withEngine(undefined, async (load) => {
    await load('/');
    const before = new Set(browsers());
    const coming = load('/n/2', { waitFor: 2_000 });
    await delay(1_000);
    for (const pid of browsers()) if (!before.has(pid)) process.kill(pid, 'SIGKILL');
    assert.match(await coming, /\/n\/2/);
  }),
);

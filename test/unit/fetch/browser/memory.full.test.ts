// Pages that fill the machine's memory in every way we know: each ends with one clear error, and its neighbours do not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { descendants, memoryWatch, NEEDS_BROWSER } from '../../../support/browser/browser.ts';
import { EXCEEDED, FILLS, LONG_MS, useHungryPages } from '../../../support/browser/hungry-pages.ts';
import { until } from '../../../support/jobs.ts';

const start = useHungryPages();

test('a page that fills memory is ended, however it does so, and leaves no process', NEEDS_BROWSER, async (t) => {
  const { load, stop } = start();
  try {
    for (const path of [...Object.keys(FILLS), '/frames']) {
      await t.test(path, () => assert.rejects(load(path, LONG_MS), EXCEEDED));
    }
    assert.match(await load('/'), /Fine/);
  } finally {
    await stop();
  }
  await until(
    async () => descendants(process.pid).length,
    (left) => left === 0,
  );
});

for (const path of ['/blobs']) {
  test(`the pages beside one that fills memory (${path}) are still read`, NEEDS_BROWSER, async () => {
    const { load, stop } = start({ maxPages: 4 });
    try {
      const neighbours = [1, 2, 3].map((n) => load(`/slow/${n}`, 3_000));
      await assert.rejects(load(path, LONG_MS), EXCEEDED);
      for (const text of await Promise.all(neighbours)) assert.match(text, />ready</);
    } finally {
      await stop();
    }
  });
}

test('all browsers together have a limit, and the page that holds the most is ended', NEEDS_BROWSER, async () => {
  const { load, stop } = start({ memory: memoryWatch(2_048, 300) });
  try {
    const small = load('/slow/1', 3_000);
    await assert.rejects(load('/buffers', LONG_MS), { ...EXCEEDED, message: /TRAWL_MAX_BROWSER_TOTAL_MB/ });
    assert.match(await small, />ready</);
  } finally {
    await stop();
  }
});

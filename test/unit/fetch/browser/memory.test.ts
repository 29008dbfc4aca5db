// A page that fills the machine's memory ends with one clear error, and its neighbours do not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NEEDS_BROWSER } from '../../../support/browser/browser.ts';
import { EXCEEDED, LONG_MS, useHungryPages } from '../../../support/browser/hungry-pages.ts';

const start = useHungryPages();

test('a page that fills memory is ended, and those beside it are still read', NEEDS_BROWSER, async () => {
  const { load, stop } = start({ maxPages: 4 });
  try {
    const neighbours = [1, 2, 3].map((n) => load(`/slow/${n}`, 3_000));
    await assert.rejects(load('/buffers', LONG_MS), EXCEEDED);
    for (const text of await Promise.all(neighbours)) assert.match(text, />ready</);
  } finally {
    await stop();
  }
});

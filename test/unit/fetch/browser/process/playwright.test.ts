// Playwright is megabytes of code: loading it may not hold the event loop from beginning to end.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { loadInTurns } from '../../../../../src/fetch/browser/process/playwright.ts';

test('the parts of Playwright are loaded in turns, and other work runs between them', async () => {
  const require = createRequire(import.meta.url);
  const events: string[] = [];
  const loading = loadInTurns((name) => {
    events.push(name);
    setImmediate(() => events.push('other work'));
    return require(name);
  });
  events.push('other work');
  const { chromium } = await loading;
  assert.equal(events[0], 'other work');
  assert.equal(typeof chromium.connectOverCDP, 'function');
  const loads = events.flatMap((event, index) => (event === 'other work' ? [] : [index]));
  assert.ok(loads.length >= 2);
  for (const [before, after] of loads.slice(1).map((index, at) => [loads[at]!, index])) {
    assert.ok(events.slice(before, after).includes('other work'), events.join(', '));
  }
});

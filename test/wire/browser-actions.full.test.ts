// `actions` of a scrape: long sequences, and pages on which they never end.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useActions } from '../support/browser/actions.ts';
import { NEEDS_BROWSER } from '../support/browser/browser.ts';

describe('actions', NEEDS_BROWSER, () => {
  const { act, script } = useActions();

  test('clicks, waits and scrolls change the page in their order', async () => {
    const { data } = await act([
      { type: 'click', selector: '.add', all: true },
      { type: 'click', selector: '.missing', all: true },
      { type: 'click', selector: '.add' },
      script('document.querySelector("#basket").textContent'),
      { type: 'click', selector: '#later' },
      script('note.hidden'),
      { type: 'wait', selector: '#note' },
      script('note.hidden'),
      { type: 'scroll' },
      script('scrollY > 400'),
      { type: 'scroll', direction: 'up' },
      script('scrollY'),
      { type: 'scroll', selector: '#end' },
      { type: 'wait', milliseconds: 50 },
      script('scrollY > 1500'),
    ]);
    const given = data.actions!.javascriptReturns!;
    const values = given.map(({ value }) => value);
    assert.equal(values[0], 'Basket:ABA');
    assert.equal(values[2], false);
    assert.deepEqual(values.slice(3), [true, 0, true]);
    assert.deepEqual([given[0]!.type, given[2]!.type, given[4]!.type], ['string', 'boolean', 'number']);
    assert.deepEqual(Object.keys(data.actions!), ['javascriptReturns']);
  });

  test('a timeout during actions is a 408 that names the action, even on pages that never settle', async () => {
    const timeout = 8000;
    const answers = await Promise.all([
      act([script('1'), { type: 'wait', milliseconds: 30_000 }], { timeout }),
      act([script('1'), script('new Promise(() => {})')], { timeout }),
      act([script('location.href = "/restless"; 1'), { type: 'wait', selector: '#never' }], { timeout }),
    ]);
    for (const { status, code, error, details } of answers) {
      assert.deepEqual([status, code], [408, 'SCRAPE_TIMEOUT'], error);
      assert.match(error!, /^Action 1 /);
      assert.deepEqual(details![0]!.path, ['actions', 1]);
    }
  });
});

// Failures of actions for which a page is waited for.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { actionsOn } from '../support/browser/act.ts';
import { NEEDS_BROWSER } from '../support/browser/browser.ts';
import { WITH_BROWSER } from '../support/browser/service-settings.ts';
import { useService } from '../support/use-service.ts';

describe('actions that wait in vain', NEEDS_BROWSER, () => {
  const scene = useService(WITH_BROWSER);
  const { act, script } = actionsOn(scene);

  test('a selector that matches nothing is an error that names its action', async () => {
    const { status, code, error, details } = await act([script('1'), { type: 'click', selector: '#none' }]);
    assert.deepEqual([status, code], [400, 'SCRAPE_ACTION_ERROR']);
    assert.match(error!, /^Action 1 .*"#none"/);
    assert.deepEqual(details![0]!.path, ['actions', 1]);
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

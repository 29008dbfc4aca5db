// Actions on pages that keep changing, and on scrapes that time out or are cancelled.
import assert from 'node:assert/strict';
import { failsWith, run } from '../../../../support/browser/run-actions.ts';
import { noBrowser, servePages } from '../../../../support/browser/serve-pages.ts';
import { fullTest, test } from '../../../../support/full-run.ts';

const options = { skip: noBrowser };

const site = servePages({
  '/still': '<p id="never" hidden>Never</p>',
  '/restless': `<p>Restless</p><script>addEventListener('load', () => setTimeout(() => location.reload(), 30))</script>`,
});

test('a page that reloads endlessly is still scraped, or fails with the action named', options, async () => {
  const page = await site.open('/restless');
  try {
    const { scrapes } = await run(page, [{ type: 'wait', selector: 'p' }, { type: 'scrape' }]);
    assert.match(scrapes[0]!.html, /Restless/);
  } catch (error) {
    failsWith('SCRAPE_ACTION_ERROR', /^Action \d \(\w+\): the page keeps navigating/)(error);
  }
  await page.close();
});

test('an action on a page that closes fails with the action named', options, async () => {
  const page = await site.open('/still');
  const waiting = run(page, [{ type: 'wait', selector: '#never' }]);
  setTimeout(() => page.close(), 200);
  await assert.rejects(waiting, failsWith('SCRAPE_ACTION_ERROR', /^Action 0 \(wait\): the page closed itself/));
});

fullTest('a scrape that times out names the action that was running', options, async () => {
  const page = await site.open('/still');
  await assert.rejects(
    run(page, [{ type: 'scrape' }, { type: 'wait', selector: '#never' }], { timeMs: 5_000 }),
    failsWith('SCRAPE_TIMEOUT', /^Action 1 \(wait\): the scrape timed out/),
  );
  await assert.rejects(
    run(page, [{ type: 'wait', milliseconds: 50_000 }], { timeMs: 40_000 }),
    failsWith('SCRAPE_TIMEOUT', /^Action 0 \(wait\)/),
  );
  await assert.rejects(
    run(page, [{ type: 'executeJavascript', script: 'while (true) {}' }], { timeMs: 1_000 }),
    failsWith('SCRAPE_TIMEOUT', /^Action 0 \(executeJavascript\)/),
  );
  await page.close();
});

test("a cancelled scrape fails with the caller's own reason", options, async () => {
  const page = await site.open('/still');
  const reason = new Error('no longer wanted');
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), 100);
  await assert.rejects(
    run(page, [{ type: 'wait', milliseconds: 30_000 }], { signal: controller.signal }),
    (error) => error === reason,
  );
  await page.close();
});

// Code run in a browser session over HTTP: what it can do with the page, what it returns, and what it cannot reach.
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { NEEDS_BROWSER } from '../support/browser/browser.ts';
import { WITH_BROWSER } from '../support/browser/service-settings.ts';
import { type Executed, useSession } from '../support/execute.ts';
import { fullTest, test } from '../support/full-run.ts';
import { NEEDS_SANDBOX } from '../support/sandbox.ts';
import { useService } from '../support/use-service.ts';

const skip = NEEDS_BROWSER.skip || NEEDS_SANDBOX.skip;

describe('code in a browser session', { skip }, () => {
  const scene = useService(WITH_BROWSER);
  const { execute, resultOf, session } = useSession(scene);

  test('drives the page of the session, which stays for the next code', async () => {
    const url = scene.web.url('counter.test', '/');
    const { status, body } = await execute(
      `await page.goto(${JSON.stringify(url)}); console.log('there'); const title = await page.title(); title`,
    );
    assert.deepEqual(
      [status, body.success, body.stdout, body.stderr],
      [200, true, 'there\n', ''],
      JSON.stringify(body),
    );
    assert.match(body.cdpUrl, /^ws:/);
    const again = await scene.service.post<Executed>(`/v2/interact/${session()}/execute`, { code: 'page.url()' });
    assert.equal(again.body.result, url);
  });

  fullTest('returns the value of its last expression, with promises awaited, or of a return', async () => {
    assert.equal(await resultOf('page.evaluate(() => [6 * 7, { a: "b" }])'), '[42,{"a":"b"}]');
    assert.equal(await resultOf('if (browser.isConnected()) return context.pages().length'), '1');
    assert.equal(await resultOf('const a = {}; a.a = a; a'), '<ref *1> { a: [Circular *1] }');
  });

  test('code that fails is reported in a successful answer', async () => {
    const thrown = (await execute("console.log('before');\nthrow new TypeError('so it is')")).body;
    assert.deepEqual(
      [thrown.success, thrown.exitCode, thrown.stdout, thrown.error],
      [true, 1, 'before\n', 'TypeError: so it is'],
    );
    assert.doesNotMatch(thrown.stderr, /trawl|inspector/);
    const left = (await execute('process.exit(7)')).body;
    assert.deepEqual([left.exitCode, left.killed, left.error], [7, false, 'The code ended with exit code 7.']);
  });

  test('code that does not end is killed after its timeout', async () => {
    const { status, body } = await execute('for (;;);', { timeout: 1 });
    assert.deepEqual([status, body.success, body.killed, body.exitCode], [200, true, true, 137]);
    assert.match(body.error!, /after 1 seconds/);
  });

  test('code cannot reach the service, the web or files, neither directly nor with the browser', async () => {
    const own = `http://127.0.0.1:${new URL(scene.service.url).port}/v0/health/liveness`;
    const addresses = JSON.stringify([own, scene.web.url('counter.test', '/')]);
    const code = `const said = [];
      for (const address of ${addresses}) said.push(await fetch(address).then(() => 'reached', () => 'refused'));
      for (const address of ['file:///etc/passwd', 'chrome://version', '${own}']) {
        const answer = await page.goto(address).catch(() => undefined);
        said.push(answer?.status() === 200 ? 'reached' : 'refused');
      }
      said`;
    assert.equal(await resultOf(code, { timeout: 60 }), JSON.stringify(Array(5).fill('refused')));
  });

  test('a request beyond the limits is refused', async () => {
    for (const body of [
      {},
      { code: '' },
      { code: 'ä'.repeat(60_000) },
      { code: '1', timeout: 0 },
      { code: '1', timeout: 301 },
      { code: '1', language: 'ruby' },
    ]) {
      const { status } = await scene.service.post(`/v2/browser/${session()}/execute`, body);
      assert.equal(status, 400, JSON.stringify(body).slice(0, 60));
    }
  });
});

describe('a server with code execution disabled', () => {
  const scene = useService();

  test('refuses code and names the setting that enables it', async () => {
    const id = '01890000-0000-7000-8000-000000000000';
    for (const path of [`/v2/browser/${id}/execute`, `/v2/scrape/${id}/interact`]) {
      const { status, body } = await scene.service.post(path, { code: '1' });
      assert.deepEqual([status, body.code], [403, 'EXECUTE_NOT_ALLOWED']);
      assert.match(String(body.error), /TRAWL_BROWSER_EXECUTE=on/);
    }
  });
});

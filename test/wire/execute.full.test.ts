// Code in a browser session, in every language, several at once, and what is left of it.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { NEEDS_BROWSER } from '../support/browser/browser.ts';
import { WITH_BROWSER } from '../support/browser/service-settings.ts';
import { useSession } from '../support/execute.ts';
import { NEEDS_SANDBOX } from '../support/sandbox.ts';
import { useOwnService, useService } from '../support/use-service.ts';

const skip = NEEDS_BROWSER.skip || NEEDS_SANDBOX.skip;

describe('code in a browser session', { skip }, () => {
  /** Temporary files of the service. */
  const scratch = mkdtempSync(join(tmpdir(), 'trawl-execute-'));
  const scene = useOwnService({ ...WITH_BROWSER, TMPDIR: scratch });
  after(() => rmSync(scratch, { recursive: true, force: true }));
  const { open, execute, resultOf, close } = useSession(scene);

  test('bash runs, and the error says so if agent-browser is missing', async () => {
    const { body } = await execute('echo $((6 * 7)); agent-browser --version', { language: 'bash', timeout: 60 });
    assert.equal(body.stdout.split('\n')[0], '42');
    assert.equal(body.result, body.stdout);
    if (body.exitCode !== 0) assert.match(body.error!, /^agent-browser is not installed on this server\./);
  });

  test('python runs if Playwright is installed, and is refused with the reason otherwise', async () => {
    const { status, body } = await execute('print(await page.title())', { language: 'python', timeout: 60 });
    if (status === 503) assert.match(body.error!, /python3 with Playwright/);
    else assert.deepEqual([status, body.exitCode], [200, 0], JSON.stringify(body));
  });

  test('code of one session sees nothing of another', async () => {
    const other = await open();
    const url = scene.web.url('room.test', '/number/7');
    assert.equal((await execute(`await page.goto('${url}'); page.url()`, {}, other)).body.result, url);
    const targets = `const cdp = await browser.newBrowserCDPSession(); JSON.stringify(await cdp.send('Target.getTargets'))`;
    assert.match((await execute(targets, {}, other)).body.result, /number\/7/);
    assert.doesNotMatch(await resultOf(targets), /number\/7/);
    assert.equal(await resultOf('ls /trawl | grep -c cdp', { language: 'bash' }), '1\n');
    await close(other);
  });

  test('several pieces of code run at once', async () => {
    const codes = ['1', '2', '3'].map((code) => resultOf(code, { timeout: 60 }));
    assert.deepEqual(await Promise.all(codes), ['1', '2', '3']);
  });

  test('ending a session ends its running code, and later code is refused', async () => {
    const ending = await open();
    const running = execute('await new Promise(() => setInterval(() => {}, 1000))', { timeout: 60 }, ending);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await close(ending);
    assert.equal((await running).status, 410);
    const late = await execute('1', {}, ending);
    assert.deepEqual([late.status, late.body.error], [410, 'Browser session has been destroyed.']);
    const unknown = await execute('1', {}, '01890000-0000-7000-8000-000000000000');
    assert.deepEqual([unknown.status, unknown.body.error], [404, 'Browser session not found.']);
  });

  test('no socket is left in the temporary folder', () => {
    assert.deepEqual(
      readdirSync(scratch).filter((name) => name.startsWith('trawl-socket-')),
      [],
    );
  });
});

describe('a server that allows one language', () => {
  const scene = useService({ TRAWL_BROWSER_EXECUTE: 'node' });

  test('runs only the languages that its operator allows', async () => {
    const id = '01890000-0000-7000-8000-000000000000';
    const { status, body } = await scene.service.post(`/v2/browser/${id}/execute`, { code: '1', language: 'bash' });
    assert.deepEqual([status, body.code], [403, 'EXECUTE_NOT_ALLOWED']);
    assert.match(String(body.error), /its operator allows node/);
    assert.equal((await scene.service.post(`/v2/browser/${id}/execute`, { code: '1' })).status, 404);
  });
});

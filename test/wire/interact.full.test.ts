// Continuing from a scrape in less usual ways: at once, from a crawl, with invalid certificates, and with prompts that fail.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { Firecrawl } from 'firecrawl';
import { pythonSdk } from '../../scripts/python-sdk.mjs';
import { NEEDS_BROWSER } from '../support/browser/browser.ts';
import { finish, useInteract } from '../support/interact.ts';
import { runCrawl } from '../support/jobs.ts';
import { REFUSAL, says } from '../support/models/replies.ts';
import { NEEDS_SANDBOX } from '../support/sandbox.ts';

const skip = NEEDS_BROWSER.skip || NEEDS_SANDBOX.skip;
const UNKNOWN = '01890000-0000-7000-8000-000000000000';

const scene = useInteract();
const { scrapeId, interact, stop, look } = scene;

describe('continuing from a scrape', { skip }, () => {
  test('two simultaneous first requests share one session', async () => {
    const id = await scrapeId('room.test', '/number/3');
    const both = await Promise.all([1, 2].map(() => interact(id, { code: 'page.url()', timeout: 60 })));
    assert.equal(both[0]!.body.sessionId, both[1]!.body.sessionId);
    assert.equal(both[1]!.body.result, scene.web.url('room.test', '/number/3'));
    const session = both[0]!.body.sessionId;
    const byName = await interact(UNKNOWN, { code: '1', existingSessionId: session, timeout: 60 });
    assert.equal(byName.body.sessionId, session);
    await stop(id);
  });

  test('a scrape that cannot be replayed says why, and leaves no session', async () => {
    const id = await scrapeId('room.test', '/slow/1500');
    const { status, body } = await interact(id, { code: '1', timeout: 1 });
    assert.deepEqual([status, body.code], [409, 'REPLAY_UNAVAILABLE'], JSON.stringify(body));
    const listed = await scene.service.fetch('/v2/browser?status=active');
    assert.deepEqual(((await listed.json()) as { sessions: unknown[] }).sessions, []);
  });

  test('firecrawl 4.42.0 does all of it', async () => {
    const client = new Firecrawl({ apiKey: scene.service.key, apiUrl: scene.service.url });
    const id = await scrapeId('room.test', '/number/6');
    const { success, result } = await client.interact(id, { code: 'page.title()', language: 'node', timeout: 60 });
    assert.deepEqual([success, result], [true, 'Number']);
    const { success: isOver, sessionDurationMs } = await client.stopInteraction(id);
    assert.ok(isOver && sessionDurationMs! > 0);

    const { id: session } = await client.browser();
    const shell = await client.browserExecute(session!, { code: 'echo hello', timeout: 60 });
    assert.deepEqual([shell.success, shell.stdout, shell.exitCode], [true, 'hello\n', 0]);
    await client.deleteBrowser(session!);
  });
});

describe('the page of a scrape, opened again in a session', NEEDS_BROWSER, () => {
  const titleOf = (id: string) => look(id, (page) => page.title());

  test('an invalid certificate that the scrape accepted is accepted, too', async () => {
    const url = scene.web.secureUrl('room.test', '/number/8');
    assert.equal(await titleOf(await scrapeId(url, '', { skipTlsVerification: true })), 'Number');
    // Here only the script of the page has one.
    assert.equal(await titleOf(await scrapeId('borrows.test', '/', { waitFor: 1 })), 'Borrowed');
  });

  test('a page of a crawl can be continued like a scrape', async () => {
    const { documents } = await runCrawl(scene.service, { url: scene.web.url('room.test', '/number/9'), limit: 1 });
    assert.equal(await titleOf(documents[0]!.metadata.scrapeId), 'Number');
  });

  test('the headers of a crawl go to the origin of its start URL only', async () => {
    const url = scene.web.url(
      'redirect.test',
      `/to/302?url=${encodeURIComponent(scene.web.url('echo.test', '/landed'))}`,
    );
    const headers = { 'X-Token': 'sesame', Cookie: 'crumb=1' };
    const { documents } = await runCrawl(scene.service, { url, limit: 1, scrapeOptions: { headers, maxAge: 0 } });
    const seen = await look(documents[0]!.metadata.scrapeId, async (page) => JSON.parse(await page.innerText('body')));
    assert.deepEqual([seen.headers['x-token'], seen.headers.cookie], [undefined, undefined]);
  });
});

const INTERACT = `
import sys
from firecrawl import Firecrawl
done = Firecrawl(api_key=sys.argv[1], api_url=sys.argv[2]).interact(sys.argv[3], prompt="Read the page", timeout=120)
print(done.success, done.output, done.exit_code, done.killed)
`;
const python = pythonSdk();

describe('a prompt', NEEDS_BROWSER, () => {
  test('that leads nowhere is answered with the reason', async () => {
    const id = await scrapeId('counter.test', '/');
    scene.model.answer(says({ actions: [] }));
    const lost = await interact(id, { prompt: 'Go on', timeout: 120 });
    assert.deepEqual(
      [lost.status, lost.body.success, lost.body.exitCode, lost.body.output],
      [200, false, 1, undefined],
    );
    assert.match(lost.body.error!, /did not answer with actions/);
    scene.model.answer(says({ actions: [{ do: 'scroll', text: 'down' }] }));
    assert.match((await interact(id, { prompt: 'Look around', timeout: 120 })).body.error!, /repeating/);
    scene.model.answer(() => REFUSAL);
    assert.match((await interact(id, { prompt: 'Refuse', timeout: 120 })).body.error!, /refused/);
    scene.model.answer(() => 'silence');
    const late = await interact(id, { prompt: 'Wait', timeout: 2 });
    assert.deepEqual([late.body.success, late.body.killed], [false, true]);
    assert.match(late.body.error!, /after 2 seconds/);
    if (python) {
      scene.model.answer(says(finish('Read.')));
      const asked = [scene.service.key, scene.service.url, id];
      const { stdout } = await promisify(execFile)(python, ['-c', INTERACT, ...asked], { timeout: 240_000 });
      assert.equal(stdout.trim(), 'True Read. 0 False');
    }
    await stop(id);
  });
});

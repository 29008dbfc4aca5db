// Continuing from a scrape: its page is opened again in a session, and code runs there until the session ends.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Firecrawl } from 'firecrawl';
import { NEEDS_BROWSER } from '../support/browser/browser.ts';
import { NEEDS_SANDBOX } from '../support/sandbox.ts';
import { useService } from '../support/use-service.ts';

interface Interacted {
  success: boolean;
  error?: string;
  code?: string;
  sessionId: string;
  result: string;
  exitCode: number;
}

const skip = NEEDS_BROWSER.skip || NEEDS_SANDBOX.skip;
const UNKNOWN = '01890000-0000-7000-8000-000000000000';

describe('continuing from a scrape', { skip }, () => {
  const scene = useService({ TRAWL_BROWSER: 'auto', TRAWL_BROWSER_EXECUTE: 'on' });

  const scrapeId = async (host: string, path: string, options: object = {}) => {
    const url = scene.web.url(host, path);
    const { body } = await scene.service.scrape<{ data: { metadata: { scrapeId: string } } }>({ url, ...options });
    return body.data.metadata.scrapeId;
  };
  const interact = (id: string, body: object) => scene.service.post<Interacted>(`/v2/scrape/${id}/interact`, body);
  const stop = (id: string) => scene.service.fetch(`/v2/scrape/${id}/interact`, { method: 'DELETE' });

  test('the page is where the actions of the scrape left it, and stays there', async () => {
    const actions = [
      { type: 'click', selector: '#field' },
      { type: 'write', text: 'nets' },
      { type: 'press', key: 'Enter' },
      { type: 'wait', selector: '#found' },
    ];
    const id = await scrapeId('counter.test', '/', { actions });
    const first = await interact(id, { code: "page.locator('#found').innerText()", timeout: 60 });
    assert.deepEqual(
      [first.status, first.body.success, first.body.result],
      [200, true, 'Found nets.'],
      JSON.stringify(first.body),
    );

    const asked = scene.web.requests('counter.test');
    const second = await interact(id, {
      code: "await page.evaluate(() => { document.title = 'Mine'; }); throw new Error('no')",
      timeout: 60,
    });
    assert.deepEqual([second.body.success, second.body.sessionId], [false, first.body.sessionId]);
    const third = await interact(id, { code: 'page.title()', timeout: 60 });
    assert.equal(third.body.result, 'Mine');
    assert.equal(scene.web.requests('counter.test'), asked, 'the page is not requested again');

    const ended = await stop(id);
    assert.equal(ended.status, 200);
    assert.equal(((await ended.json()) as { success: boolean }).success, true);
    assert.equal((await interact(id, { code: '1' })).status, 410);
  });

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
    const served = await scrapeId('room.test', '/number/4');
    const timeless = await interact(served, { prompt: 'Click it' });
    assert.deepEqual([timeless.status, timeless.body.code], [400, 'NEEDS_MODEL']);
    const id = await scrapeId('room.test', '/slow/1500');
    const { status, body } = await interact(id, { code: '1', timeout: 1 });
    assert.deepEqual([status, body.code], [409, 'REPLAY_UNAVAILABLE'], JSON.stringify(body));
    const listed = await scene.service.fetch('/v2/browser?status=active');
    assert.deepEqual(((await listed.json()) as { sessions: unknown[] }).sessions, []);
  });

  test('an unknown scrape cannot be continued', async () => {
    assert.equal((await interact('no-id', { code: '1' })).status, 400);
    assert.equal((await interact(UNKNOWN, {})).status, 400);
    const unknown = await interact(UNKNOWN, { code: '1' });
    assert.deepEqual([unknown.status, unknown.body.error], [404, 'Job not found.']);
    const unkept = await scrapeId('room.test', '/number/5', { zeroDataRetention: true });
    assert.equal((await interact(unkept, { code: '1' })).status, 404);
    const unstarted = await stop(UNKNOWN);
    assert.equal(unstarted.status, 404);
    assert.match(await unstarted.text(), /Browser session not found\./);
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

// Continuing from a scrape at the same time, by public clients, from crawls, and with pages that give orders.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { Firecrawl } from 'firecrawl';
import { chromium, type Page } from 'playwright-core';
import { pythonSdk } from '../../scripts/python-sdk.mjs';
import { NEEDS_BROWSER } from '../support/browser/browser.ts';
import { runCrawl } from '../support/jobs.ts';
import type { ReceivedCall } from '../support/models/model-server.ts';
import { REFUSAL, says } from '../support/models/replies.ts';
import { interact, model, scrapeId, service, skip, stop, UNKNOWN, useInteract, web } from '../support/wire/interact.ts';

useInteract();

describe('continuing from a scrape', { skip }, () => {
  test('two simultaneous first requests share one session', async () => {
    const id = await scrapeId('room.test', '/number/3');
    const both = await Promise.all([1, 2].map(() => interact(id, { code: 'page.url()', timeout: 60 })));
    assert.equal(both[0]!.body.sessionId, both[1]!.body.sessionId);
    assert.equal(both[1]!.body.result, web.url('room.test', '/number/3'));
    const session = both[0]!.body.sessionId;
    const byName = await interact(UNKNOWN, { code: '1', existingSessionId: session, timeout: 60 });
    assert.equal(byName.body.sessionId, session);
    await stop(id);
  });

  test('a scrape that cannot be replayed says why, and leaves no session', async () => {
    const id = await scrapeId('room.test', '/slow/1500');
    const { status, body } = await interact(id, { code: '1', timeout: 1 });
    assert.deepEqual([status, body.code], [409, 'REPLAY_UNAVAILABLE'], JSON.stringify(body));
    const listed = await service.fetch('/v2/browser?status=active');
    assert.deepEqual(((await listed.json()) as { sessions: unknown[] }).sessions, []);
  });

  test('firecrawl 4.42.0 does all of it', async () => {
    const client = new Firecrawl({ apiKey: service.key, apiUrl: service.url });
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
  /** Also where code cannot run, the session is open by then: its page is looked at over the DevTools protocol. */
  async function look<T>(id: string, read: (page: Page) => Promise<T>): Promise<T> {
    await interact(id, { code: '1', timeout: 60 });
    const listed = await service.fetch('/v2/browser?status=active');
    const { sessions } = (await listed.json()) as { sessions: { cdpUrl: string }[] };
    assert.equal(sessions.length, 1);
    const browser = await chromium.connectOverCDP(sessions[0]!.cdpUrl);
    try {
      return await read(browser.contexts()[0]!.pages()[0]!);
    } finally {
      await browser.close();
      await stop(id);
    }
  }
  const titleOf = (id: string) => look(id, (page) => page.title());

  test('an invalid certificate that the scrape accepted is accepted, too', async () => {
    const url = web.secureUrl('room.test', '/number/8');
    assert.equal(await titleOf(await scrapeId(url, '', { skipTlsVerification: true })), 'Number');
    // Here only the script of the page has one.
    assert.equal(await titleOf(await scrapeId('borrows.test', '/', { waitFor: 1 })), 'Borrowed');
  });

  test('a page of a crawl can be continued like a scrape', async () => {
    const { documents } = await runCrawl(service, { url: web.url('room.test', '/number/9'), limit: 1 });
    assert.equal(await titleOf(documents[0]!.metadata.scrapeId), 'Number');
  });

  test('the headers of a crawl go to the origin of its start URL only', async () => {
    const url = web.url('redirect.test', `/to/302?url=${encodeURIComponent(web.url('echo.test', '/landed'))}`);
    const headers = { 'X-Token': 'sesame', Cookie: 'crumb=1' };
    const { documents } = await runCrawl(service, { url, limit: 1, scrapeOptions: { headers, maxAge: 0 } });
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
  /** The number of the first element whose line matches. */
  const numberOf = ({ material }: ReceivedCall, pattern: RegExp) =>
    Number(/^\[(\d+)\]/.exec(material.page!.split('\n').find((line) => pattern.test(line)) ?? '')?.[1]);
  const finish = (text: string) => ({ actions: [{ do: 'finish', text }] });

  test('is carried out on the page, turn by turn, and makes the session cost more', async () => {
    const id = await scrapeId('counter.test', '/');
    const client = new Firecrawl({ apiKey: service.key, apiUrl: service.url });
    const before = model.calls.length;
    model.answer((call, count) => {
      const turn = count - before;
      if (turn === 1) {
        const element = numberOf(call, /\] textbox/);
        return { text: { actions: [{ do: 'type', element, text: 'nets', enter: true }] } };
      }
      const found = /Found nets\./.exec(call.material.page!)?.[0];
      return { text: found ? finish(found) : { actions: [{ do: 'wait', text: '1' }] } };
    });
    const answer = await client.interact(id, { prompt: 'Search for nets and say what was found', timeout: 120 });
    assert.deepEqual(
      [answer.success, answer.output, answer.exitCode],
      [true, 'Found nets.', 0],
      JSON.stringify(answer),
    );
    const { task, history } = model.calls.at(-1)!.material;
    assert.equal(task, 'Search for nets and say what was found');
    assert.match(history!, /^type \[\d+\]: done/);

    model.answer(says({ actions: [] }));
    const lost = await interact(id, { prompt: 'Go on', timeout: 120 });
    assert.deepEqual(
      [lost.status, lost.body.success, lost.body.exitCode, lost.body.output],
      [200, false, 1, undefined],
    );
    assert.match(lost.body.error!, /did not answer with actions/);
    model.answer(says({ actions: [{ do: 'scroll', text: 'down' }] }));
    assert.match((await interact(id, { prompt: 'Look around', timeout: 120 })).body.error!, /repeating/);
    model.answer(() => REFUSAL);
    assert.match((await interact(id, { prompt: 'Refuse', timeout: 120 })).body.error!, /refused/);
    model.answer(() => 'silence');
    const late = await interact(id, { prompt: 'Wait', timeout: 2 });
    assert.deepEqual([late.body.success, late.body.killed], [false, true]);
    assert.match(late.body.error!, /after 2 seconds/);
    if (python) {
      model.answer(says(finish('Read.')));
      const asked = [service.key, service.url, id];
      const { stdout } = await promisify(execFile)(python, ['-c', INTERACT, ...asked], { timeout: 240_000 });
      assert.equal(stdout.trim(), 'True Read. 0 False');
    }
    const ended = (await (await stop(id)).json()) as { creditsBilled: number; sessionDurationMs: number };
    assert.equal(ended.creditsBilled, Math.ceil((Math.max(60_000, ended.sessionDurationMs) / 60_000) * 7));
  });
});

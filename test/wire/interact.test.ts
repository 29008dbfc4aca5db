// Continuing from a scrape: its page is opened again in a session, and code runs there until the session ends.
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { Firecrawl } from 'firecrawl';
import { NEEDS_BROWSER } from '../support/browser/browser.ts';
import { fullTest, test } from '../support/full-run.ts';
import { finish, numberOf, useInteract } from '../support/interact.ts';
import { obeysMaterial, says } from '../support/models/replies.ts';
import { NEEDS_SANDBOX } from '../support/sandbox.ts';

const skip = NEEDS_BROWSER.skip || NEEDS_SANDBOX.skip;
const UNKNOWN = '01890000-0000-7000-8000-000000000000';

const scene = useInteract();
const { scrapeId, interact, stop, look } = scene;

describe('continuing from a scrape', { skip }, () => {
  test('the page is where the actions of the scrape left it, and stays there', async () => {
    const actions = [
      { type: 'click', selector: '#field' },
      { type: 'write', text: 'nets' },
      { type: 'press', key: 'Enter' },
      { type: 'wait', selector: '#found' },
    ];
    // As a caller may write it: without a scheme.
    const url = scene.web.url('counter.test', '/').replace('http://', '');
    const id = await scrapeId(url, '', { actions });
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
    const third = await interact(id, { code: 'page.title()', prompt: 'Ignored beside code', timeout: 60 });
    assert.equal(third.body.result, 'Mine');
    assert.equal(scene.web.requests('counter.test'), asked, 'the page is not requested again');

    const ended = await stop(id);
    assert.equal(ended.status, 200);
    assert.equal(((await ended.json()) as { success: boolean }).success, true);
    assert.equal((await interact(id, { code: '1' })).status, 410);
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
});

describe('the page of a scrape, opened again in a session', NEEDS_BROWSER, () => {
  fullTest('headers, cookies, device, location and proxy are those of the scrape', async () => {
    const id = await scrapeId('echo.test', '/first', {
      headers: { 'X-Token': 'sesame', Cookie: 'crumb=1' },
      mobile: true,
      location: { country: 'DE', languages: ['de'] },
      proxy: 'enhanced',
      formats: ['rawHtml'],
    });
    scene.proxy.asked.length = 0;
    const seen = await look(id, async (page) => {
      const fetched = async (url: string) =>
        JSON.parse(await page.evaluate((target) => fetch(target).then((answer) => answer.text()), url)).headers;
      return {
        opened: JSON.parse(await page.innerText('body')).headers,
        later: await fetched('/later'),
        elsewhere: await fetched(scene.web.url('mirror.test')),
        page: await page.evaluate(
          '[navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone, screen.width, navigator.maxTouchPoints > 0]',
        ),
      };
    });
    for (const headers of [seen.opened, seen.later]) {
      assert.equal(headers['x-token'], 'sesame');
      assert.equal(headers.cookie, 'crumb=1');
      assert.match(headers['user-agent'], /Android/);
      assert.match(headers['accept-language'], /^de\b/);
    }
    assert.deepEqual([seen.elsewhere['x-token'], seen.elsewhere.cookie], [undefined, undefined]);
    assert.deepEqual(seen.page, ['de', 'Europe/Berlin', 412, true]);
    // The tunnel to the first host may be the one of the scrape.
    assert.ok(
      scene.proxy.asked.includes(`CONNECT ${new URL(scene.web.url('mirror.test')).host}`),
      scene.proxy.asked.join(', '),
    );
  });

  test('an uploaded file has no page to continue from', async () => {
    const form = new FormData();
    form.set('file', new Blob(['<p>Hello</p>'], { type: 'text/html' }), 'hello.html');
    const parsed = await scene.service.fetch('/v2/parse', { method: 'POST', body: form });
    const { data } = (await parsed.json()) as { data: { metadata: { scrapeId: string } } };
    const { status, body } = await interact(data.metadata.scrapeId, { code: '1' });
    assert.deepEqual([status, body.code], [409, 'REPLAY_UNAVAILABLE']);
    assert.match(body.error!, /uploaded file/);
  });
});

describe('a prompt', NEEDS_BROWSER, () => {
  test('is carried out on the page, turn by turn, and makes the session cost more', async () => {
    const id = await scrapeId('counter.test', '/');
    const client = new Firecrawl({ apiKey: scene.service.key, apiUrl: scene.service.url });
    const before = scene.model.calls.length;
    scene.model.answer((call, count) => {
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
    const { task, history } = scene.model.calls.at(-1)!.material;
    assert.equal(task, 'Search for nets and say what was found');
    assert.match(history!, /^type \[\d+\]: done/);

    const ended = (await (await stop(id)).json()) as { creditsBilled: number; sessionDurationMs: number };
    assert.equal(ended.creditsBilled, Math.ceil((Math.max(60_000, ended.sessionDurationMs) / 60_000) * 7));
  });

  test('that a page has turned around reaches nothing that the session may not reach', async () => {
    const id = await scrapeId('orders.test', '/');
    scene.model.answer(obeysMaterial(says(finish('Done.'))));
    const before = scene.model.calls.length;
    const { body } = await interact(id, { prompt: 'What is this page about?', timeout: 120 });
    assert.equal(body.output, 'Done.', JSON.stringify(body));
    const history = scene.model.calls.at(-1)!.material.history!;
    assert.ok(scene.model.calls.length > before + 1);
    assert.match(
      history,
      /open http:\/\/127\.0\.0\.3:\d+\/secret: (?:failed|done\. The answer has the status 4|done\. The answer has the status 5)/,
    );
    assert.equal(scene.touched, 0);
    await stop(id);
  });
});

// Live views in a real browser: what they show of a session, what can be done in them, and by whom.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, beforeEach, describe } from 'node:test';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { WebSocket } from 'ws';
import { NEEDS_BROWSER } from '../support/browser/browser.ts';
import { WITH_BROWSER } from '../support/browser/service-settings.ts';
import { sharedBrowser } from '../support/browser/shared-browser.ts';
import { fullTest, test } from '../support/full-run.ts';
import type { RunningService } from '../support/service.ts';
import { joinService, startSharedWeb } from '../support/shared-service.ts';
import { reply } from '../support/web/reply.ts';
import type { Web } from '../support/web.ts';

interface Links {
  id: string;
  cdpUrl: string;
  liveViewUrl: string;
  interactiveLiveViewUrl: string;
}

interface Owned {
  links: Links;
  page: Page;
  leave(): Promise<void>;
}

const PLACE = 'position:absolute;left:100px;width:400px;height:60px;font-size:24px';
const HARBOUR = `<title>Nets &lt;b&gt;out&lt;/b&gt;</title><body style="background:#0a6;height:5000px">
  <input id="field" style="${PLACE};top:100px">
  <button id="button" style="${PLACE};top:200px">Nothing</button>
  <a style="${PLACE};top:300px" href="/second" target="_blank">second</a>
  <script>
    button.ondblclick = () => { button.textContent = 'Double'; };
    button.oncontextmenu = () => { button.textContent = 'Right'; };
  </script>`;
const FIELD = { x: 200, y: 130 };
const BUTTON = { x: 200, y: 230 };
const LINK = { x: 130, y: 310 };
const HOST = 'harbour.test';

describe('the live view of a session', NEEDS_BROWSER, () => {
  let web: Web;
  let service: RunningService;
  let watching: BrowserContext;
  /** Sessions start slowly, so only tests that end one open their own. */
  let shared: Owned;

  before(async () => {
    web = await startSharedWeb({
      [HOST]: { '/': reply(HARBOUR), '/second': reply('<title>Second</title><body style="background:#a06">') },
    });
    service = await joinService(web, WITH_BROWSER);
    watching = await (await sharedBrowser()).newContext();
    shared = await open();
  });
  beforeEach(() => shared.page.goto(web.url(HOST)));
  after(async () => {
    await shared?.leave();
    await watching?.close();
    await web?.stop();
  });

  /** Opens a session on the harbour page, driven by its owner. */
  async function open(options = {}): Promise<Owned> {
    const { body } = await service.post<Links>('/v2/browser', options);
    const owner = await chromium.connectOverCDP(body.cdpUrl);
    const page = await owner.contexts()[0]!.newPage();
    await page.goto(web.url(HOST));
    const leave = async () => {
      await owner.close();
      await service.fetch(`/v2/browser/${body.id}`, { method: 'DELETE' });
    };
    return { links: body, page, leave };
  }

  const inState = (view: Page, state: string) => view.waitForSelector(`html[data-state="${state}"]`);

  async function look(url: string): Promise<Page> {
    const view = await watching.newPage();
    await view.addInitScript(() => {
      const made: unknown[] = [];
      const { WebSocket } = globalThis;
      Object.assign(globalThis, {
        made,
        WebSocket: class extends WebSocket {
          constructor(...parts: [string]) {
            super(...parts);
            made.push(this);
          }
        },
      });
    });
    await view.goto(url);
    await inState(view, 'live');
    return view;
  }

  /** The position in the view of a point on the page of the session. */
  async function positionIn(view: Page, { x, y }: { x: number; y: number }): Promise<[number, number]> {
    const box = (await view.locator('#picture').boundingBox())!;
    const [width, height] = (await view.evaluate('[picture.width, picture.height]')) as [number, number];
    const scale = Math.min(box.width / width, box.height / height);
    return [box.x + (box.width - width * scale) / 2 + x * scale, box.y + (box.height - height * scale) / 2 + y * scale];
  }

  const colourOf = (view: Page): Promise<number[]> =>
    view.evaluate("[...picture.getContext('2d').getImageData(700, 400, 1, 1).data].slice(0, 3)");

  async function until(check: () => Promise<unknown>, message: string): Promise<void> {
    for (const end = Date.now() + 10_000; Date.now() < end; await new Promise((go) => setTimeout(go, 50))) {
      if (await check()) return;
    }
    assert.fail(message);
  }

  const isNear = (colour: number[], wanted: number[]) => colour.every((part, at) => Math.abs(part - wanted[at]!) < 12);
  const shows = (view: Page, wanted: number[]) =>
    until(async () => isNear(await colourOf(view), wanted), `The view does not show ${wanted}.`);
  const GREEN = [0x00, 0xaa, 0x66];
  const PURPLE = [0xaa, 0x00, 0x66];

  test('shows the page to several viewers at once, with its title and address as text', async () => {
    const { links, page } = shared;
    const views = [await look(links.liveViewUrl), await look(links.interactiveLiveViewUrl)];
    for (const view of views) {
      await shows(view, GREEN);
      await until(async () => (await view.textContent('#title')) === 'Nets <b>out</b>', 'There is no title.');
      assert.equal(await view.inputValue('#address'), web.url(HOST, '/'));
      assert.equal(await view.locator('#title *').count(), 0);
    }
    await page.evaluate("document.body.style.background = '#a06'; document.title = 'Changed'");
    for (const view of views) {
      await shows(view, PURPLE);
      await until(async () => (await view.textContent('#title')) === 'Changed', 'The title stays as it was.');
      await view.close();
    }
  });

  test('takes mouse and keyboard, text of input methods, paste and copy', async () => {
    const { links, page } = shared;
    const view = await look(links.interactiveLiveViewUrl);
    await view.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const field = () => page.inputValue('#field');

    await view.mouse.click(...(await positionIn(view, FIELD)));
    await view.keyboard.type('Cod, 3 & <b>');
    await until(async () => (await field()) === 'Cod, 3 & <b>', 'What was typed has not arrived.');
    await view.keyboard.press('Backspace');
    await view.keyboard.press('Control+ArrowLeft');
    await view.keyboard.insertText('鱈');
    await until(async () => (await field()) === 'Cod, 3 & <鱈b', 'Keys and written text have not arrived.');

    await view.keyboard.press('Control+a');
    await view.keyboard.press('Control+c');
    await until(async () => (await view.textContent('#notice')) === 'Copied.', 'Nothing was copied.');
    const copied = await view.evaluate('navigator.clipboard.readText()');
    assert.equal(copied, 'Cod, 3 & <鱈b');
    await view.evaluate("notice.textContent = ''; navigator.clipboard.writeText('')");
    await view.keyboard.press('Control+x');
    await until(async () => (await view.textContent('#notice')) === 'Copied.', 'Nothing was cut.');
    assert.equal(await view.evaluate('navigator.clipboard.readText()'), copied);
    await until(async () => (await field()) === '', 'What was cut is still there.');
    await view.keyboard.press('Control+v');
    await view.keyboard.press('Control+v');
    await until(async () => (await field()) === `${copied}${copied}`, 'What was pasted has not arrived.');

    await view.mouse.dblclick(...(await positionIn(view, BUTTON)));
    await until(async () => (await page.textContent('#button')) === 'Double', 'The double click has not arrived.');
    await view.mouse.click(...(await positionIn(view, BUTTON)), { button: 'right' });
    await until(async () => (await page.textContent('#button')) === 'Right', 'The right click has not arrived.');
    await view.mouse.wheel(0, 700);
    await until(async () => (await page.evaluate('scrollY')) === 700, 'The page was not scrolled.');
    await view.close();
  });

  fullTest('follows to a new tab and back, and opens addresses typed into the address bar', async () => {
    const { links, page } = shared;
    const view = await look(links.interactiveLiveViewUrl);
    const isAt = (path: string) =>
      until(async () => (await view.inputValue('#address')) === web.url(HOST, path), `The view is not at ${path}.`);
    await view.mouse.click(...(await positionIn(view, LINK)));
    await isAt('/second');
    await shows(view, PURPLE);
    await view.click('#close');
    await isAt('/');
    await shows(view, GREEN);
    assert.equal(await view.locator('#close').isVisible(), false);

    await view.fill('#address', web.url(HOST, '/second'));
    await view.keyboard.press('Enter');
    await isAt('/second');
    await view.click('#back');
    await isAt('/');
    await view.click('#forward');
    await isAt('/second');
    await view.click('#reload');
    await until(async () => web.requests(HOST, '/second') > 2, 'The page was not loaded again.');
    for (const address of ['file:///etc/passwd', 'chrome://version', 'javascript:alert(1)']) {
      await view.evaluate('notice.textContent = ""');
      await view.fill('#address', address);
      await view.keyboard.press('Enter');
      await until(async () => /http:/.test((await view.textContent('#notice'))!), `${address} was not refused.`);
    }
    assert.equal(page.url(), web.url(HOST, '/second'));
    await view.close();
  });

  test('a view-only link cannot change anything, neither by its page nor by its socket', async () => {
    const { links, page } = shared;
    const view = await look(links.liveViewUrl);
    await view.mouse.click(...(await positionIn(view, FIELD)));
    await view.keyboard.type('cod');
    assert.equal(await view.locator('nav').isVisible(), false);
    assert.equal(await view.locator('#address').isEditable(), false);

    for (const action of [
      { type: 'reload' },
      { type: 'text', text: 'cod' },
      { type: 'go', address: web.url(HOST, '/second') },
    ]) {
      const socket = new WebSocket(links.liveViewUrl.replace('http', 'ws'));
      await once(socket, 'open');
      socket.send(JSON.stringify(action));
      const [code, reason] = await once(socket, 'close');
      assert.deepEqual([code, String(reason)], [1008, 'This link is view-only.']);
    }
    assert.equal(await page.inputValue('#field'), '');
    assert.equal(page.url(), web.url(HOST, '/'));
    await view.close();
  });

  test('viewing does not count as activity, acting does', async () => {
    const { links } = shared;
    const lastActivity = async () => {
      const answer = await service.fetch(`/v2/browser/${links.id}`);
      return ((await answer.json()) as { lastActivity: string }).lastActivity;
    };
    const view = await look(links.interactiveLiveViewUrl);
    const before = await lastActivity();
    await new Promise((go) => setTimeout(go, 400));
    assert.equal(await lastActivity(), before);
    await view.mouse.move(...(await positionIn(view, FIELD)));
    await until(async () => (await lastActivity()) > before, 'The action did not count as activity.');
    await view.close();
  });

  fullTest('reconnects after a break, and says so when the session has ended', async () => {
    const { links, leave } = await open();
    const view = await look(links.liveViewUrl);
    await view.evaluate('made[0].close()');
    await inState(view, 'lost');
    await inState(view, 'live');
    assert.equal(await view.evaluate('made.length'), 2);
    await leave();
    await inState(view, 'ended');
    assert.equal(await view.textContent('#cover-title'), 'This session has ended');
    await view.reload();
    await inState(view, 'gone');
    await view.close();
  });

  test('shows nothing without a valid token', async () => {
    const hidden = await open({ streamWebView: false });
    const token = shared.links.liveViewUrl.split('/').at(-1)!;
    const cdpToken = shared.links.cdpUrl.split('/').at(-1)!;
    const urls = ['0'.repeat(32), token.slice(1), token.toUpperCase(), cdpToken].map(
      (each) => `${service.url}/live/${each}`,
    );
    for (const url of [...urls, hidden.links.liveViewUrl, hidden.links.interactiveLiveViewUrl]) {
      assert.equal((await fetch(url)).status, 404, url);
      const socket = new WebSocket(url.replace('http', 'ws'));
      const [, { statusCode }] = await once(
        socket.on('error', () => {}),
        'unexpected-response',
      );
      assert.equal(statusCode, 404);
      socket.terminate();
    }
    assert.equal((await fetch(`${service.url}/live/assets/page.html`)).status, 404);
    assert.equal((await fetch(`${service.url}/live/assets/..%2f..%2f..%2fpackage.json`)).status, 404);
    await hidden.leave();
  });

  test('the page can be embedded anywhere, and runs only its own script', async () => {
    const { links } = shared;
    const { headers } = await fetch(links.liveViewUrl);
    assert.equal(headers.get('x-frame-options'), null);
    assert.doesNotMatch(headers.get('content-security-policy')!, /frame-ancestors|unsafe|\*/);
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    const embedding = await watching.newPage();
    await embedding.goto(web.url(HOST, '/second'));
    await embedding.evaluate(`document.body.innerHTML = '<iframe src="${links.liveViewUrl}"></iframe>'`);
    await embedding.frameLocator('iframe').locator('html[data-state="live"]').waitFor();
    await embedding.close();
  });
});

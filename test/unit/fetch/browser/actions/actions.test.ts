// Page actions: what each one does, and its error when it fails.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { ServiceError } from '../../../../../src/contracts/errors/errors.ts';
import { failsWith, run } from '../../../../support/browser/run-actions.ts';
import { noBrowser, servePages } from '../../../../support/browser/serve-pages.ts';
import { fullTest, test } from '../../../../support/full-run.ts';

const options = { skip: noBrowser };

const SHOP = `<title>Shop</title>
<button id="buy" onclick="out.textContent += 'bought '">Buy</button>
<button class="more" onclick="out.textContent += '1'">1</button>
<button class="more" style="display: none" onclick="out.textContent += 'hidden'">2</button>
<button class="more" onclick="out.textContent += '3'">3</button>
<button id="slow" onclick="out.textContent += 'slow '; const end = Date.now() + 2500; while (Date.now() < end);">Slow</button>
<button id="off" disabled>Off</button>
<a id="go" href="/next">Next</a> <a id="tab" href="/next" target="_blank">Tab</a>
<button id="ask" onclick="out.textContent = String(confirm('Sure?'))">Ask</button>
<button id="later" onclick="setTimeout(() => late.hidden = false, 300)">Later</button>
<p id="late" hidden>Late</p><p id="never" hidden>Never</p>
<div style="position: relative"><button id="covered" onclick="out.textContent = 'reached'">Covered</button>
<div style="position: absolute; inset: 0"></div></div>
<x-card></x-card><iframe srcdoc="<b id=inner>Inner</b>"></iframe>
<p id="out"></p>
<script>
customElements.define('x-card', class extends HTMLElement { connectedCallback() {
  this.attachShadow({ mode: 'open' }).innerHTML = '<button id="deep">Deep</button>';
  this.shadowRoot.querySelector('button').onclick = () => out.textContent = 'deep';
} });
</script>`;

const FORM = `<form action="/next"><input id="field" name="q" autocomplete="off"></form><p id="keys"></p><div id="plain">Text</div>
<script>addEventListener('keydown', (event) => keys.textContent += event.key + ' ')</script>`;

const LONG = `<style>body { margin: 0 } #box { height: 100px; overflow: auto } #box p { height: 900px }</style>
<div id="box"><p>Inside</p></div><div style="height: 5000px"></div><p id="end">End</p>`;

const PANE = `<style>body { margin: 0 } #pane { height: 100vh; overflow: auto } #pane p { height: 5000px }</style><div id="pane"><p>Pane</p></div>`;

const site = servePages({
  '/shop': SHOP,
  '/form': FORM,
  '/long': LONG,
  '/pane': PANE,
  '/next': '<title>Next</title><h1>Next page</h1>',
});

const textOf = (page: Page, selector: string) => page.locator(selector).textContent();
// Time runs fifty times as fast, so that waits for missing elements end soon.
const HURRIED = { speed: 50, timeMs: 3_000_000 };

test('a click presses the first visible match', options, async () => {
  const page = await site.open('/shop');
  await run(page, [
    { type: 'click', selector: '#buy' },
    { type: 'click', selector: '.more:nth-of-type(n+3)' },
  ]);
  assert.equal(await textOf(page, '#out'), 'bought 3');
  await page.close();
});

test('a click is made once, however long the page takes to handle it', options, async () => {
  const page = await site.open('/shop');
  await run(page, [{ type: 'click', selector: '#slow' }]);
  assert.equal(await textOf(page, '#out'), 'slow ');
  await page.close();
});

test('a click on all matches presses every visible one, and no match is not an error', options, async () => {
  const page = await site.open('/shop');
  await run(page, [
    { type: 'click', selector: '.more', all: true },
    { type: 'click', selector: '.nothing', all: true },
  ]);
  assert.equal(await textOf(page, '#out'), '13');
  await page.close();
});

test('a click on all matches stops when one navigates away', options, async () => {
  const page = await site.open('/shop');
  await run(page, [{ type: 'click', selector: '#go, #tab', all: true }]);
  assert.equal(await page.title(), 'Next');
  await page.close();
});

test('a click reaches covered elements and those in open shadow roots', options, async () => {
  const page = await site.open('/shop');
  await run(page, [{ type: 'click', selector: '#covered' }]);
  assert.equal(await textOf(page, '#out'), 'reached');
  await run(page, [{ type: 'click', selector: '#deep' }]);
  assert.equal(await textOf(page, '#out'), 'deep');
  await page.close();
});

test('a failed action is named by its index', options, async () => {
  const page = await site.open('/shop');
  const cases: [object, RegExp][] = [
    [{ type: 'click', selector: '#none' }, /^Action 1 \(click\): no element matches "#none"/],
    [
      { type: 'click', selector: '#never' },
      /^Action 1 \(click\): the element that matches "#never" did not become visible/,
    ],
    [{ type: 'click', selector: '#inner' }, /^Action 1 \(click\): no element matches/],
    [
      { type: 'wait', selector: '#never' },
      /^Action 1 \(wait\): the element that matches "#never" did not become visible/,
    ],
    [{ type: 'scroll', selector: '#none' }, /^Action 1 \(scroll\): no element matches/],
    [{ type: 'press', key: 'Entre' }, /^Action 1 \(press\): there is no key "Entre".*Enter, Tab/],
    [{ type: 'executeJavascript', script: 'nope()' }, /^Action 1 \(executeJavascript\): .*nope is not defined/],
  ];
  for (const [action, message] of cases) {
    await assert.rejects(run(page, [{ type: 'scrape' }, action], HURRIED), (error) => {
      failsWith('SCRAPE_ACTION_ERROR', message)(error);
      const { status, details } = error as ServiceError;
      assert.equal(status, 400);
      assert.deepEqual((details as { path: unknown[] }[])[0]!.path, ['actions', 1]);
      return true;
    });
  }
  await page.close();
});

fullTest('a disabled button is an error', options, async () => {
  const page = await site.open('/shop');
  await assert.rejects(
    run(page, [{ type: 'click', selector: '#off' }]),
    failsWith('SCRAPE_ACTION_ERROR', /Action 0 \(click\): the element is disabled/),
  );
  await page.close();
});

test('only CSS selectors are accepted, and they are checked before any action runs', options, async () => {
  const page = await site.open('/shop');
  for (const selector of [
    'text=Buy',
    '//button',
    'xpath=//button',
    'css=#buy',
    '#buy >> nth=0',
    'p:has-text("a")',
    '#',
    'a[',
  ]) {
    await assert.rejects(
      run(page, [
        { type: 'click', selector: '#buy' },
        { type: 'click', selector },
      ]),
      failsWith('SCRAPE_ACTION_ERROR', /^Action 1 \(click\): ".*" is not a CSS selector/),
      selector,
    );
  }
  assert.equal(await textOf(page, '#out'), '');
  await page.close();
});

test('a wait lasts until its element is visible or its time is up', options, async () => {
  const page = await site.open('/shop');
  await run(page, [
    { type: 'click', selector: '#later' },
    { type: 'wait', selector: '#late' },
  ]);
  assert.equal(await page.locator('#late').isVisible(), true);
  const before = Date.now();
  await run(page, [{ type: 'wait', milliseconds: 200 }]);
  assert.ok(Date.now() - before >= 199);
  await page.close();
});

test('a dialog is closed and the actions continue', options, async () => {
  const page = await site.open('/shop');
  await run(page, [{ type: 'click', selector: '#ask' }]);
  assert.equal(await textOf(page, '#out'), 'false');
  const { javascriptReturns } = await run(page, [{ type: 'executeJavascript', script: 'alert(1); prompt("Name?")' }]);
  assert.deepEqual(javascriptReturns, [{ type: 'null', value: null }]);
  await page.close();
});

test('a click that navigates is followed; one that opens a tab is not', options, async () => {
  const page = await site.open('/shop');
  const { scrapes } = await run(page, [
    { type: 'click', selector: '#tab' },
    { type: 'scrape' },
    { type: 'click', selector: '#go' },
    { type: 'scrape' },
  ]);
  assert.deepEqual(
    scrapes.map(({ url }) => url),
    [`${site.base()}/shop`, `${site.base()}/next`],
  );
  assert.match(scrapes[1]!.html, /Next page/);
  await page.context().close();
});

test('text is typed key by key into the field that was clicked', options, async () => {
  const page = await site.open('/form');
  await run(page, [
    { type: 'click', selector: '#field' },
    { type: 'write', text: 'aé👍' },
    { type: 'press', key: 'Backspace' },
    { type: 'press', key: 'SHIFT+B' },
  ]);
  assert.equal(await page.locator('#field').inputValue(), 'aéB');
  assert.match((await textOf(page, '#keys'))!, /^a .*Backspace Shift B $/);
  await run(page, [{ type: 'press', key: 'ENTER' }]);
  assert.equal(new URL(page.url()).search, '?q=a%C3%A9B');
  await page.close();
});

test('typing without a focused field is an error', options, async () => {
  const page = await site.open('/form');
  await assert.rejects(
    run(page, [
      { type: 'click', selector: '#plain' },
      { type: 'write', text: 'lost' },
    ]),
    failsWith('SCRAPE_ACTION_ERROR', /^Action 1 \(write\): nothing has the focus/),
  );
  await page.close();
});

test('scrolling moves the page or an element, or brings an element into view', options, async () => {
  const page = await site.open('/long', { viewport: { width: 800, height: 600 } });
  const top = (expression: string) => page.evaluate<number>(`Math.round(${expression})`);
  await run(page, [{ type: 'scroll' }, { type: 'scroll' }, { type: 'scroll', direction: 'up' }]);
  assert.equal(await top('scrollY'), 540);
  await run(page, [{ type: 'scroll', selector: '#box' }]);
  assert.equal(await top('box.scrollTop'), 90);
  await run(page, [{ type: 'scroll', selector: '#end' }]);
  assert.ok((await top('end.getBoundingClientRect().top')) < 600);
  await page.close();
});

test('if a pane scrolls instead of the page, the pane is scrolled', options, async () => {
  const page = await site.open('/pane', { viewport: { width: 800, height: 600 } });
  await run(page, [{ type: 'scroll' }]);
  assert.equal(await page.evaluate('pane.scrollTop'), 540);
  await page.close();
});

test('screenshots and PDFs are returned in the order of their actions', options, async () => {
  const page = await site.open('/shop');
  const { screenshots, pdfs } = await run(page, [
    { type: 'screenshot' },
    { type: 'pdf', format: 'A4', landscape: true },
    { type: 'screenshot', quality: 50 },
    { type: 'generatePDF' },
  ]);
  assert.deepEqual(
    screenshots.map(({ type }) => type),
    ['image/png', 'image/jpeg'],
  );
  const boxes = pdfs.map(({ bytes }) => /\/MediaBox \[([^\]]+)\]/.exec(Buffer.from(bytes).toString('latin1'))?.[1]);
  assert.match(boxes[0]!, /^0 0 84\d\.\d+ 59\d/);
  assert.match(boxes[1]!, /^0 0 612 792/);
  await page.close();
});

// A page as text with numbered elements, and actions on them, in a real browser. One session serves all cases.
import assert from 'node:assert/strict';
import { createDrivePage } from '../../../../../src/fetch/browser/driver/driver.ts';
import { guardDocuments } from '../../../../../src/sessions/guard-documents.ts';
import type { PageAction, PageDriver } from '../../../../../src/sessions/page-driver.ts';
import { systemClock } from '../../../../../src/util/clock.ts';
import { NEEDS_BROWSER } from '../../../../support/browser/browser.ts';
import { tryToLeave } from '../../../../support/browser/ways-out.ts';
import { fullTest, test } from '../../../../support/full-run.ts';
import { LASTING, startSessions } from '../../../../support/sessions.ts';
import { page, reply, type Site, send } from '../../../../support/web/reply.ts';
import { startWeb } from '../../../../support/web.ts';

/** Overrides what a naive reader of the page would use. */
const SABOTAGE = `<script>
  const lie = () => { throw new Error('sabotage'); };
  for (const owner of [Element, Document]) owner.prototype.querySelectorAll = lie;
  Element.prototype.getAttribute = () => 'lie';
  Element.prototype.checkVisibility = () => false;
  for (const name of ['firstChild', 'nextSibling', 'nodeValue', 'nodeType']) {
    Object.defineProperty(Node.prototype, name, { get: lie });
  }
  JSON.stringify = () => '"lie"';
  performance.now = () => Infinity;
  Array.prototype.push = lie;
</script>`;

const FORM = `
  <p>[1] button "Pay" <span style="display:none">hidden text</span></p>
  <form onsubmit="log.textContent += ' sent'; return false">
    <input name="firstChild"><input name="nodeType" type="hidden">
    <label for="who">Your name</label> <input id="who" value="Old">
    <input type="password" name="pin" value="hunter2" placeholder="PIN">
    <input aria-label="Card" autocomplete="cc-number" value="4111">
    <input type="date" aria-label="Day">
    <select aria-label="Size" onchange="log.textContent += ' ' + this.value"><option value="s">Small<option value="l">Large</select>
    <label><input type="checkbox" onchange="log.textContent += ' checked'"> Agree</label>
    <button disabled>Never</button>
    <button>Send</button>
  </form>
  <div id="area" style="cursor:pointer">Open the drawer</div>
  <div style="position:relative"><a href="#under">Covered link</a><div style="position:absolute;inset:0;background:#fff"></div></div>
  <x-card><b slot="title">Slotted title</b></x-card>
  <div contenteditable="true" aria-label="Letter">Dear</div>
  <p id="log">Log:</p>
  <button onclick="alert('Saved \\n all'); log.textContent += ' after'">Save</button>
  <a href="/next" target="_blank">New tab</a>
  <iframe title="near" srcdoc="<button onclick='parent.log.textContent += &quot; near&quot;'>Near</button>"></iframe>
  <script>
    area.addEventListener('click', () => { log.textContent += ' drawer'; });
    document.querySelector('x-card').attachShadow({ mode: 'open' }).innerHTML =
      '<h2><slot name="title"></slot></h2><button>In the shadow</button>';
    document.querySelector('x-card').shadowRoot.querySelector('button').onclick = () => { log.textContent += ' shadow'; };
  </script>`;

const site = (far: () => string): Site => ({
  '/form': (exchange) => send(exchange, page('Form', `${FORM}<iframe title="far" src="${far()}"></iframe>${SABOTAGE}`)),
  '/next': reply(page('Next', '<a href="/form">Home</a>')),
  '/huge': reply(() => page('Huge', `<ul>${'<li><a href="/next">One more link</a>'.repeat(30_000)}</ul>`)),
});

test('a hostile page is seen as it is and can be used', NEEDS_BROWSER, async (t) => {
  const web = await startWeb({
    'desk.test': site(() => web.url('far.test', '/')),
    'far.test': {
      '/': reply(page('Far', '<button onclick="this.textContent = `Pressed`">Far away</button>')),
    },
  });
  t.after(() => web.stop());
  const { sessions } = startSessions(t, web);
  const ended = new AbortController();
  t.after(() => ended.abort());
  const session = await sessions.open(LASTING, ended.signal);
  const time = { signal: ended.signal, deadline: systemClock.now() + 240_000 };
  const driver: PageDriver = await createDrivePage({ clock: systemClock, guardDocuments })(session, time);
  t.after(() => driver.close());
  const perform = async (action: PageAction) => {
    const done = await driver.perform(action);
    assert.equal(done.problem, undefined, `${JSON.stringify(action)}: ${done.problem}`);
    return done;
  };
  const lines = async () => (await driver.view()).lines;
  const numberOf = async (pattern: RegExp) => {
    const all = await lines();
    const line = all.find((text) => pattern.test(text));
    assert.ok(line, `${pattern} in\n${all.join('\n')}`);
    return Number(/^\[(\d+)\]/.exec(line)![1]);
  };
  const log = async () => (await lines()).find((line) => line.startsWith('- Log:'));

  await driver.view();
  const opened = await perform({ type: 'open', url: web.url('desk.test', '/form') });
  assert.ok(opened.isNewPage);
  const seen = await driver.view();
  const text = seen.lines.join('\n');
  assert.deepEqual([seen.title, new URL(seen.url).pathname], ['Form', '/form']);

  await t.test('names, values and states are those of the page, secrets are not shown', () => {
    for (const line of [
      '#- Form',
      '- [1] button "Pay"',
      'textbox "Your name" value "Old"',
      'password "PIN" (filled in, not shown)',
      'textbox "Card" (filled in, not shown)',
      'select "Size" value "Small" options ["Small","Large"]',
      'button "Never" (disabled)',
      'clickable "Open the drawer"',
      'button "In the shadow"',
      '#- Slotted title',
      'button "Near"',
      'button "Far away"',
    ]) {
      assert.ok(text.includes(line), `${line} in\n${text}`);
    }
    for (const secret of ['hunter2', '4111', 'hidden text', 'lie', 'sabotage'])
      assert.ok(!text.includes(secret), secret);
    const numbers = seen.lines.flatMap((line) => /^\[(\d+)\]/.exec(line)?.[1] ?? []).map(Number);
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => index + 1),
    );
  });

  await t.test('fields are filled, chosen and sent', async () => {
    await perform({ type: 'type', element: await numberOf(/"Your name"/), text: 'Ada', enter: false });
    await perform({ type: 'type', element: await numberOf(/date "Day"/), text: '2026-01-31', enter: false });
    await perform({ type: 'type', element: await numberOf(/"Letter"/), text: 'Hello', enter: false });
    await perform({ type: 'select', element: await numberOf(/"Size"/), option: 'large' });
    await perform({ type: 'click', element: await numberOf(/"Agree"/) });
    await perform({ type: 'click', element: await numberOf(/button "Send"/) });
    const after = (await lines()).join('\n');
    assert.match(after, /"Your name" value "Ada"/);
    assert.match(after, /date "Day" value "2026-01-31"/);
    assert.match(after, /"Agree" \(checked\)/);
    assert.equal(await log(), '- Log: l checked sent');
  });

  await t.test('elements of scripts, shadow trees and frames are clicked', async () => {
    for (const pattern of [/Open the drawer/, /In the shadow/, /button "Near"/]) {
      await perform({ type: 'click', element: await numberOf(pattern) });
    }
    assert.equal(await log(), '- Log: l checked sent drawer shadow near');
    await perform({ type: 'click', element: await numberOf(/Far away/) });
    assert.match((await lines()).join('\n'), /button "Pressed"/);
    const covered = await perform({ type: 'click', element: await numberOf(/Covered link/) });
    assert.match(covered.note!, /covers/);
  });

  await t.test('dialogs are closed and told, new tabs are followed', async () => {
    const saved = await perform({ type: 'click', element: await numberOf(/"Save"/) });
    assert.match(saved.note!, /dialog.*Saved/s);
    assert.match((await log())!, /after$/);
    await perform({ type: 'click', element: await numberOf(/New tab/) });
    while ((await driver.view()).title !== 'Next');
    await perform({ type: 'click', element: await numberOf(/"Home"/) });
    await perform({ type: 'back' });
    assert.equal((await driver.view()).title, 'Next');
  });

  await t.test('what cannot be done is told', async () => {
    const problem = async (action: PageAction) => (await driver.perform(action)).problem;
    assert.match((await problem({ type: 'click', element: 99 }))!, /no element \[99\]/);
    assert.match((await problem({ type: 'press', key: 'Nonsense' }))!, /no key/);
    for (const url of ['file:///etc/passwd', 'javascript:alert(1)', 'data:text/html,x', 'chrome://version']) {
      assert.match((await problem({ type: 'open', url }))!, /http/);
    }
    assert.ok(await problem({ type: 'open', url: 'http://169.254.169.254/latest/' }));
  });

  await t.test('a huge page is cut', async () => {
    await perform({ type: 'open', url: web.url('desk.test', '/huge') });
    const huge = await driver.view();
    assert.ok(huge.isCut && huge.lines.length < 2_000 && huge.lines.length > 500, String(huge.lines.length));
  });
});

fullTest('a page that may not leave its site does not leave', NEEDS_BROWSER, (t) =>
  tryToLeave(t, ['link', 'popup', 'sent', 'frame']),
);

// A page that tries to lead its browser to another host, in every way we know.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { createDrivePage } from '../../../src/fetch/browser/driver/driver.ts';
import { guardDocuments } from '../../../src/sessions/guard-documents.ts';
import { systemClock } from '../../../src/util/clock.ts';
import { LASTING, startSessions } from '../sessions.ts';
import { page, reply, send } from '../web/reply.ts';
import { startWeb } from '../web.ts';

/** Each leads to its own name on another host. The last three do so on their own. */
export const WAYS_OUT: Record<string, (trap: string) => string> = {
  link: (to) => `<a href="${to}">link</a>`,
  tab: (to) => `<a href="${to}" target="_blank">tab</a>`,
  download: (to) => `<a href="${to}" download>download</a>`,
  form: (to) => `<form action="${to}"><input name="q" value="typed"><button>form</button></form>`,
  post: (to) => `<form method="post" target="_blank" action="${to}"><button>post</button></form>`,
  script: (to) => `<button onclick="location.href = '${to}?' + document.title">script</button>`,
  popup: (to) => `<button onclick="window.open('${to}', '', 'noopener')">popup</button>`,
  later: (to) => `<button onclick="const tab = window.open('about:blank'); tab.location = '${to}'">later</button>`,
  redirect: () => '<a href="/to/redirect">redirect</a>',
  sent: () => '<form method="post" action="/to/sent"><input name="q"><button>sent</button></form>',
  frame: (to) =>
    `<button onclick="const one = document.createElement('iframe'); one.src = '${to}'; document.body.append(one)">frame</button>`,
  object: (to) => `<object type="text/html" data="${to}"></object>`,
  inner: (to) => `<iframe srcdoc="<script>location.href = '${to}'</script>"></iframe>`,
  refresh: (to) => `<meta http-equiv="refresh" content="0;url=${to}">`,
};

/** Those without an element. */
const ALONE = ['object', 'inner', 'refresh'];

/** Takes the ways out that are named, and those that a page takes on its own. */
export async function tryToLeave(t: TestContext, clicked: readonly string[]): Promise<void> {
  const trap = (path: string) => web.url('trap.test', `/${path}`);
  const web = await startWeb({
    'desk.test': {
      '/': (exchange) => {
        const ways = [...clicked, ...ALONE].map((name) => WAYS_OUT[name]!(trap(name)));
        send(exchange, page('Desk', `<img src="${trap('picture')}">${ways.join('\n')}`));
      },
      '/to/*': (exchange) => send(exchange, '', { status: 307, headers: { location: trap(exchange.tail) } }),
    },
    'trap.test': { '/*': reply(page('Trap')) },
  });
  t.after(() => web.stop());
  const { sessions } = startSessions(t, web);
  const ended = new AbortController();
  t.after(() => ended.abort());
  const session = await sessions.open(LASTING, ended.signal);
  const kept = new Set<string>();
  const driver = await createDrivePage({ clock: systemClock, guardDocuments })(session, {
    signal: ended.signal,
    deadline: systemClock.now() + 240_000,
    mayOpen(url) {
      const isOpen = new URL(url).hostname === 'desk.test';
      if (!isOpen) kept.add(new URL(url).pathname.slice(1));
      return isOpen;
    },
  });
  t.after(() => driver.close());
  const opened = await driver.perform({ type: 'open', url: web.url('desk.test') });
  assert.match(opened.note!, /tried to go to "http:\/\/trap\.test.*nothing was sent/);
  for (const name of clicked) {
    const text = (await driver.view()).lines.join('\n');
    const element = Number(new RegExp(`^\\[(\\d+)\\] (?:link|button) "${name}"`, 'm').exec(text)?.[1]);
    const { problem, note } = await driver.perform({ type: 'click', element });
    assert.equal(problem, undefined, name);
    assert.match(note ?? '', new RegExp(`/${name}\\b.*may not be opened`), name);
    assert.equal((await driver.view()).url, web.url('desk.test'), name);
  }
  const direct = await driver.perform({ type: 'open', url: trap('direct') });
  assert.ok(direct.problem !== undefined && /may not be opened/.test(direct.note ?? ''));
  // The picture shows that the host can be reached; every other request was kept back.
  assert.deepEqual(kept, new Set([...clicked, ...ALONE, 'direct']));
  assert.deepEqual([web.requests('trap.test'), web.requests('trap.test', '/picture')], [1, 1]);
}

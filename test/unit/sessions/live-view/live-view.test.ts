// The live view: which frames viewers get, and when a view begins and ends. The browser is a fake.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { LiveMessage } from '../../../../src/contracts/browser/live-view.ts';
import { addressOf } from '../../../../src/sessions/live-view/act.ts';
import { openLiveView } from '../../../../src/sessions/live-view/live-view.ts';
import { createTabs } from '../../../../src/sessions/live-view/tabs.ts';
import type { BrowserSession, CdpChannel } from '../../../../src/sessions/session.ts';
import { systemClock } from '../../../../src/util/clock.ts';

type Message = Record<string, unknown>;

const page = (targetId: string, url = 'http://a.test/') => ({ targetInfo: { targetId, type: 'page', url } });

/** Answers every call at once and announces `pages` when asked. */
function createBrowser(pages = ['one']) {
  const calls: { method: string; params: Message; sessionId?: string }[] = [];
  let receive: (text: string) => void = () => {};
  const whenClosed: (() => void)[] = [];
  const unanswered = new Map<string, (() => void)[]>();
  let connections = 0;
  let closed = 0;
  const ended = new AbortController();
  const event = (method: string, params: Message, sessionId?: string) =>
    receive(JSON.stringify({ method, params, sessionId }));
  const results: Record<string, (params: Message) => Message> = {
    'Target.setDiscoverTargets': () => {
      for (const id of pages) event('Target.targetCreated', page(id));
      return {};
    },
    'Target.attachToTarget': ({ targetId }) => ({ sessionId: `at-${targetId}` }),
    'Runtime.evaluate': () => ({ result: { value: 'selected' } }),
    'Page.getNavigationHistory': () => ({ currentIndex: 0, entries: [{ id: 1, url: 'http://a.test/', title: 'A' }] }),
  };
  const channel: CdpChannel = {
    send(text) {
      const { id, method, params, sessionId } = JSON.parse(text);
      calls.push({ method, params, sessionId });
      const answer = () => receive(JSON.stringify({ id, result: results[method]?.(params) ?? {}, sessionId }));
      if (unanswered.has(method)) unanswered.get(method)!.push(answer);
      else answer();
    },
    onMessage(listener) {
      receive = listener;
    },
    onClose(listener) {
      whenClosed.push(listener);
    },
    close() {
      closed += 1;
    },
  };
  let touches = 0;
  const session = {
    id: 'session',
    ended: ended.signal,
    touch: () => {
      touches += 1;
    },
    connect: async () => {
      connections += 1;
      return channel;
    },
  } as unknown as BrowserSession;
  const frame = (name: string, number: number, target = 'one') =>
    event(
      'Page.screencastFrame',
      { data: btoa(name), metadata: { deviceWidth: 100, deviceHeight: 50 }, sessionId: number },
      `at-${target}`,
    );
  const called = (method: string) => calls.filter((call) => call.method === method);
  const loseConnection = () => {
    for (const notify of whenClosed) notify();
  };
  const counts = () => ({ connections, closed, touches });
  /** Calls of this method are not answered until the returned function is called. */
  const hold = (method: string) => {
    unanswered.set(method, []);
    return () => {
      const answers = unanswered.get(method)!;
      unanswered.delete(method);
      for (const answer of answers) answer();
    };
  };
  return { session, frame, event, called, counts, hold, ended, loseConnection };
}

function createViewer() {
  const messages: LiveMessage[] = [];
  const shown: string[] = [];
  let left = 0;
  const viewer = {
    send: (message: LiveMessage) => void messages.push(message),
    showFrame: (picture: Uint8Array) => void shown.push(Buffer.from(picture).toString()),
    onEnd: () => {
      left += 1;
    },
  };
  return { viewer, messages, shown, left: () => left };
}

const settle = async () => {
  for (let turns = 0; turns < 20; turns += 1) await turn();
};

test('a slow viewer skips frames but gets the latest, and slows nobody down', async () => {
  const browser = createBrowser();
  const view = openLiveView(browser.session, systemClock, () => {});
  const [fast, slow] = [createViewer(), createViewer()];
  const [fastSeat, slowSeat] = [view.join(fast.viewer)!, view.join(slow.viewer)!];
  await settle();
  for (let number = 1; number <= 5; number += 1) {
    browser.frame(`picture ${number}`, number);
    fastSeat.seen();
  }
  assert.deepEqual(fast.shown, ['picture 1', 'picture 2', 'picture 3', 'picture 4', 'picture 5']);
  assert.deepEqual(slow.shown, ['picture 1', 'picture 2']);
  slowSeat.seen();
  assert.deepEqual(slow.shown, ['picture 1', 'picture 2', 'picture 5']);
  slowSeat.seen();
  assert.equal(slow.shown.length, 3);
  fastSeat.leave();
  slowSeat.leave();
});

test('the browser sends no further frames while no viewer is ready', async () => {
  const browser = createBrowser();
  const view = openLiveView(browser.session, systemClock, () => {});
  const { viewer, shown } = createViewer();
  const seat = view.join(viewer)!;
  await settle();
  const acknowledged = () => browser.called('Page.screencastFrameAck').map(({ params }) => params.sessionId);
  for (let number = 1; number <= 4; number += 1) browser.frame(`picture ${number}`, number);
  assert.deepEqual(acknowledged(), [1, 2]);
  seat.seen();
  assert.deepEqual(acknowledged(), [1, 2, 3, 4]);
  assert.deepEqual(shown, ['picture 1', 'picture 2', 'picture 4']);
  assert.equal(browser.counts().touches, 0);
  seat.leave();
});

test('all viewers share one connection, which ends with the last of them', async () => {
  const browser = createBrowser();
  let ends = 0;
  const view = openLiveView(browser.session, systemClock, () => {
    ends += 1;
  });
  const [first, second] = [createViewer(), createViewer()];
  const firstSeat = view.join(first.viewer)!;
  await settle();
  browser.frame('picture', 1);
  const secondSeat = view.join(second.viewer)!;
  assert.deepEqual(second.shown, ['picture'], 'a later viewer did not get the current frame');
  assert.deepEqual(
    second.messages.map(({ type }) => type),
    ['page'],
  );
  firstSeat.leave();
  assert.deepEqual([browser.counts().closed, ends], [0, 0]);
  secondSeat.leave();
  assert.deepEqual([browser.counts().connections, browser.counts().closed, ends], [1, 1, 1]);
});

test('viewers are messages whether the session or only the connection has ended', async () => {
  for (const hasEnded of [true, false]) {
    const browser = createBrowser();
    const view = openLiveView(browser.session, systemClock, () => {});
    const { viewer, messages, left } = createViewer();
    view.join(viewer);
    await settle();
    if (hasEnded) browser.ended.abort();
    browser.loseConnection();
    assert.equal(messages.at(-1)?.type, hasEnded ? 'ended' : 'page');
    assert.equal(left(), 1);
  }
});

test('frames of a page that is no longer active are not shown', async () => {
  const browser = createBrowser();
  const view = openLiveView(browser.session, systemClock, () => {});
  const { viewer, shown } = createViewer();
  const seat = view.join(viewer)!;
  await settle();
  browser.event('Target.targetCreated', page('two', ''));
  await settle();
  browser.frame('old', 1, 'one');
  browser.frame('new', 2, 'two');
  browser.event('Target.targetDestroyed', { targetId: 'two' });
  await settle();
  browser.frame('late', 3, 'two');
  seat.seen();
  browser.frame('back', 4, 'one');
  assert.deepEqual(shown, ['new', 'back']);
  seat.leave();
});

test('an action is applied at its position in the page and counts as activity', async () => {
  const browser = createBrowser();
  const view = openLiveView(browser.session, systemClock, () => {});
  const { viewer } = createViewer();
  const seat = view.join(viewer)!;
  await settle();
  browser.frame('picture', 1);
  const click = { type: 'mouse', event: 'down', button: 'left', buttons: 1, clicks: 1, modifiers: 0 } as const;
  seat.act({ ...click, x: 0.25, y: 1 });
  await settle();
  const [{ params, sessionId } = assert.fail()] = browser.called('Input.dispatchMouseEvent');
  assert.deepEqual([params.type, params.x, params.y, sessionId], ['mousePressed', 25, 50, 'at-one']);
  assert.equal(browser.counts().touches, 1);
  seat.leave();
});

test('an existing blank page is shown only if there is no other page', () => {
  const tabs = createTabs();
  tabs.note('Target.targetCreated', page('site'));
  tabs.note('Target.targetCreated', page('blank', 'about:blank'));
  tabs.note('Target.targetCreated', { targetInfo: { targetId: 'worker', type: 'worker', url: 'http://a.test/w.js' } });
  tabs.settle();
  assert.deepEqual([tabs.active, tabs.count], ['site', 1]);
  tabs.note('Target.targetCreated', page('popup', ''));
  assert.deepEqual([tabs.active, tabs.count], ['popup', 2]);
  tabs.note('Target.targetDestroyed', { targetId: 'popup' });
  tabs.note('Target.targetDestroyed', { targetId: 'site' });
  assert.deepEqual([tabs.active, tabs.count], ['blank', 1]);
  tabs.note('Target.targetDestroyed', { targetId: 'blank' });
  assert.deepEqual([tabs.active, tabs.count], [undefined, 0]);
});

test('an address is completed to a URL, and only http and https are accepted', () => {
  assert.equal(addressOf(' example.com/path '), 'https://example.com/path');
  assert.equal(addressOf('localhost:8080/a'), 'https://localhost:8080/a');
  assert.equal(addressOf('HTTP://example.com'), 'http://example.com/');
  for (const text of ['file:///etc/passwd', 'javascript:alert(1)', 'chrome://version', 'data:text/html,x', 'a b', '']) {
    assert.equal(addressOf(text), undefined, text);
  }
});

test('a copy waits for the key that makes the selection, and later keys wait for the copy', async () => {
  const browser = createBrowser();
  const { viewer, messages } = createViewer();
  const seat = openLiveView(browser.session, systemClock, () => {}).join(viewer)!;
  await settle();
  const key = { type: 'key', event: 'down', key: 'a', code: 'KeyA', keyCode: 65 } as const;
  const press = () => seat.act({ ...key, location: 0, repeat: false, modifiers: 2, text: undefined });
  const selected = browser.hold('Input.dispatchKeyEvent');
  press();
  seat.act({ type: 'copy' });
  press();
  await settle();
  assert.deepEqual(
    [browser.called('Input.dispatchKeyEvent').length, browser.called('Runtime.evaluate').length],
    [1, 0],
  );
  selected();
  await settle();
  assert.deepEqual(
    [browser.called('Input.dispatchKeyEvent').length, browser.called('Runtime.evaluate').length],
    [2, 1],
  );
  assert.deepEqual(
    messages.filter(({ type }) => type === 'copied'),
    [{ type: 'copied', text: 'selected' }],
  );
  seat.leave();
});

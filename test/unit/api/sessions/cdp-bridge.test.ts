// The WebSocket into the browser of a session, over real sockets with a fake browser.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../../../src/contracts/errors/errors.ts';
import type { BrowserSession, CdpChannel, Sessions } from '../../../../src/sessions/session.ts';
import { connect, createManualClock, JOB, KEY, startEdge } from '../edge.ts';

const TOKEN = 'ab'.repeat(16);

interface FakeBrowser {
  sent: string[];
  touches: number;
  emit(text: string): void;
  end(): void;
  isClosed: boolean;
  opened: Promise<void>;
}

function createFakeBrowser(): { sessions: Sessions; browser: FakeBrowser; fail(error: Error): void } {
  let receive: (text: string) => void = () => {};
  let close: () => void = () => {};
  let failure: Error | undefined;
  const ended = new AbortController();
  const opened = Promise.withResolvers<void>();
  const browser: FakeBrowser = {
    sent: [],
    touches: 0,
    emit: (text) => receive(text),
    end() {
      ended.abort(new ServiceError('SESSION_ENDED'));
      close();
    },
    isClosed: false,
    opened: opened.promise,
  };
  const channel: CdpChannel = {
    send: (text) => void browser.sent.push(text),
    onMessage(listener) {
      receive = listener;
    },
    onClose(listener) {
      close = listener;
      opened.resolve();
    },
    close() {
      browser.isClosed = true;
    },
  };
  const session = {
    teamId: 'own',
    tokens: { cdp: TOKEN, view: 'v', control: 'c' },
    ended: ended.signal,
    touch() {
      browser.touches += 1;
    },
    async connect() {
      if (failure) throw failure;
      return channel;
    },
  } as unknown as BrowserSession;
  const findByToken: Sessions['findByToken'] = (kind, token) =>
    kind === 'cdp' && token === TOKEN ? session : undefined;
  return {
    sessions: { findByToken } as Sessions,
    browser,
    fail(error) {
      failure = error;
    },
  };
}

async function* endless() {
  await new Promise(() => {});
}

async function start(t: TestContext, options: Pick<Parameters<typeof startEdge>[1] & object, 'admit'> = {}) {
  const fake = createFakeBrowser();
  const clock = createManualClock();
  const edge = await startEdge(t, { sessions: fake.sessions, clock, watch: endless, ...options });
  return { ...fake, ...edge, clock, cdpUrl: `${edge.url}/cdp/${TOKEN}` };
}

const until = async (met: () => boolean) => {
  for (const signal = AbortSignal.timeout(60_000); !met(); ) await sleep(5, undefined, { signal });
};

test('messages go both ways without an API key, and each client message counts as activity', async (t) => {
  const { browser, cdpUrl } = await start(t);
  const client = connect(cdpUrl);
  await client.opened;
  client.socket.send('{"id":1}');
  await until(() => browser.sent.length === 1);
  assert.deepEqual(browser.sent, ['{"id":1}']);
  assert.equal(browser.touches, 2);
  browser.emit('{"id":1,"result":{}}');
  await until(() => client.messages.length === 1);
  assert.deepEqual(client.messages, ['{"id":1,"result":{}}']);
  assert.equal(browser.touches, 2);
  client.socket.close();
  await until(() => browser.isClosed);
});

test('a socket that the policy of the team refuses is closed, and its browser never hears of it', async (t) => {
  const admitted: unknown[] = [];
  const { browser, cdpUrl } = await start(t, {
    async admit(call, { team, address }) {
      admitted.push([call, team.id, address]);
      throw new ServiceError('RATE_LIMITED', { message: 'Retry after 6s' });
    },
  });
  assert.deepEqual(await connect(cdpUrl).closed, { code: 1013, reason: 'Retry after 6s' });
  assert.deepEqual(admitted, [['executeInBrowser', 'own', '127.0.0.1']]);
  assert.equal(browser.touches, 0);
});

test('an unknown token is refused', async (t) => {
  const { url } = await start(t);
  for (const token of ['0'.repeat(32), 'v', 'c', TOKEN.toUpperCase()]) {
    const { code, reason } = await connect(`${url}/cdp/${token}`).closed;
    assert.equal(code, 1008);
    assert.equal(reason, 'Browser session not found.');
  }
});

test('large messages are accepted here but not from watchers', async (t) => {
  const { browser, cdpUrl, url } = await start(t);
  const client = connect(cdpUrl);
  await client.opened;
  client.socket.send('x'.repeat(5_000_000));
  await until(() => browser.sent.length === 1);
  assert.equal(browser.sent[0]!.length, 5_000_000);
  client.socket.send('x'.repeat(33 * 1024 * 1024));
  assert.equal((await client.closed).code, 1009);

  const watcher = connect(`${url}/v2/crawl/${JOB}`, [KEY]);
  await watcher.opened;
  watcher.socket.send('x'.repeat(5_000));
  assert.equal((await watcher.closed).code, 1009);
});

test('binary messages are refused', async (t) => {
  const { cdpUrl, browser } = await start(t);
  const client = connect(cdpUrl);
  await client.opened;
  client.socket.send(Buffer.from('{}'));
  assert.equal((await client.closed).code, 1003);
  assert.deepEqual(browser.sent, []);
});

test('a client that does not read is disconnected before it fills the memory', async (t) => {
  const { cdpUrl, browser } = await start(t);
  const client = connect(cdpUrl);
  await client.opened;
  await browser.opened;
  client.socket.pause();
  const text = 'x'.repeat(16 * 1024 * 1024);
  let sent = 0;
  for (; sent < 40 && !browser.isClosed; sent += 1) {
    browser.emit(text);
    await sleep(1);
  }
  assert.ok(browser.isClosed, 'the connection was still open');
  assert.ok(sent < 20, `${sent} messages`);
  client.socket.terminate();
});

test('the end of the session closes the connection with a reason', async (t) => {
  const { cdpUrl, browser } = await start(t);
  const client = connect(cdpUrl);
  await browser.opened;
  browser.end();
  assert.deepEqual(await client.closed, { code: 1000, reason: 'Browser session has been destroyed.' });
});

test('a failed connection is closed with the reason', async (t) => {
  const { cdpUrl, fail } = await start(t);
  fail(new ServiceError('QUEUE_FULL', { message: 'A session takes 20 connections at once.' }));
  assert.deepEqual(await connect(cdpUrl).closed, { code: 1011, reason: 'A session takes 20 connections at once.' });
});

test('a client that does not answer pings is disconnected', async (t) => {
  const { cdpUrl, clock, browser } = await start(t);
  const client = connect(cdpUrl, [], { autoPong: false });
  await browser.opened;
  await clock.pass();
  await clock.pass();
  await client.closed;
  await until(() => browser.isClosed);
});

test('/json/version returns the WebSocket URL for libraries that start from an http URL', async (t) => {
  const { cdpUrl, url } = await start(t);
  for (const end of ['', '/']) {
    const response = await fetch(`${cdpUrl}/json/version${end}`);
    assert.equal(response.status, 200);
    const { webSocketDebuggerUrl } = (await response.json()) as { webSocketDebuggerUrl: string };
    assert.equal(webSocketDebuggerUrl, `${url.replace('http', 'ws')}/cdp/${TOKEN}`);
  }
  assert.equal((await fetch(`${url}/cdp/unknown/json/version`)).status, 404);
  assert.equal((await fetch(cdpUrl)).status, 404);
});

test('closing the server closes the connections', async (t) => {
  const { cdpUrl, browser, server } = await start(t);
  const client = connect(cdpUrl);
  await browser.opened;
  const closing = server.close();
  assert.equal((await client.closed).code, 1001);
  await closing;
  assert.ok(browser.isClosed);
});

// How messages are assigned to clients, and how invalid ones are handled. The browser is a fake.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createMultiplexer } from '../../../../src/sessions/multiplexer/multiplexer.ts';
import type { BrowserConnection } from '../../../../src/sessions/session-browser.ts';

const sessionId = (n: number) => n.toString(16).toUpperCase().padStart(32, '0');

function setUp() {
  let receive: (text: string) => void = () => {};
  let close: () => void = () => {};
  const sent: Record<string, unknown>[] = [];
  let attached = 0;
  const emit = (message: object) => receive(JSON.stringify(message));
  const pipe = {
    pendingBytes: 0,
    send(text) {
      const message = JSON.parse(text);
      sent.push(message);
      if (message.method !== 'Target.attachToBrowserTarget') return;
      attached += 1;
      const answer = { id: message.id, result: { sessionId: sessionId(attached) } };
      queueMicrotask(() => emit(answer));
    },
    onMessage(listener) {
      receive = listener;
    },
    onClose(listener) {
      close = listener;
    },
    close: () => close(),
  } satisfies BrowserConnection as BrowserConnection & { pendingBytes: number };
  const multiplexer = createMultiplexer(pipe);
  const client = async () => {
    const channel = await multiplexer.open();
    const got: Record<string, unknown>[] = [];
    const state = { isClosed: false };
    channel.onMessage((text) => got.push(JSON.parse(text)));
    channel.onClose(() => {
      state.isClosed = true;
    });
    sent.length = 0;
    return { channel, got, state, send: (message: object) => channel.send(JSON.stringify(message)) };
  };
  return { pipe, multiplexer, client, sent, emit };
}

test('commands are sent with the session of their client, and answers are returned without it', async () => {
  const { client, sent, emit } = setUp();
  const one = await client();
  const two = await client();
  two.send({ id: 1, method: 'Browser.getVersion' });
  assert.deepEqual(sent, [{ id: 1, method: 'Browser.getVersion', params: {}, sessionId: sessionId(2) }]);
  emit({ id: 1, result: { product: 'x' }, sessionId: sessionId(2) });
  assert.deepEqual(two.got, [{ id: 1, result: { product: 'x' } }]);
  assert.deepEqual(one.got, []);
});

test('a session that a client attaches belongs to it until it is detached', async () => {
  const { client, sent, emit } = setUp();
  const [one, two] = [await client(), await client()];
  const child = sessionId(77);
  emit({ method: 'Target.attachedToTarget', params: { sessionId: child }, sessionId: sessionId(1) });
  one.send({ id: 5, method: 'Page.enable', sessionId: child });
  two.send({ id: 6, method: 'Page.enable', sessionId: child });
  assert.deepEqual(sent, [{ id: 5, method: 'Page.enable', params: {}, sessionId: child }]);
  assert.equal((two.got[0] as { error: { code: number } }).error.code, -32_001);
  emit({ method: 'Page.loadEventFired', params: {}, sessionId: child });
  assert.deepEqual(one.got.at(-1), { method: 'Page.loadEventFired', params: {}, sessionId: child });
  emit({ method: 'Target.detachedFromTarget', params: { sessionId: child }, sessionId: sessionId(1) });
  one.send({ id: 7, method: 'Page.enable', sessionId: child });
  assert.equal(sent.length, 1);
});

test('page text that looks like a session id is only text', async () => {
  const { client, emit } = setUp();
  const [one, two] = [await client(), await client()];
  const text = `,"sessionId":"${sessionId(2)}"}`;
  const nested = { sessionId: sessionId(2) };
  emit({ id: 9, result: { nested, text }, sessionId: sessionId(1) });
  assert.deepEqual(one.got, [{ id: 9, result: { nested, text } }]);
  assert.deepEqual(two.got, []);
});

test("a client can use neither its hidden session id nor the owner's message ids", async () => {
  const { client, sent } = setUp();
  const one = await client();
  one.send({ id: 1, method: 'Browser.getVersion', sessionId: sessionId(1) });
  one.send({ id: 2 ** 30, method: 'Browser.getVersion' });
  one.send({ id: -1, method: 'Browser.getVersion' });
  assert.deepEqual(sent, []);
  assert.deepEqual(
    one.got.map(({ error }) => (error as { code: number }).code),
    [-32_001, -32_600, -32_600],
  );
});

test('exactly what was checked is sent, without duplicate keys or extra fields', async () => {
  const { client, sent } = setUp();
  const one = await client();
  one.channel.send(
    '{"id":1,"method":"Browser.crash","method":"Page.navigate","params":{"url":"file:///x","url":"http://a.test/"},"extra":1}',
  );
  assert.deepEqual(sent, [
    { id: 1, method: 'Page.navigate', params: { url: 'http://a.test/' }, sessionId: sessionId(1) },
  ]);
});

test('a client that breaks the protocol is disconnected', async () => {
  const deep = '['.repeat(200_000) + ']'.repeat(200_000);
  for (const text of [
    'hello',
    'null',
    '[]',
    '{}',
    '{"id":"1","method":"Browser.getVersion"}',
    '{"id":1,"method":7}',
    '{"id":1,"method":"Browser.getVersion","params":[]}',
    '{"id":1,"method":"Browser.getVersion","sessionId":1}',
    `{"id":1,"method":"${'x'.repeat(101)}"}`,
    `{"id":1,"method":"Runtime.evaluate","params":{"a":${deep}}}`,
  ]) {
    const { client, sent } = setUp();
    const one = await client();
    one.channel.send(text);
    assert.equal(one.state.isClosed, true, text.slice(0, 80));
    assert.deepEqual(
      sent.map(({ method }) => method),
      ['Target.detachFromTarget'],
    );
  }
});

test('a client that writes faster than the browser reads is disconnected', async () => {
  const { client, pipe } = setUp();
  const one = await client();
  Object.assign(pipe, { pendingBytes: 65 * 1024 * 1024 });
  one.send({ id: 1, method: 'Browser.getVersion' });
  assert.equal(one.state.isClosed, true);
});

test('downloads are denied in a new context before its creator learns of it', async () => {
  const { client, sent, emit } = setUp();
  const one = await client();
  one.send({ id: 3, method: 'Target.createBrowserContext' });
  let sentBefore: unknown;
  one.channel.onMessage(() => {
    sentBefore = sent.at(-1);
  });
  emit({ id: 3, result: { browserContextId: sessionId(9) }, sessionId: sessionId(1) });
  const { method, params } = sentBefore as Record<string, unknown>;
  assert.equal(method, 'Browser.setDownloadBehavior');
  assert.deepEqual(params, { behavior: 'deny', browserContextId: sessionId(9) });
});

test('the number of connections is limited', async () => {
  const { client } = setUp();
  const clients = [];
  for (let n = 0; n < 20; n += 1) clients.push(await client());
  await assert.rejects(client(), { code: 'QUEUE_FULL' });
  clients[0]!.channel.close();
  await client();
});

test('when the browser ends, all clients are disconnected and pending commands fail', async () => {
  const { client, multiplexer, pipe } = setUp();
  const one = await client();
  const asked = multiplexer.command('Browser.getVersion');
  pipe.close();
  await assert.rejects(asked, /has ended/);
  assert.equal(one.state.isClosed, true);
  await assert.rejects(multiplexer.open(), /has ended/);
  await turn();
});

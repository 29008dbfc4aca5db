// The life of an open watcher: message order, slow readers, silent peers, and how both sides close.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WatchCall } from '../../../../src/operations/job/watch-job.ts';
import { JsonText } from '../../../../src/util/json/json-text.ts';
import { connect, createManualClock, JOB, KEY, startEdge } from '../edge.ts';

const PATH = `/v2/crawl/${JOB}`;

/** A watch that yields one message and then waits for its signal. */
function waiting() {
  let end = (_how: string) => {};
  const ended = new Promise<string>((resolve) => {
    end = resolve;
  });
  async function* watch({ caller: { signal } }: WatchCall) {
    try {
      yield new JsonText('"hello"');
      await once(signal, 'abort');
    } finally {
      end(signal.aborted ? 'aborted' : 'returned');
    }
  }
  return { watch, ended };
}

const greeted = async (url: string, options = {}) => {
  const client = connect(url + PATH, [KEY], options);
  await once(client.socket, 'message');
  return client;
};

test('messages of any size arrive complete, in order and as text', async (t) => {
  const sent = ['"first"', JSON.stringify('ü€😀'.repeat(300_000)), '""', JSON.stringify('x'.repeat(262_142)), '"last"'];
  const { url } = await startEdge(t, {
    async *watch() {
      for (const text of sent) yield new JsonText(text);
    },
  });
  const { messages, closed } = connect(url + PATH, [KEY]);
  assert.equal((await closed).code, 1000);
  assert.deepEqual(
    messages.map((text) => text.length),
    sent.map((text) => text.length),
  );
  assert.ok(messages.every((text, at) => text === sent[at]));
});

test('a reader that stops reading pauses the messages and misses none', async (t) => {
  const total = 1_000;
  const padding = 'x'.repeat(64 * 1024);
  let made = 0;
  const { url } = await startEdge(t, {
    async *watch() {
      for (; made < total; made += 1) yield new JsonText(JSON.stringify({ made, padding }));
    },
  });
  const { socket, messages, opened, closed } = connect(url + PATH, [KEY]);
  await opened;
  socket.pause();
  while (made === 0) await sleep(10);
  for (let before = -1; before !== made; await sleep(100)) before = made;
  // Until the reader resumes, messages fill the system's socket buffers, which grow to about 10 MB.
  assert.ok(made < total / 2, `${made} messages were produced for a reader that reads none`);
  socket.resume();
  assert.equal((await closed).code, 1000);
  assert.deepEqual(
    messages.map((text) => JSON.parse(text).made),
    Array.from({ length: total }, (_, at) => at),
  );
});

test('a client that closes ends the iteration', async (t) => {
  const { watch, ended } = waiting();
  const { url } = await startEdge(t, { watch });
  const { socket, closed } = await greeted(url);
  socket.close(1000);
  assert.equal(await ended, 'aborted');
  assert.equal((await closed).code, 1000);
});

test('a client that disappears ends the iteration', async (t) => {
  const { watch, ended } = waiting();
  const { url } = await startEdge(t, { watch });
  (await greeted(url)).socket.terminate();
  assert.equal(await ended, 'aborted');
});

test('a client that leaves between two messages is not an error', async (t) => {
  let returned = () => {};
  const { url, logged } = await startEdge(t, {
    async *watch() {
      try {
        for (;;) yield new JsonText('"more"');
      } finally {
        returned();
      }
    },
  });
  for (const leave of ['close', 'terminate'] as const) {
    const over = new Promise<void>((resolve) => {
      returned = resolve;
    });
    const { socket, closed } = await greeted(url);
    socket[leave]();
    await Promise.all([over, closed]);
  }
  assert.deepEqual(logged, []);
});

test('a client that answers pings stays connected; one that does not is closed', async (t) => {
  const clock = createManualClock();
  const { watch, ended } = waiting();
  const { url } = await startEdge(t, { watch, clock });
  const silent = await greeted(url, { autoPong: false });
  let pinged = once(silent.socket, 'ping');
  await clock.pass();
  await pinged;
  // Late, but in time.
  silent.socket.pong();
  silent.socket.ping();
  await once(silent.socket, 'pong');
  pinged = once(silent.socket, 'ping');
  await clock.pass();
  await pinged;
  await clock.pass();
  assert.deepEqual(await silent.closed, { code: 1008, reason: 'A ping was not answered.' });
  assert.equal(await ended, 'aborted');
});

test('a client that still receives messages needs no pong', async (t) => {
  const clock = createManualClock();
  let sendNext = () => {};
  const { url } = await startEdge(t, {
    clock,
    async *watch() {
      for (let at = 0; at < 4; at += 1) {
        yield new JsonText(String(at));
        await new Promise<void>((resolve) => {
          sendNext = resolve;
        });
      }
    },
  });
  const { socket, messages, closed } = await greeted(url, { autoPong: false });
  for (let at = 1; at < 4; at += 1) {
    const pinged = once(socket, 'ping');
    await clock.pass();
    await pinged;
    const received = once(socket, 'message');
    sendNext();
    await received;
  }
  sendNext();
  assert.equal((await closed).code, 1000);
  assert.deepEqual(messages, ['0', '1', '2', '3']);
});

test('messages from the client are ignored, and limited in size and number', async (t) => {
  const { watch } = waiting();
  const { url } = await startEdge(t, { watch });
  const chatty = await greeted(url);
  chatty.socket.send('hello');
  chatty.socket.send('x'.repeat(4_096));
  chatty.socket.ping('still there?');
  assert.equal(String((await once(chatty.socket, 'pong'))[0]), 'still there?');
  chatty.socket.send('x'.repeat(4_097));
  assert.equal((await chatty.closed).code, 1009);

  const flooding = await greeted(url);
  for (let sent = 0; sent <= 10_000; sent += 1) flooding.socket.send('more');
  assert.equal((await flooding.closed).code, 1008);
});

test('a service that stops closes its watchers with code 1001', async (t) => {
  const { watch, ended } = waiting();
  const { url, stopping } = await startEdge(t, { watch });
  const { closed } = await greeted(url);
  stopping.abort();
  assert.equal((await closed).code, 1001);
  assert.equal(await ended, 'aborted');
  assert.equal((await connect(url + PATH, [KEY]).closed).code, 1001);
});

test('a closing server sends 1001 and does not wait for clients that do not answer', async (t) => {
  const { watch, ended } = waiting();
  const { url, server } = await startEdge(t, { watch });
  const polite = await greeted(url);
  const mute = request(url + PATH, {
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': Buffer.alloc(16).toString('base64'),
      'sec-websocket-protocol': KEY,
    },
  }).end();
  const [response, socket] = await once(mute, 'upgrade');
  assert.deepEqual([response.statusCode, response.headers['sec-websocket-protocol']], [101, KEY]);
  socket.on('error', () => {});
  await server.close();
  assert.equal((await polite.closed).code, 1001);
  assert.equal(await ended, 'aborted');
  socket.destroy();
});

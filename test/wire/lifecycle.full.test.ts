// Starts that fail with a sentence, and stops that interrupt what would take too long.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { startService, startServiceWith } from '../support/service.ts';
import { folder, run, useLifecycle, web } from '../support/wire/lifecycle.ts';

useLifecycle();

/** Sends the beginning of a request and never the rest. */
async function sendHalf(url: string, text: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

test('a configuration that cannot work stops the start with one sentence', async (t) => {
  const blocker = createServer().listen(0, '127.0.0.1');
  t.after(() => blocker.close());
  await new Promise((resolve) => blocker.once('listening', resolve));
  const port = String((blocker.address() as AddressInfo).port);
  const file = join(folder, 'a-file');
  await writeFile(file, 'x');
  const cases: [settings: Record<string, string>, message: RegExp][] = [
    [{ TRAWL_PORT: port }, new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is in use`)],
    [{ TRAWL_PORT: 'http' }, /^TRAWL_PORT="http"/],
    [{ TRAWL_HOST: '0.0.0.0', TRAWL_AUTH: 'off' }, /^TRAWL_HOST/],
    [{ TRAWL_HOST: '203.0.113.7' }, /TRAWL_HOST/],
    [{ TRAWL_DATA_DIR: file }, /a-file/],
  ];
  for (const [settings, message] of cases) {
    const { code, stderr } = await run(settings);
    assert.equal(code, 1, stderr);
    assert.match(stderr, message);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
  }
});

test('two services cannot share a data folder', async () => {
  const TRAWL_DATA_DIR = join(folder, 'shared');
  const service = await startService({ TRAWL_DATA_DIR });
  const { code, stderr } = await run({ TRAWL_DATA_DIR });
  assert.equal(code, 1);
  assert.match(stderr, /in use by process \d+/);
  await service.stop();
});

test('SIGTERM lets a crawl start whose rules are still being compared', async () => {
  const service = await startServiceWith(web);
  const { promise: isSent, resolve } = Promise.withResolvers<void>();
  // These take half a second of processor time, and are then refused.
  const excludePaths = Array.from({ length: 25 }, (_, index) => `[ab]*a[ab]{${300 - index}}[^a-z]`);
  const path = Array.from({ length: 1_900 }, (_, index) => ((index * index * 7919) % 13 < 6 ? 'a' : 'b')).join('');
  const body = JSON.stringify({ url: web.url('news.test', `/${path}`), excludePaths });
  const asking = request(`${service.url}/v2/crawl`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
  });
  asking.end(body, () => resolve());
  const answering = once(asking, 'response').catch(() => []) as Promise<[IncomingMessage?]>;
  await isSent;
  await service.fetch('/v0/health/liveness');
  const stopped = service.stop();
  const [answer] = await answering;
  answer?.resume();
  // 503 if the signal was faster; no answer if the machine needs seconds for this, and the service has to stop.
  const status = answer?.statusCode;
  assert.ok(status === undefined || [200, 400, 503].includes(status), String(status));
  assert.equal(await stopped, 0);
});

test('SIGTERM ends a scrape that would never finish, with an answer, and requests that never arrive', async () => {
  const service = await startServiceWith(web);
  const headers = `POST /v2/scrape HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${service.key}\r\n`;
  const halves = [
    await sendHalf(service.url, headers),
    await sendHalf(service.url, `${headers}content-type: application/json\r\ncontent-length: 1000\r\n\r\n{"url":`),
  ];
  const running = service.scrape({ url: web.url('fault.test', '/stalled-headers') });
  while (web.requests('fault.test', '/stalled-headers') === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  const stopped = service.stop();
  const { status, body } = await running;
  assert.deepEqual([status, body.code], [503, 'SERVICE_UNAVAILABLE']);
  assert.equal(await stopped, 0);
  for (const half of halves) half.destroy();
});

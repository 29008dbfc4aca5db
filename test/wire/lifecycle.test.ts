// Starting, stopping and being killed.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { MAIN, PROGRAM_ENV } from '../support/program.ts';
import { startService, startServiceWith } from '../support/service.ts';
import { startWeb, type Web } from '../support/web.ts';

let web: Web;
let folder: string;
before(async () => {
  web = await startWeb();
  folder = await mkdtemp(join(tmpdir(), 'trawl-lifecycle-'));
});
after(async () => {
  await web?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs the program until it exits. */
async function run(settings: Record<string, string>, ...args: string[]) {
  const env = { ...PROGRAM_ENV, TRAWL_DATA_DIR: join(folder, 'run'), TRAWL_PORT: '0', ...settings };
  const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, stdout, stderr };
}

test('the first start prints a key once, with a command to paste; the second does not', async () => {
  const TRAWL_DATA_DIR = join(folder, 'first');
  const first = await startService({ TRAWL_DATA_DIR });
  const { stdout } = first.output();
  assert.match(stdout, /Your API key: fc-[0-9a-f]{32}/);
  assert.match(stdout, new RegExp(`curl -s ${first.url}/v2/scrape`));
  assert.match(stdout, /npm run keys/);
  assert.equal(await first.stop(), 0);
  const second = await startService({ TRAWL_DATA_DIR });
  assert.ok(!second.output().stdout.includes('fc-'));
  const response = await fetch(`${second.url}/v2/team/credit-usage`, {
    headers: { authorization: `Bearer ${first.key}` },
  });
  assert.equal(response.status, 200);
  assert.equal(await second.stop(), 0);
});

test('help lists the settings; an unknown command fails with a sentence', async () => {
  const help = await run({}, 'help', 'settings');
  assert.equal(help.code, 0);
  assert.match(help.stdout, /TRAWL_ALLOW_NETWORKS/);
  const unknown = await run({}, 'dance');
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /^There is no command 'trawl dance'/);
});

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

test('SIGTERM lets a running scrape finish and exits 0', async () => {
  const service = await startServiceWith(web);
  const running = service.scrape({ url: web.url('fault.test', '/slow-headers?ms=800') });
  while (web.requests('fault.test', '/slow-headers') === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  const stopped = service.stop();
  assert.equal((await running).status, 200);
  assert.equal(await stopped, 0);
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

/** Sends the beginning of a request and never the rest. */
async function sendHalf(url: string, text: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

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

test('a service killed while working loses no answered scrape and starts again at once', async () => {
  const TRAWL_DATA_DIR = join(folder, 'killed');
  const service = await startServiceWith(web, { TRAWL_DATA_DIR });
  const answered: string[] = [];
  const load = Array.from({ length: 40 }, async (_, n) => {
    const answer = await service
      .scrape<{ data: { metadata: { scrapeId: string } } }>({ url: web.url('load.test', `/article/${n}`) })
      .catch(() => undefined);
    if (answer?.status === 200) answered.push(answer.body.data.metadata.scrapeId);
    if (answered.length === 12) await service.kill();
  });
  await Promise.all(load);
  assert.ok(answered.length >= 12);
  const again = await startServiceWith(web, { TRAWL_DATA_DIR });
  try {
    for (const id of answered) {
      const response = await fetch(`${again.url}/v2/scrape/${id}`, {
        headers: { authorization: `Bearer ${service.key}` },
      });
      assert.equal(response.status, 200);
      const { data } = (await response.json()) as { data: { markdown: string } };
      assert.ok(data.markdown.length > 100);
    }
  } finally {
    await again.stop();
  }
});

// Clients that disconnect at any moment: their work is cancelled, their slot is freed, and the log has nothing to say.
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fullTest, test } from '../support/full-run.ts';
import { useOwnService } from '../support/use-service.ts';

const scene = useOwnService();

/** Sends the start of a request on a connection of its own. */
function begin(path: string, body: string, headers: string[] = ['Content-Type: application/json'], method = 'POST') {
  const { hostname, port } = new URL(scene.service.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    `Authorization: Bearer ${scene.service.key}`,
  ];
  socket.write(`${[...head, ...headers].join('\r\n')}\r\n\r\n${body}`);
  return socket;
}

const sized = (body: string) => ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`];

async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const started = Date.now(); Date.now() - started < 60_000; await sleep(20)) if (await isSo()) return;
  assert.fail(`waited in vain until ${what}`);
}

const concurrency = async () => {
  const { concurrency: count } = (await (await scene.service.fetch('/v2/concurrency-check')).json()) as {
    concurrency: number;
  };
  return count;
};

/** Both ways to leave: properly, and with a reset as a crashed program does. */
const leave: ((socket: Socket) => void)[] = [(socket) => socket.destroy(), (socket) => socket.resetAndDestroy()];

/** After everybody has left, nothing runs and nothing was logged. */
async function checkQuiet(): Promise<void> {
  await until(async () => (await concurrency()) === 0, 'no slot is taken');
  assert.equal((await scene.service.fetch('/v0/health/liveness')).status, 200);
  const metrics = await (await scene.service.fetch('/metrics')).text();
  assert.doesNotMatch(metrics, /^trawl_errors_total.*UNKNOWN_ERROR/m);
  assert.equal(scene.service.output().stderr, '');
}

test('during the body', async () => {
  const form = ['Content-Type: multipart/form-data; boundary=x', 'Content-Length: 100000'];
  const file = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nsome of it';
  const { body } = await scene.service.post<{ data: { uploadUrl: string } }>('/v2/parse/upload-url', {
    filename: 'a.txt',
  });
  const { pathname, search } = new URL(body.data.uploadUrl);
  for (const go of leave) {
    const sockets = [
      begin('/v2/scrape', '{"url":', ['Content-Type: application/json', 'Content-Length: 1000']),
      begin('/v2/scrape', '5\r\n{"url', ['Content-Type: application/json', 'Transfer-Encoding: chunked']),
      begin('/v2/parse', file, form),
      begin('/v2/parse', '', form),
      begin(pathname + search, 'some of it', ['Content-Length: 100000'], 'PUT'),
      begin('/v2/nothing', 'x', ['Content-Length: 100000']),
    ];
    // By then all of them are being read.
    await scene.service.fetch('/v0/health/liveness');
    for (const socket of sockets) go(socket);
  }
  await checkQuiet();
});

test('during the work', async () => {
  const url = scene.web.url('fault.test', '/stalled-headers');
  const requests: [path: string, body: object][] = [
    ['/v2/scrape', { url, maxAge: 0 }],
    ['/v2/scrape', { url: scene.web.url('fault.test', '/stalled-body'), maxAge: 0 }],
    ['/v2/map', { url, sitemap: 'skip' }],
    ['/v2/map', { url: scene.web.url('fault.test', '/stalled-body'), ignoreCache: true }],
    ['/v2/search', { query: 'harbour', scrapeOptions: { formats: ['markdown'] } }],
  ];
  for (const go of leave) {
    const before =
      scene.web.requests('fault.test', '/stalled-headers') + scene.web.requests('fault.test', '/stalled-body');
    const sockets = requests.map(([path, body]) => begin(path, JSON.stringify(body), sized(JSON.stringify(body))));
    await until(() => {
      const { requests: count } = scene.web;
      return count('fault.test', '/stalled-headers') + count('fault.test', '/stalled-body') >= before + 3;
    }, 'the sites were asked');
    for (const socket of sockets) go(socket);
  }
  await checkQuiet();
  const metrics = await (await scene.service.fetch('/metrics')).text();
  assert.match(metrics, /^trawl_requests_total\{operation="scrape",status="aborted"\} [1-9]/m);
});

fullTest('during the answer', async () => {
  const url = scene.web.url('fault.test', '/huge?mb=8');
  for (const go of leave) {
    const body = JSON.stringify({ url, formats: ['rawHtml'], maxAge: 0 });
    const sockets = [
      begin('/v2/scrape', body, sized(body)),
      begin('/v2/openapi.json', '', [], 'GET'),
      begin('/v2/scrape', '{}', sized('{}')),
    ];
    // Reads the first bytes of the answer and no more.
    await Promise.all(
      sockets.map((socket) => new Promise<void>((resolve) => socket.once('data', () => resolve(void socket.pause())))),
    );
    for (const socket of sockets) go(socket);
  }
  await checkQuiet();
});

test('while watching a job, and while its socket is opened', async () => {
  const { body } = await scene.service.post<{ id: string }>('/v2/batch/scrape', {
    urls: [scene.web.url('fault.test', '/stalled-headers')],
  });
  const upgrade = [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ];
  for (const go of leave) {
    const early = begin(`/v2/batch/scrape/${body.id}`, '', upgrade, 'GET');
    const watching = begin(`/v2/batch/scrape/${body.id}`, '', upgrade, 'GET');
    await new Promise((resolve) => early.once('connect', resolve));
    go(early);
    await new Promise((resolve) => watching.once('data', resolve));
    go(watching);
  }
  await scene.service.fetch(`/v2/batch/scrape/${body.id}`, { method: 'DELETE' });
  await checkQuiet();
});

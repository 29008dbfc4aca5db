// A service that listens on all addresses, and a client of the network without a key: what it is shown, and whether it is taken
// for somebody else by what it says about itself or by requests that two servers would read differently.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { after, before, test } from 'node:test';
import { readConfig } from '../../src/config/settings.ts';
import { ROUTES, type Route } from '../../src/contracts/routes.ts';
import type { RunningService } from '../support/service.ts';
import { startServiceHere } from '../support/service-here.ts';
import { portOf } from './cluster-stage.ts';

const KEY = 'tr-strangers-corpus-key-0123456789';

let service: RunningService;
before(async () => {
  service = await startServiceHere({ TRAWL_HOST: '0.0.0.0', TRAWL_API_KEY: KEY });
});
after(() => service?.stop());

/** Addresses of this machine that are not those of its own programs: another one of loopback, and one of a network if it has any. */
const ADDRESSES = [
  '127.0.0.2',
  ...Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address)
    .slice(0, 1),
];

/** Sends the bytes from this address, and returns what was answered until the connection was closed, or `isEnough`. */
async function send(
  text: string,
  address = ADDRESSES.at(-1)!,
  isEnough: (answer: string) => boolean = () => false,
): Promise<string> {
  const socket = connect({ port: portOf(service.url), host: address, localAddress: address });
  const parts: Buffer[] = [];
  const answer = () => Buffer.concat(parts).toString('latin1');
  socket.on('error', () => {});
  socket.on('data', (part) => {
    parts.push(part);
    if (isEnough(answer())) socket.destroy();
  });
  socket.setTimeout(10_000, () => socket.destroy());
  socket.write(text);
  await once(socket, 'close');
  return answer();
}

const CLOSE = 'Connection: close\r\n';
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+) /.exec(answer)?.[1]);
const requestFor = ({ method, path }: Pick<Route, 'method' | 'path'>, headers = 'Host: localhost\r\n') => {
  const body = method === 'GET' ? '' : 'Content-Type: application/json\r\nContent-Length: 2\r\n';
  return `${method} ${path.replace(/:\w+/g, 'x')} HTTP/1.1\r\n${headers}${body}${CLOSE}\r\n${body && '{}'}`;
};

/** What a client may say to be taken for a program of this machine, a page of the console, a proxy or another process. */
const CLAIMS: Record<string, string> = {
  'says nothing': 'Host: localhost\r\n',
  'says that it was forwarded for this machine':
    'Host: localhost\r\nX-Forwarded-For: 127.0.0.1\r\nX-Real-IP: 127.0.0.1\r\nForwarded: for=127.0.0.1\r\n',
  'says that it is a page of the console':
    'Host: localhost\r\nOrigin: http://localhost\r\nSec-Fetch-Site: same-origin\r\nCookie: trawl_session=x; __Host-trawl_session=x\r\n',
  'says that it is another process': 'Host: localhost\r\nX-Trawl-Peer: e30.e30\r\n',
  'has a key that is none': 'Host: localhost\r\nAuthorization: Bearer undefined\r\n',
};

test('without a key, no call is answered but those that are open to all', async () => {
  const closed = (Object.values(ROUTES) as Route[]).filter(({ open }) => !open);
  const answered: string[] = [];
  for (const [nth, [claim, headers]] of Object.entries(CLAIMS).entries()) {
    const address = ADDRESSES[nth % ADDRESSES.length];
    const answers = await Promise.all(closed.map((route) => send(requestFor(route, headers), address)));
    for (const [at, answer] of answers.entries()) {
      const { method, path } = closed[at]!;
      if (![401, 403, 429].includes(statusOf(answer)))
        answered.push(`${method} ${path}, who ${claim}: ${statusOf(answer)}`);
    }
  }
  assert.deepEqual(answered, []);
});

test('calls that are open to all tell nothing about the machine or the installation', async () => {
  const open = (Object.values(ROUTES) as Route[]).filter((route) => route.open && route.method === 'GET');
  for (const route of open) {
    const answer = await send(requestFor(route));
    assert.ok(statusOf(answer) < 500, `${route.path}: ${answer.slice(0, 200)}`);
    for (const secret of [KEY, service.dataDir, process.cwd(), `v${process.versions.node}`])
      assert.ok(!answer.includes(secret), `${route.path} tells ${secret}`);
  }
});

test('names of chapters and assets lead to no other files, and to no unexpected error', async () => {
  const names = ['../package.json', '..%2fpackage.json', '%2e%2e%2fpackage', 'x%00.md', '....//package.json'];
  for (const name of [...names, 'x'.repeat(300), '%5c..%5cpackage.json', '/etc/passwd']) {
    for (const folder of ['/docs/', '/console/assets/', '/console/', '/v2/files/', '/live/', '/cdp/']) {
      const answer = await send(requestFor({ method: 'GET', path: folder + name }));
      assert.ok(statusOf(answer) < 500, `${folder}${name}: ${answer.slice(0, 300)}`);
      assert.ok(!/"dependencies"|root:/.test(answer), folder + name);
    }
  }
});

test('what is forwarded by nobody whom the operator trusts is not believed', async () => {
  const headers =
    'Host: own.test\r\nX-Forwarded-Host: evil.test\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Prefix: /evil\r\nForwarded: host=evil.test;proto=https\r\n';
  const answer = await send(requestFor({ method: 'GET', path: '/.well-known/oauth-protected-resource' }, headers));
  assert.match(answer, /"http:\/\/own\.test"/);
  assert.ok(!answer.includes('evil'));
});

const LATER = 'GET /v0/health/liveness HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
const POST = `POST /v2/scrape HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\n`;

/** A request of which two servers could see different ends or hosts, with one more inside or behind it. */
const AMBIGUOUS: Record<string, string> = {
  'a length and chunks': `${POST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${LATER}`,
  'two lengths': `${POST}Content-Length: 2\r\nContent-Length: 90\r\n\r\n{}${LATER}`,
  'a list of lengths': `${POST}Content-Length: 2, 2\r\n\r\n{}${LATER}`,
  'a signed length': `${POST}Content-Length: +2\r\n\r\n{}${LATER}`,
  'an unknown coding': `${POST}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${LATER}`,
  'chunks that are not the last coding': `${POST}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${LATER}`,
  'a space before the colon': `${POST}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${LATER}`,
  'a header over two lines': `${POST}Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n${LATER}`,
  'a line feed in the size of a chunk': `${POST}Transfer-Encoding: chunked\r\n\r\n2;\nxx\r\n{}\r\n0\r\n\r\n${LATER}`,
  'a size of a chunk beyond all numbers': `${POST}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}\r\n0\r\n\r\n${LATER}`,
  'lines that end with a line feed': `POST /v2/scrape HTTP/1.1\nHost: x\n\n${LATER}`,
  'a carriage return in a header': `GET /v0/health/liveness HTTP/1.1\r\nHost: x\rX: y\r\n\r\n${LATER}`,
  'a NUL in a header': `GET /v0/health/liveness HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n${LATER}`,
  'no host': `GET /v0/health/liveness HTTP/1.1\r\n${CLOSE}\r\n`,
  'two hosts': `GET /v0/health/liveness HTTP/1.1\r\nHost: localhost\r\nHost: evil.test\r\n${CLOSE}\r\n`,
  'two hosts in other letters': `GET /v0/health/liveness HTTP/1.1\r\nhost: localhost\r\nHOST: localhost\r\n${CLOSE}\r\n`,
  'a header of 70,000 bytes': `GET /v0/health/liveness HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(70_000)}\r\n\r\n${LATER}`,
  'three thousand headers': `GET /v0/health/liveness HTTP/1.1\r\nHost: x\r\n${'a: bcdefg\r\n'.repeat(3_000)}\r\n${LATER}`,
};

for (const [name, text] of Object.entries(AMBIGUOUS)) {
  test(`a request with ${name} is refused, and nothing behind it is read`, async () => {
    const answer = await send(text);
    assert.equal(statusOf(answer), 400, answer);
    assert.equal(answer.match(/HTTP\/1\.1 \d/g)?.length, 1, answer);
  });
}

test('a request inside the body of one that is refused is not read as a request', async () => {
  const body = LATER;
  const answer = await send(
    `POST /v2/scrape HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  assert.equal(statusOf(answer), 401);
  assert.equal(answer.match(/HTTP\/1\.1 \d/g)?.length, 1, answer);
});

test('the service is no proxy and no mirror, and a whole address as target opens nothing', async () => {
  assert.equal(await send('CONNECT 127.0.0.1:5432 HTTP/1.1\r\nHost: 127.0.0.1:5432\r\n\r\n'), '');
  const mirrored = await send(`TRACE / HTTP/1.1\r\nHost: x\r\nX-Sent: mirror\r\n${CLOSE}\r\n`);
  assert.ok(!mirrored.includes('mirror'), mirrored);
  for (const target of [
    'http://127.0.0.1/metrics',
    'http://evil.test/v0/health/details',
    'http://localhost/v2/team/keys',
  ])
    assert.ok(
      [401, 404].includes(statusOf(await send(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n${CLOSE}\r\n`))),
      target,
    );
});

test('sockets of sessions, watchers, processes and MCP are worth nothing to a stranger', async () => {
  const upgrade =
    'Host: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';
  // Those that are accepted are closed with a code: 0x88 is the first byte of such a frame, and of what follows here.
  const isRefused = (answer: string) => /^HTTP\/1\.1 (?:101 .*\r\n\r\n\x88|4)/s.test(answer);
  for (const path of ['/cdp/x', '/live/x', '/v2/crawl/x', '/v2/batch/scrape/x', '/peers/pages/basic', '/mcp']) {
    const answer = await send(`GET ${path} HTTP/1.1\r\n${upgrade}\r\n`, undefined, isRefused);
    assert.ok(isRefused(answer), `${path}: ${answer.slice(0, 300)}`);
  }
  assert.equal(statusOf(await send(requestFor({ method: 'POST', path: '/mcp' }))), 401);
});

test('a service that is open to the network does not start without authentication', () => {
  for (const TRAWL_HOST of [
    '0.0.0.0',
    '::',
    '192.0.2.1',
    '::ffff:127.0.0.1',
    '127.0.0.1.evil.test',
    'localhost.test',
    '0',
  ])
    assert.throws(() => readConfig({ TRAWL_HOST, TRAWL_AUTH: 'off', HOME: '/tmp' }), /lets everyone in/, TRAWL_HOST);
  for (const TRAWL_HOST of ['127.0.0.1', '127.0.0.2', '::1', 'localhost'])
    assert.equal(readConfig({ TRAWL_HOST, TRAWL_AUTH: 'off', HOME: '/tmp' }).auth, 'off');
});

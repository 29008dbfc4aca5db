// Lists of known threats: their formats, hostile files, and how they are loaded, refreshed and kept.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { parseAllowList } from '../../../../src/net/addresses/allow-list.ts';
import { createEgress } from '../../../../src/net/egress.ts';
import { createFingerprintSet } from '../../../../src/policy/threats/risk/lists/fingerprint-set.ts';
import { isListed } from '../../../../src/policy/threats/risk/lists/list-entries.ts';
import { isList, parseList } from '../../../../src/policy/threats/risk/lists/parse-list.ts';
import { createThreatLists } from '../../../../src/policy/threats/risk/lists/threat-lists.ts';
import { createLog } from '../../../../src/runtime/log.ts';
import { createTestClock } from '../../../support/test-clock.ts';

const signal = new AbortController().signal;

async function* inChunks(text: string | Uint8Array, size = 7) {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const parse = (text: string | Uint8Array, size?: number) => parseList(inChunks(text, size));

const FORMATS: [name: string, text: string, listed: string[], others: string[]][] = [
  [
    'a hosts file',
    '# comment\r\n127.0.0.1\tlocalhost\n::1 ip6-localhost\n0.0.0.0 Bad.example # why\n0.0.0.0 one.example two.example\n0.0.0.0 0.0.0.0',
    ['http://bad.example/any', 'https://TWO.example.:8443/'],
    ['http://localhost/', 'http://www.bad.example/', 'http://0.0.0.0/'],
  ],
  [
    'a list of domains and addresses',
    'bad.example\n*.below.example\nпример.example\n203.0.113.9\n[2001:db8::9]\n! note\n; note\n// note\n',
    [
      'http://bad.example',
      'http://a.b.below.example',
      'http://xn--e1afmkfd.example',
      'http://3405803785/',
      'http://[2001:db8::9]/',
    ],
    ['http://below.example/', 'http://203.0.113.8/'],
  ],
  [
    'a filter list',
    '[Adblock Plus]\n||bad.example^\n',
    ['http://bad.example/', 'http://x.bad.example/'],
    ['http://notbad.example'],
  ],
  [
    'a list of URLs',
    'http://site.example/mal.exe\nhttps://site.example:8443/x?y=1#z\n',
    ['http://site.example/mal.exe', 'https://site.example/mal.exe#f', 'https://site.example:8443/x?y=1'],
    ['http://site.example/', 'http://site.example/x?y=1'],
  ],
  [
    'URLhaus CSV',
    '# id,dateadded,url,url_status\r\n"1","2026-11-16 10:00:00","http://203.0.113.5:5555/bin.sh","online","2026-11-16","malware_download","elf","https://urlhaus.abuse.ch/url/1/","x"\r\n2,2026-11-16,http://plain.example/a,online',
    ['http://203.0.113.5:5555/bin.sh', 'http://plain.example/a'],
    ['https://urlhaus.abuse.ch/url/1/', 'http://203.0.113.5/bin.sh'],
  ],
];

test('every format is read, however its bytes arrive', async () => {
  for (const [name, text, listed, others] of FORMATS) {
    for (const size of [1, 7, 10_000]) {
      const { set, skipped } = await parse(text, size);
      assert.equal(skipped, 0, name);
      for (const url of listed) assert.ok(isListed(set, new URL(url)), `${name}: ${url} is not found`);
      for (const url of others) assert.ok(!isListed(set, new URL(url)), `${name}: ${url} is found`);
    }
  }
});

describe('a hostile file', () => {
  test('with one endless line costs no more memory than a line', async () => {
    const line = new Uint8Array(3_000_000).fill(0x61);
    const { set, skipped } = await parse(line, 65_536);
    assert.deepEqual([set.size, skipped], [0, 1]);
  });

  test('of random bytes, or a page, is no list', async () => {
    const noise = Uint8Array.from({ length: 100_000 }, (_, at) => (at * 7919) % 251);
    assert.equal(isList(await parse(noise, 4_096)), false);
    const page = '<!doctype html>\n<html><head><title>Sorry</title></head>\n<body><h1>Gone</h1>\n</body></html>\n';
    assert.equal(isList(await parse(page)), false);
    assert.equal(isList(await parse('# nothing today\n')), true);
  });

  test('with more entries than allowed is cut', async () => {
    const { set, isCut } = await parseList(
      inChunks(Array.from({ length: 100 }, (_, at) => `h${at}.example`).join('\n')),
      10,
    );
    assert.deepEqual([set.size, isCut], [10, true]);
  });
});

test('a set finds what was added and nothing else, and grows as needed', () => {
  const set = createFingerprintSet(new Uint32Array([1, 2]));
  const count = 200_000;
  for (let at = 0; at < count; at += 1) set.add(`host${at}.example`);
  for (let at = 0; at < count; at += 1) set.add(`host${at}.example`);
  assert.equal(set.size, count);
  let wrong = 0;
  for (let at = 0; at < count; at += 1) {
    if (!set.has(`host${at}.example`) || set.has(`other${at}.example`)) wrong += 1;
  }
  assert.equal(wrong, 0);
});

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

async function createScene(t: TestContext, answer: Answer) {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-lists-'));
  const seen: IncomingMessage['headers'][] = [];
  let current = answer;
  const server = createServer((request, response) => {
    seen.push(request.headers);
    current(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const egress = createEgress({
    allow: parseAllowList(''),
    dnsServers: [],
    proxies: { basic: [], enhanced: [] },
    maxPageBytes: 10,
    ownAddress: () => undefined,
    operatorOrigins: [origin],
  });
  t.after(async () => {
    await egress.close();
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const clock = createTestClock();
  const deps = { folder: join(folder, 'lists'), egress, clock, log: createLog('silent'), maxBytes: 10_000 };
  return {
    folder,
    seen,
    clock,
    open: (source = `${origin}/list`) => createThreatLists([source], deps),
    answerWith: (next: Answer) => {
      current = next;
    },
  };
}

const send =
  (text: string, headers = {}, status = 200): Answer =>
  (_request, response) =>
    void response.writeHead(status, headers).end(text);
const BAD = new URL('http://bad.example/x');
const NEW = new URL('http://new.example/x');
const NOT_LOADED = { failure: 'a list is not loaded' };

/** Refreshes go on in the background: the answers of a list change when one is done. */
async function eventually(check: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 500; turn += 1) {
    if (await check()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.fail('it did not happen');
}

describe('a list by URL', () => {
  test('is loaded when first asked, once for all, and asked for again after an hour, with its validators', async (t) => {
    const scene = await createScene(
      t,
      send('bad.example\n', { etag: '"1"', 'last-modified': 'Mon, 16 Nov 2026 10:00:00 GMT' }),
    );
    const lists = scene.open();
    assert.equal(scene.seen.length, 0);
    const answers = await Promise.all(Array.from({ length: 20 }, () => lists.ask(BAD, signal)));
    assert.deepEqual(answers, Array(20).fill({ score: 100 }));
    assert.deepEqual(await lists.ask(NEW, signal), { score: 0 });
    assert.equal(scene.seen.length, 1);
    scene.answerWith(send('', {}, 304));
    scene.clock.set(scene.clock.now() + 3_600_000);
    await lists.ask(BAD, signal);
    await eventually(async () => scene.seen.length === 2);
    assert.deepEqual(
      [scene.seen[1]!['if-none-match'], scene.seen[1]!['if-modified-since']],
      ['"1"', 'Mon, 16 Nov 2026 10:00:00 GMT'],
    );
    scene.answerWith(send('new.example\n'));
    await eventually(async () => {
      scene.clock.set(scene.clock.now() + 3_600_000);
      const answer = await lists.ask(NEW, signal);
      return 'score' in answer && answer.score === 100;
    });
    assert.deepEqual(await lists.ask(BAD, signal), { score: 0 });
  });

  test('survives a restart and a server that is gone or answers nonsense: the last good copy is used', async (t) => {
    const scene = await createScene(t, send('bad.example\n'));
    assert.deepEqual(await scene.open().ask(BAD, signal), { score: 100 });
    scene.answerWith((_request, response) => void response.destroy());
    assert.deepEqual(await scene.open().ask(BAD, signal), { score: 100 });
    assert.equal(scene.seen.length, 1, 'a copy that is younger than an hour is not asked for again');
    for (const nonsense of [send('<html>\n<p>Sorry\n'), send('x', {}, 500), send('x.example\n'.repeat(2_000))]) {
      scene.answerWith(nonsense);
      scene.clock.set(scene.clock.now() + 3_600_000);
      const before = scene.seen.length;
      const lists = scene.open();
      assert.deepEqual(await lists.ask(BAD, signal), { score: 100 });
      await eventually(async () => scene.seen.length > before);
      assert.deepEqual(await lists.ask(BAD, signal), { score: 100 });
    }
  });

  test('that was never loaded is a failure, and is tried again after five minutes', async (t) => {
    const scene = await createScene(t, send('gone', {}, 404));
    const lists = scene.open();
    assert.deepEqual([await lists.ask(BAD, signal), await lists.ask(BAD, signal)], [NOT_LOADED, NOT_LOADED]);
    assert.equal(scene.seen.length, 1);
    scene.answerWith(send('bad.example\n'));
    scene.clock.set(scene.clock.now() + 5 * 60_000);
    assert.deepEqual(await lists.ask(BAD, signal), { score: 100 });
    assert.deepEqual(
      (await readdir(join(scene.folder, 'lists'))).map((name) => name.replace(/^[0-9a-f]+/, '')),
      ['.list', '.list.json'],
    );
  });
});

test('a list in a file is read again when the file has changed', async (t) => {
  const scene = await createScene(t, send(''));
  const path = join(scene.folder, 'own.txt');
  const lists = scene.open(path);
  assert.deepEqual(await lists.ask(BAD, signal), NOT_LOADED);
  await writeFile(path, 'bad.example\n');
  scene.clock.set(scene.clock.now() + 5 * 60_000);
  assert.deepEqual(await lists.ask(BAD, signal), { score: 100 });
  await writeFile(path, 'new.example\n');
  await utimes(path, 1, 1);
  scene.clock.set(scene.clock.now() + 3_600_000);
  await eventually(async () => {
    const answer = await lists.ask(NEW, signal);
    return 'score' in answer && answer.score === 100;
  });
});

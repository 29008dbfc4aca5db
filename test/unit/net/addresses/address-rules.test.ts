import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placesOf } from '../../../../src/compose/egress.ts';
import { createAddressRules, isGlobalUnicast, type OwnAddress } from '../../../../src/net/addresses/address-rules.ts';
import { parseAllowList } from '../../../../src/net/addresses/allow-list.ts';
import { createInternalTest } from '../../../../src/net/addresses/installation.ts';
import { parseDnsServers } from '../../../../src/net/addresses/resolver.ts';

const rules = (allow = '', own?: OwnAddress) => createAddressRules(parseAllowList(allow), () => own);
const refused = { code: 'UNSUPPORTED_SITE' };
const url = (text: string) => new URL(text);

test('global addresses are allowed and others are refused', () => {
  for (const address of [
    '1.1.1.1',
    '8.8.8.8',
    '172.15.0.1',
    '172.32.0.1',
    '100.63.0.1',
    '100.128.0.1',
    '2606:4700:4700::1111',
    '2a00:1450::1',
  ]) {
    assert.equal(isGlobalUnicast(address), true, address);
  }
  for (const address of [
    '10.0.0.1',
    '168.63.129.16',
    '::ffff:1.1.1.1',
    '4000::1',
    'fe80::1%eth0',
    'not an address',
    '',
  ]) {
    assert.equal(isGlobalUnicast(address), false, address);
  }
});

test('one forbidden address among the answers refuses the name', () => {
  rules().checkAnswers('good.example', 80, ['1.1.1.1', '2606:4700::1']);
  assert.throws(() => rules().checkAnswers('mixed.example', 80, ['1.1.1.1', '10.0.0.1']), refused);
  assert.throws(() => rules().checkAnswers('mixed.example', 80, ['1.1.1.1', '::ffff:10.0.0.1']), refused);
});

test('a refusal does not reveal the address', () => {
  assert.throws(
    () => rules().checkAnswers('db.corp.example', 80, ['10.1.2.3']),
    (error: Error) => !/10\.1\.2\.3/.test(JSON.stringify([error.message, error])),
  );
});

test('an allow-listed network allows its addresses and names that resolve to them, but no forbidden name', () => {
  const open = rules('10.1.0.0/16, fd00::/8, 192.168.7.7');
  for (const target of ['http://10.1.2.3/', 'http://[fd00::1]/', 'http://192.168.7.7/', 'http://[::ffff:10.1.2.3]/'])
    open.checkUrl(url(target));
  open.checkAnswers('wiki.corp.example', 80, ['10.1.0.1']);
  for (const target of ['http://10.2.0.1/', 'http://192.168.7.8/', 'http://wiki.internal/', 'http://wiki/']) {
    assert.throws(() => open.checkUrl(url(target)), refused, target);
  }
});

test('an allow-listed host allows its name and every address it resolves to, but not these addresses by other names', () => {
  const open = rules('wiki, *.intra.local, Bücher.internal');
  for (const target of ['http://wiki/', 'http://WIKI./', 'http://a.b.intra.local/', 'http://bücher.internal/'])
    open.checkUrl(url(target));
  open.checkAnswers('wiki', 80, ['10.0.0.1']);
  assert.throws(() => open.checkUrl(url('http://intra.local/')), refused);
  assert.throws(() => open.checkAnswers('other.example', 80, ['10.0.0.1']), refused);
});

test('an entry with a port allows that port and no other', () => {
  const open = rules('localhost:8080, 127.0.0.2:81, [::1]:82, 10.0.0.0/8:83, *.lan:84');
  const allowed = [
    'http://localhost:8080/',
    'http://127.0.0.2:81/',
    'http://[::1]:82/',
    'http://10.2.3.4:83/',
    'http://a.lan:84/',
  ];
  for (const target of allowed) open.checkUrl(url(target));
  open.checkAnswers('localhost', 8080, ['127.0.0.1', '::1']);
  open.checkAnswers('a.lan', 84, ['192.168.1.1']);
  const others = ['http://localhost/', 'http://127.0.0.1:8080/', 'http://127.0.0.2:8080/', 'http://10.2.3.4/'];
  for (const target of others) assert.throws(() => open.checkUrl(url(target)), refused, target);
  assert.throws(() => open.checkAnswers('localhost', 22, ['127.0.0.1']), refused);
  assert.throws(() => open.checkAnswers('a.lan', 80, ['192.168.1.1']), refused);
});

test('ports of other protocols are refused even for allowed hosts', () => {
  assert.throws(() => rules('127.0.0.1').checkUrl(url('http://127.0.0.1:25/')), {
    ...refused,
    message: /^Port 25 is refused/,
  });
});

test('a service that listens on one address refuses itself there, but not neighbouring addresses and ports', () => {
  const own = rules('0.0.0.0/0, ::/0', { address: '127.0.0.1', port: 3002 });
  for (const host of ['127.0.0.1', '0.0.0.0', '[::]', '[::ffff:127.0.0.1]'])
    assert.throws(() => own.checkUrl(url(`http://${host}:3002/`)), refused, host);
  for (const target of ['http://127.0.0.2:3002/', 'http://127.0.0.1:3003/']) own.checkUrl(url(target));
});

test('a service that listens on all addresses refuses itself on every local address', () => {
  for (const address of ['0.0.0.0', '::']) {
    const own = rules('0.0.0.0/0, ::/0, localhost', { address, port: 80 });
    for (const host of ['127.0.0.1', '127.7.7.7', '[::1]', '0'])
      assert.throws(() => own.checkUrl(url(`http://${host}/`)), refused, host);
    assert.throws(() => own.checkAnswers('localhost', 80, ['::1']), refused);
    own.checkAnswers('localhost', 8080, ['::1']);
  }
});

test('a bad allow-list entry is reported in one sentence', () => {
  for (const entry of [
    '10.0.0.0/33',
    '10.0.0.0/x',
    'a b',
    'http://x',
    'x:0',
    'x:65536',
    'x:y',
    'x:80:80',
    '[::1]x:80',
    '*',
    'a.*.b',
    'fd00::/200',
  ]) {
    assert.throws(
      () => parseAllowList(`10.0.0.0/8, ${entry}`),
      (error: Error) => error.message.startsWith(`"${entry}" is `),
      entry,
    );
  }
  assert.equal(parseAllowList(' , ').allowsHost('', 80), false);
});

test('name servers are accepted with or without a port', () => {
  assert.deepEqual(parseDnsServers('9.9.9.9, 127.0.0.1:5353,[::1]:53, 2620:fe::fe'), [
    '9.9.9.9:53',
    '127.0.0.1:5353',
    '[::1]:53',
    '[2620:fe::fe]:53',
  ]);
  for (const entry of ['dns.example', '9.9.9.9:0', '9.9.9.9:99999', '9.9.9']) {
    assert.throws(
      () => parseDnsServers(entry),
      (error: Error) => error.message.startsWith(`"${entry}" is not`),
      entry,
    );
  }
});

const resolver = { resolve: async (host: string) => (host === 'opensearch' ? ['10.0.0.5'] : [host]) };
const internal = (...places: string[]) => createInternalTest(() => places.flatMap(placesOf), resolver);

test('engines and other processes are refused, whatever networks are allowed', async () => {
  const isInternal = internal(
    'https://user:p@ss@opensearch:9200,10.0.0.6/trawl',
    'postgres://trawl:secret@[fd00::7]/trawl',
    'http://127.0.0.1:3003',
    'HTTPS://10.0.0.8',
  );
  const open = createAddressRules(
    parseAllowList('0.0.0.0/0, ::/0, opensearch'),
    () => undefined,
    undefined,
    undefined,
    isInternal,
  );
  // The first look at a name begins when the rules are made.
  await new Promise((resolve) => setImmediate(resolve));
  for (const target of [
    ...['http://10.0.0.5:9200/', 'http://[::ffff:10.0.0.5]:9200/', 'http://10.0.0.6/', 'http://[fd00::7]:5432/'],
    ...[
      'http://10.0.0.8/',
      'http://127.0.0.1:3003/',
      'http://127.1.2.3:3003/',
      'http://[::1]:3003/',
      'http://0.0.0.0:3003/',
    ],
  ]) {
    const { hostname, port } = url(target);
    const host = hostname.replace(/[[\]]/g, '');
    assert.throws(() => open.checkAnswers('site.example', Number(port) || 443, [host]), refused, target);
  }
  assert.throws(() => open.checkAnswers('opensearch', 9200, ['10.9.9.9']), refused);
  for (const target of ['http://10.0.0.5:9201/', 'http://10.0.0.7:9200/', 'http://127.0.0.1:3004/']) {
    open.checkUrl(url(target));
    open.checkAnswers('site.example', Number(url(target).port), [url(target).hostname]);
  }
});

test('an engine at a public address is a site like any other', () => {
  const open = createAddressRules(
    parseAllowList(''),
    () => undefined,
    undefined,
    undefined,
    internal('https://1.1.1.1'),
  );
  open.checkUrl(url('https://1.1.1.1/'));
});

// The base URL of the service as callers see it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { FastifyRequest } from 'fastify';
import { createBaseUrlOf } from '../../../../src/api/callers/base-url.ts';
import { createForwardedReader } from '../../../../src/api/callers/forwarded.ts';
import { parseNetworks } from '../../../../src/urls/networks.ts';
import { runs, seedOr } from '../../../support/runs.ts';

const readForwarded = createForwardedReader(parseNetworks('127.0.0.1, 10.0.0.0/8, fd00::/8'));

function baseUrl(headers: Record<string, string>, { peer = '127.0.0.1', local = '10.1.2.3', publicUrl = '' } = {}) {
  const socket = { remoteAddress: peer, localAddress: local, localPort: 3002 };
  const request = { headers: { host: 'asked.test:3002', ...headers }, protocol: 'http', raw: { socket } };
  return createBaseUrlOf(publicUrl || undefined, readForwarded)(request as unknown as FastifyRequest);
}

const forwarded = (parts: Record<string, string>) =>
  Object.fromEntries(Object.entries(parts).map(([name, value]) => [`x-forwarded-${name}`, value]));

test('a configured public URL always wins', () => {
  const headers = forwarded({ proto: 'http', host: 'proxy.test', prefix: '/x' });
  assert.equal(baseUrl(headers, { publicUrl: 'https://own.test/trawl' }), 'https://own.test/trawl');
});

test('without a proxy, the Host header is used', () => {
  assert.equal(baseUrl({}), 'http://asked.test:3002');
  assert.equal(baseUrl({ host: 'ASKED.test:80' }), 'http://asked.test');
  assert.equal(baseUrl({ host: '[2001:db8::1]:3002' }), 'http://[2001:db8::1]:3002');
});

test('without a valid Host header, the local address of the connection is used', () => {
  for (const host of ['', 'a b', 'a/b', 'user@a', 'a:99999', 'a:', 'a?x', 'a#x', '[::1', 'a\\b', '%61']) {
    assert.equal(baseUrl({ host }), 'http://10.1.2.3:3002', host);
  }
  assert.equal(baseUrl({ host: '' }, { local: '::1' }), 'http://[::1]:3002');
});

test('forwarding headers count only from trusted proxies', () => {
  const headers = forwarded({ proto: 'https', host: 'proxy.test' });
  for (const peer of ['127.0.0.1', '10.0.0.9', 'fd00::1', '::ffff:10.0.0.9']) {
    assert.equal(baseUrl(headers, { peer }), 'https://proxy.test', peer);
  }
  for (const peer of ['127.0.0.2', '192.168.1.1', '198.51.100.7', '::1', '::ffff:198.51.100.7', '2001:4860::1', '']) {
    assert.equal(baseUrl(headers, { peer }), 'http://asked.test:3002', peer);
    assert.equal(baseUrl({ forwarded: 'host=proxy.test;proto=https' }, { peer }), 'http://asked.test:3002', peer);
  }
});

test('each forwarding header counts independently', () => {
  const cases: [parts: Record<string, string>, url: string][] = [
    [{ proto: 'https' }, 'https://asked.test:3002'],
    [{ host: 'proxy.test' }, 'http://proxy.test'],
    [{ host: 'proxy.test:8443', proto: 'HTTPS' }, 'https://proxy.test:8443'],
    [{ host: 'proxy.test:443', proto: 'https' }, 'https://proxy.test'],
    [{ host: 'proxy.test', proto: 'https', port: '443' }, 'https://proxy.test'],
    [{ host: 'proxy.test', proto: 'https', port: '8443' }, 'https://proxy.test:8443'],
    [{ host: 'proxy.test:1', port: '2' }, 'http://proxy.test:1'],
    [{ host: '[2001:db8::1]', port: '81' }, 'http://[2001:db8::1]:81'],
    [{ prefix: '/trawl' }, 'http://asked.test:3002/trawl'],
    [{ prefix: '/a/b.c/' }, 'http://asked.test:3002/a/b.c'],
    [{ prefix: '/' }, 'http://asked.test:3002'],
  ];
  for (const [parts, url] of cases) assert.equal(baseUrl(forwarded(parts)), url, JSON.stringify(parts));
});

test('in a list, the value counts that the outermost trusted proxy has added', () => {
  const sent = { proto: 'http, https', host: 'evil.test , real.test', prefix: '/evil,/real' };
  assert.equal(baseUrl(forwarded(sent)), 'https://real.test/real');
  assert.equal(baseUrl(forwarded({ ...sent, for: '192.0.2.9, 198.51.100.1' })), 'https://real.test/real');
  const behindTwo = { host: 'evil.test, real.test, inner.test', for: '192.0.2.9, 198.51.100.1, 10.0.0.2' };
  assert.equal(baseUrl(forwarded(behindTwo)), 'http://real.test');
  assert.equal(baseUrl(forwarded({ host: 'real.test', for: '198.51.100.1, 10.0.0.2' })), 'http://real.test');
});

test('malformed parts are ignored', () => {
  const cases: Record<string, string>[] = [
    { proto: 'ftp' },
    { proto: 'https:' },
    { proto: 'javascript' },
    { host: 'a b' },
    { host: 'evil.test/path' },
    { host: 'user@evil.test' },
    { host: 'evil.test"' },
    { host: 'evil.test, ' },
    { host: 'evil.test:70000' },
    { port: '0' },
    { port: '70000' },
    { port: '8x' },
    { prefix: 'trawl' },
    { prefix: '//evil.test' },
    { prefix: '/a?b' },
    { prefix: '/a/../b' },
    { prefix: '/.' },
    { prefix: `/${'a/'.repeat(4_000)}!` },
  ];
  for (const parts of cases) assert.equal(baseUrl(forwarded(parts)), 'http://asked.test:3002', JSON.stringify(parts));
  assert.equal(baseUrl(forwarded({ host: 'proxy.test', port: '70000' })), 'http://proxy.test');
});

test('the standard Forwarded header is read when the X-Forwarded headers are absent', () => {
  const cases: [header: string, url: string][] = [
    ['for=192.0.2.60;proto=https;by=203.0.113.43;host=proxy.test', 'https://proxy.test'],
    ['Host="proxy.test:8443" ; Proto=https;', 'https://proxy.test:8443'],
    ['proto=http;host=evil.test, proto=https;host=real.test', 'https://real.test'],
    ['host=real.test;for=198.51.100.1, host=inner.test;for=10.0.0.2', 'http://real.test'],
    ['for="[2001:db8::1]";host="[2001:db8::2]:81"', 'http://[2001:db8::2]:81'],
    ['proto=https', 'https://asked.test:3002'],
    ['for=192.0.2.60', 'http://asked.test:3002'],
    ['host="evil.test/path";proto=gopher', 'http://asked.test:3002'],
    ['for="x;host=evil.test"', 'http://asked.test:3002'],
    [';;=;host', 'http://asked.test:3002'],
  ];
  for (const [header, url] of cases) assert.equal(baseUrl({ forwarded: header }), url, header);
  const both = { ...forwarded({ proto: 'https' }), forwarded: 'host=other.test' };
  assert.equal(baseUrl(both), 'https://asked.test:3002');
  const withPrefix = { ...forwarded({ prefix: '/trawl' }), forwarded: 'host=proxy.test' };
  assert.equal(baseUrl(withPrefix), 'http://proxy.test/trawl');
});

const SEED = seedOr(20_261_117);

test(`whatever the headers say, the result is a valid base URL (seed ${SEED})`, () => {
  const word = fc.constantFrom(
    'https',
    'a.test',
    ':80',
    ',',
    ';',
    '"',
    '=',
    '[::1]',
    '10.0.0.1',
    'for=',
    'host=',
    '/',
    '..',
    ' ',
    '%',
    '@',
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(word, { maxLength: 8 }).map((words) => words.join('')),
  );
  const names = [
    'host',
    'forwarded',
    ...['for', 'proto', 'host', 'port', 'prefix'].map((name) => `x-forwarded-${name}`),
  ];
  const headers = fc.record(Object.fromEntries(names.map((name) => [name, text])), { requiredKeys: [] });
  const property = fc.property(headers, (sent) => {
    const url = baseUrl(sent as Record<string, string>);
    assert.match(url, /^https?:\/\/[^/?#@\s]+(?:\/[\w.~/-]*)?$/);
    assert.equal(new URL(url).href.replace(/\/$/, ''), url);
  });
  fc.assert(property, { seed: SEED, numRuns: runs(1_000, 50_000) });
});

// Whose word about the address of a caller counts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { createForwardedReader } from '../../../../src/api/callers/forwarded.ts';
import { parseNetworks } from '../../../../src/urls/networks.ts';

const TRUSTED = '127.0.0.1, 10.0.0.0/8, 2001:db8:1::/48';

function addressOf(peer: string | undefined, headers: Record<string, string>, trusted = TRUSTED): string {
  const request = { headers, raw: { socket: { remoteAddress: peer } } };
  return createForwardedReader(parseNetworks(trusted))(request as unknown as FastifyRequest).address;
}

const CASES: [what: string, peer: string | undefined, headers: Record<string, string>, address: string][] = [
  ['no headers', '127.0.0.1', {}, '127.0.0.1'],
  ['a stranger who claims to be a proxy', '198.51.100.7', { 'x-forwarded-for': '10.0.0.1' }, '198.51.100.7'],
  ['a proxy', '127.0.0.1', { 'x-forwarded-for': '198.51.100.7' }, '198.51.100.7'],
  ['a forged start of the list', '127.0.0.1', { 'x-forwarded-for': '1.2.3.4, 198.51.100.7' }, '198.51.100.7'],
  ['two proxies', '127.0.0.1', { 'x-forwarded-for': '1.2.3.4, 198.51.100.7, 10.0.0.2' }, '198.51.100.7'],
  ['only proxies', '127.0.0.1', { 'x-forwarded-for': '10.0.0.3, 10.0.0.2' }, '10.0.0.3'],
  ['a port', '127.0.0.1', { 'x-forwarded-for': '198.51.100.7:4711' }, '198.51.100.7'],
  ['IPv6 with brackets and port', '127.0.0.1', { 'x-forwarded-for': '[2001:db8:2::1]:4711' }, '2001:db8:2::1'],
  ['an IPv6 proxy', '2001:db8:1::5', { 'x-forwarded-for': '2001:db8:2::1' }, '2001:db8:2::1'],
  ['a mapped peer', '::ffff:10.1.1.1', { 'x-forwarded-for': '198.51.100.7' }, '198.51.100.7'],
  ['a mapped hop', '127.0.0.1', { 'x-forwarded-for': '198.51.100.7, ::ffff:10.0.0.2' }, '198.51.100.7'],
  ['a name that hides', '127.0.0.1', { 'x-forwarded-for': '198.51.100.7, unknown' }, 'unknown'],
  [
    'the standard header',
    '127.0.0.1',
    { forwarded: 'for=1.2.3.4, for="[2001:db8:2::1]:80";proto=https' },
    '2001:db8:2::1',
  ],
  ['both headers', '127.0.0.1', { forwarded: 'for=1.2.3.4', 'x-forwarded-for': '198.51.100.7' }, '198.51.100.7'],
  ['a local socket', undefined, { 'x-forwarded-for': '198.51.100.7' }, ''],
];

for (const [what, peer, headers, address] of CASES) {
  test(`the caller's address: ${what}`, () => assert.equal(addressOf(peer, headers), address));
}

test('without trusted proxies, no header counts', () => {
  for (const [what, peer, headers] of CASES) assert.equal(addressOf(peer, headers, ''), peer ?? '', what);
});

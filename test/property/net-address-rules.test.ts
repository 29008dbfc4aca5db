import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { createAddressRules, isGlobalUnicast } from '../../src/net/addresses/address-rules.ts';
import { parseAllowList } from '../../src/net/addresses/allow-list.ts';
import { FORBIDDEN_RANGES } from '../../src/net/addresses/forbidden.ts';
import { amount, seedOr } from '../support/runs.ts';

const SEED = seedOr(20_260_201);
const check = (property: fc.IProperty<never> | fc.IPropertyWithHooks<never>) =>
  fc.assert(property as fc.IProperty<unknown>, {
    seed: SEED,
    numRuns: amount({ short: 300, full: 1_000, long: 20_000 }),
  });
const rules = createAddressRules(parseAllowList(''), () => undefined);

/** Any address of one of the ranges: its prefix followed by random bits. */
const insideRange = fc.constantFrom(...FORBIDDEN_RANGES).chain((range) => {
  const [network, bits] = ipaddr.parseCIDR(range);
  const bytes = network.toByteArray();
  return fc.uint8Array({ minLength: bytes.length, maxLength: bytes.length }).map((noise) =>
    ipaddr.fromByteArray(
      bytes.map((byte, index) => {
        const free = Math.max(0, Math.min(8, (index + 1) * 8 - bits));
        const mask = (1 << free) - 1;
        return (byte & ~mask & 0xff) | (noise[index]! & mask);
      }),
    ),
  );
});

/** All the ways to write one address in a URL. */
function spellings(address: ipaddr.IPv4 | ipaddr.IPv6): string[] {
  const bytes = address.toByteArray();
  if (address.kind() === 'ipv6') {
    const groups = Array.from({ length: 8 }, (_, i) => (bytes[2 * i]! << 8) | bytes[2 * i + 1]!);
    const tail = bytes.slice(12).join('.');
    return [
      `[${address.toString()}]`,
      `[${groups.map((group) => group.toString(16).padStart(4, '0').toUpperCase()).join(':')}]`,
      `[${groups
        .slice(0, 6)
        .map((group) => group.toString(16))
        .join(':')}:${tail}]`,
    ];
  }
  const [a, b, c, d] = bytes as [number, number, number, number];
  const whole = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
  return [
    `${a}.${b}.${c}.${d}`,
    `${a}.${b}.${c}.${d}.`,
    `${whole}`,
    `0x${whole.toString(16)}`,
    `0${whole.toString(8)}`,
    `${a}.${(b << 16) | (c << 8) | d}`,
    `${a}.${b}.${(c << 8) | d}`,
    bytes.map((byte) => `0${byte.toString(8)}`).join('.'),
    bytes.map((byte) => `0x${byte.toString(16)}`).join('.'),
    `${a}。${b}。${c}。${d}`,
    `[::ffff:${a}.${b}.${c}.${d}]`,
    `[64:ff9b::${a}.${b}.${c}.${d}]`,
    `[2002:${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}::]`,
  ];
}

test(`any address of a forbidden range is refused in every spelling (seed ${SEED})`, () => {
  check(
    fc.property(insideRange, (address) => {
      assert.equal(isGlobalUnicast(address.toString()), false);
      for (const host of spellings(address)) {
        assert.throws(() => rules.checkUrl(new URL(`http://${host}/`)), { code: 'UNSUPPORTED_SITE' }, host);
      }
    }) as never,
  );
});

test(`any other unicast address is allowed (seed ${SEED})`, () => {
  const ranges = FORBIDDEN_RANGES.map((range) => ipaddr.parseCIDR(range));
  const listed = (address: ipaddr.IPv4 | ipaddr.IPv6) =>
    ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network as never, bits));
  const outside = fc
    .oneof(
      fc.uint8Array({ minLength: 4, maxLength: 4 }),
      fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => bytes.fill(0x20 | (bytes[0]! & 0x1f), 0, 1)),
    )
    .map((bytes) => ipaddr.fromByteArray([...bytes]))
    .filter((address) => !listed(address));
  check(
    fc.property(outside, (address) => {
      assert.equal(isGlobalUnicast(address.toString()), true, address.toString());
      rules.checkAnswers('site.example', 443, [address.toString()]);
    }) as never,
  );
});

test(`a name below a forbidden name is refused, whatever its case and dots (seed ${SEED})`, () => {
  const forbidden = fc.constantFrom(
    'localhost',
    'local',
    'internal',
    'home.arpa',
    'kubernetes.default',
    'svc',
    'nip.io',
  );
  const label = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
  check(
    fc.property(label, forbidden, fc.boolean(), fc.boolean(), (first, name, upper, dot) => {
      const host = `${first}.${name}${dot ? '.' : ''}`;
      assert.throws(
        () => rules.checkUrl(new URL(`http://${upper ? host.toUpperCase() : host}/`)),
        { code: 'UNSUPPORTED_SITE' },
        host,
      );
    }) as never,
  );
});

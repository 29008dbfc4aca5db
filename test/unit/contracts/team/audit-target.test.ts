import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditTarget } from '../../../../src/contracts/team/audit-target.ts';

test('of a URL only the host is recorded, however it comes', () => {
  const hosts = [
    [new URL('https://user:pass@Shop.test:8443/reset?token=secret#x'), 'shop.test'],
    ['https://shop.test/reset?token=secret', 'shop.test'],
    ['http://[2001:db8::1]:80/x', '2001:db8::1'],
    ['http://shop.test./', 'shop.test'],
    ['http://%/?token=secret', ''],
  ] as const;
  for (const [given, host] of hosts) assert.equal(auditTarget(given), host);
});

test('IDs, prefixes and names stay as they are', () => {
  for (const name of ['fc-12345678', '0190a0b0-0000-7000-8000-000000000000', 'Research / two', 'crawlStatus'])
    assert.equal(auditTarget(name), name);
});

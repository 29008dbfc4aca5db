// The headers by which a scrape identifies itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptLanguage, brandsOf, createIdentify, identityHeaders } from '../../../src/fetch/identity.ts';

const location = { country: 'AT', languages: ['de-AT', 'en'] };

test('languages are sent in order, each followed by its bare form', () => {
  assert.equal(acceptLanguage(['de-AT', 'en']), 'de-AT,de;q=0.9,en;q=0.8');
  assert.equal(acceptLanguage(['en']), 'en');
});

test('mobile sends the headers of a phone', () => {
  const headers = identityHeaders({ mobile: true, location });
  assert.match(headers['user-agent']!, /Mobile/);
  assert.equal(headers['sec-ch-ua-mobile'], '?1');
});

test("an operator's user agent is sent without browser hints", () => {
  const headers = identityHeaders({ mobile: false, location, userAgent: 'OurBot/1' });
  assert.equal(headers['user-agent'], 'OurBot/1');
  assert.ok(!('sec-ch-ua' in headers));
});

test('the version is that of the installed browser, and a fixed one where there is none', async () => {
  const who = { mobile: false, location };
  const known = await createIdentify({ browserVersion: async () => '151.0.7922.34' })(who);
  assert.match(known['user-agent']!, /Chrome\/151\.0\.0\.0 Safari/);
  assert.match(
    known['sec-ch-ua']!,
    /"Chromium";v="151".*"Google Chrome";v="151"|"Google Chrome";v="151".*"Chromium";v="151"/,
  );
  const unknown = await createIdentify({ browserVersion: async () => undefined })(who);
  assert.deepEqual(unknown, identityHeaders(who));
  const major = /Chrome\/(\d+)/.exec(unknown['user-agent']!)![1];
  assert.ok(unknown['sec-ch-ua']!.includes(`"Chromium";v="${major}"`));
});

test('the made-up brand and the order of the brands follow from the version, as in Chrome', () => {
  const header = (major: number) => brandsOf(major).map(({ brand, version }) => `"${brand}";v="${version}"`);
  // As sent by these versions.
  assert.deepEqual(header(124), ['"Chromium";v="124"', '"Google Chrome";v="124"', '"Not-A.Brand";v="99"']);
  assert.deepEqual(header(131), ['"Google Chrome";v="131"', '"Chromium";v="131"', '"Not_A Brand";v="24"']);
  assert.deepEqual(header(142), ['"Chromium";v="142"', '"Google Chrome";v="142"', '"Not_A Brand";v="99"']);
});

// Who a scrape says it is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptLanguage, identityHeaders } from '../../../src/fetch/identity.ts';

const location = { country: 'AT', languages: ['de-AT', 'en'] };

test('languages are asked for in order, each with its bare form', () => {
  assert.equal(acceptLanguage(['de-AT', 'en']), 'de-AT,de;q=0.9,en;q=0.8');
  assert.equal(acceptLanguage(['en']), 'en');
});

test('a phone looks like a phone', () => {
  const headers = identityHeaders({ mobile: true, location });
  assert.match(headers['user-agent']!, /Mobile/);
  assert.equal(headers['sec-ch-ua-mobile'], '?1');
});

test("the operator's user agent stands alone, without a browser's hints", () => {
  const headers = identityHeaders({ mobile: false, location, userAgent: 'OurBot/1' });
  assert.equal(headers['user-agent'], 'OurBot/1');
  assert.ok(!('sec-ch-ua' in headers));
});

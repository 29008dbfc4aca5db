// The headers by which a scrape identifies itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptLanguage, identityHeaders } from '../../../src/fetch/identity.ts';

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

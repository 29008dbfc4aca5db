// Who gets the headers of a caller.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { givenHeaders } from '../../../../src/contracts/scrape/given-headers.ts';
import { type ScrapeOptions, scrapeOptions } from '../../../../src/contracts/scrape/scrape-options.ts';
import type { FetchRequest } from '../../../../src/fetch/engine.ts';
import type { EgressRequest } from '../../../../src/net/egress.ts';
import { CallerHeaders } from '../../../../src/net/http/caller-headers.ts';
import { callerHeaders } from '../../../support/caller-headers.ts';

const HOME = 'https://site.test/start';
const own = callerHeaders(HOME, { Authorization: 'Bearer secret', Cookie: 'a=1' });

test('the origin that the caller named gets them, with names in lower case', () => {
  const expected = { authorization: 'Bearer secret', cookie: 'a=1' };
  for (const target of [HOME, 'https://site.test:443/x', 'HTTPS://SITE.test/', 'https://user@site.test/']) {
    assert.deepEqual(own.at(new URL(target)), expected, target);
  }
});

const OTHERS = [
  'http://site.test/start',
  'https://site.test:8443/',
  'https://www.site.test/',
  'https://test/',
  'https://site.test./',
  'https://site.test.evil.test/',
  'https://evil.test/https://site.test/',
  'https://site.test@evil.test/',
  'wss://site.test/',
  'blob:https://site.test/0b1c',
  'data:text/html,https://site.test',
  'file:///site.test',
];
for (const target of OTHERS) {
  test(`${target} gets none of them`, () => assert.deepEqual(own.at(new URL(target)), {}));
}

test('a page of another origin cannot use them, not even for a request to their own origin', () => {
  const target = new URL('https://site.test/data');
  assert.equal(own.fromPage(target, new URL('https://site.test/page')).cookie, 'a=1');
  for (const referrer of OTHERS) assert.deepEqual(own.fromPage(target, new URL(referrer)), {}, referrer);
  assert.deepEqual(own.fromPage(target, null), {});
  assert.deepEqual(own.fromPage(new URL('https://evil.test/'), new URL(HOME)), {});
});

test('neither JSON nor a log line shows them', () => {
  assert.doesNotMatch(
    JSON.stringify({ own }) + inspect(own, { depth: 9, showHidden: true }) + String(own),
    /secret|a=1/,
  );
});

test('what a browser repeats of them after a redirect is removed', () => {
  const reported = { Authorization: 'Bearer secret', Cookie: 'a=1; theirs=2', Accept: '*/*' };
  assert.deepEqual(own.removedFrom(reported), { Accept: '*/*' });
  assert.deepEqual(own.removedFrom({ authorization: 'Basic theirs' }), { authorization: 'Basic theirs' });
});

test('no request can be made from given headers without naming an origin', () => {
  const options: ScrapeOptions = scrapeOptions.parse({ headers: { Cookie: 'a=1' } });
  const url = new URL(HOME);
  // @ts-expect-error they are opaque until CallerHeaders knows their origin
  const raw: EgressRequest['headers'] = options.headers;
  // @ts-expect-error engines take CallerHeaders only
  const request: Pick<FetchRequest, 'headers'> = { headers: options.headers };
  // @ts-expect-error plain objects are not headers of a caller
  const plain: Pick<FetchRequest, 'headers'> = { headers: { cookie: 'a=1' } };
  const right: Pick<FetchRequest, 'headers'> = { headers: CallerHeaders.for(url, givenHeaders.parse({})) };
  assert.ok(raw && request && plain && right);
});

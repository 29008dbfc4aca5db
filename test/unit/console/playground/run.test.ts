import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyOfAddress, formAddress, isOperation } from '../../../../web/console/playground/run/form-address.ts';
import { keepable, readRecent, withRecent } from '../../../../web/console/playground/run/recent.ts';

test('an address carries the operation and the main field, and nothing that is too long', () => {
  const body = { url: 'https://example.com/?a=1&b=ü#x', formats: ['links'] };
  const address = formAddress('scrape', body);
  assert.equal(address, '/console/playground/scrape?url=https%3A%2F%2Fexample.com%2F%3Fa%3D1%26b%3D%C3%BC%23x');
  assert.deepEqual(bodyOfAddress('scrape', new URL(address, 'http://x').search), { url: body.url });
  const several = { urls: ['https://a.example', 'https://b.example'] };
  assert.deepEqual(bodyOfAddress('extract', new URL(formAddress('extract', several), 'http://x').search), several);
  assert.equal(formAddress('agent', { prompt: 'x'.repeat(3_000) }), '/console/playground/agent');
  assert.equal(formAddress('parse', { formats: ['markdown'] }), '/console/playground/parse');
  assert.equal(formAddress('scrape', { url: { strange: true } }), '/console/playground/scrape');
  assert.deepEqual(bodyOfAddress('scrape', '?query=other'), {});
  assert.ok(isOperation('crawl') && !isOperation('constructor') && !isOperation(undefined));
});

test('what may be secret is not remembered', () => {
  const body = {
    url: 'https://example.com',
    headers: { authorization: 'secret' },
    actions: [{ type: 'write', text: 'password' }],
    scrapeOptions: { headers: { cookie: 'secret' }, mobile: true },
    webhook: { url: 'https://hook.example', headers: { token: 'secret' } },
  };
  const kept = { url: 'https://example.com', scrapeOptions: { mobile: true } };
  assert.deepEqual(keepable(body), kept);
  assert.equal(keepable({ url: 'https://user:secret@example.com/' }), undefined);
  assert.equal(keepable({ url: 'https://example.com', zeroDataRetention: true }), undefined);
  assert.equal(keepable({ prompt: 'x'.repeat(5_000) }), undefined);
  assert.equal(keepable({}), undefined);
});

test('the last requests are few, each once, the newest first', () => {
  let recent = {};
  for (let page = 0; page < 20; page++) recent = withRecent(recent, 'scrape', { url: `https://example.com/${page}` });
  recent = withRecent(recent, 'scrape', { url: 'https://example.com/15' });
  const { scrape } = readRecent(JSON.stringify(recent));
  assert.equal(scrape!.length, 8);
  assert.deepEqual(scrape!.slice(0, 2), [{ url: 'https://example.com/15' }, { url: 'https://example.com/19' }]);
  for (const broken of [null, '', 'nonsense', '[]', '5', '{"scrape": {"a": 1}}', '{"scrape": [1, null, []]}']) {
    assert.equal(readRecent(broken).scrape?.length ?? 0, 0, String(broken));
  }
});

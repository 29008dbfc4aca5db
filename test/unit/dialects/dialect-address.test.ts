// Addresses of dialects as they arrive and as they are routed: keys, names elsewhere, and addresses inside of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDialectAddresses } from '../../../src/api/dialects/dialect-address.ts';

const { rewrite, keyOf } = createDialectAddresses({ names: ['jina', 'rerank', 'searxng'], pathKeys: true });

const inside = (address: string) => `/jina/r/${encodeURIComponent(address)}`;

test('an address inside of one is left as it is, with a key before it or without', () => {
  const routed: [string, string][] = [
    ['/jina/r/https://a.test//b/?c=d&e=%2F#f', inside('https://a.test//b/?c=d&e=%2F#f')],
    ['//jina//r/https:/a.test/', inside('https:/a.test/')],
    ['/jina/r/%zz?', inside('%zz?')],
    ['/jina/r/https://a.test/key/K/r/x', inside('https://a.test/key/K/r/x')],
    ['/jina/key/K/r/https://a.test/r/?q', inside('https://a.test/r/?q')],
    [`/jina/r/${Buffer.from('https://a.test/ü').toString('latin1')}`, inside('https://a.test/ü')],
    ['/jina/r/', '/jina/r'],
    ['/jina/r', '/jina/r'],
    ['/jina//s//a%2Fb?q=c//d', '/jina/s/a%2Fb?q=c//d'],
    ['/jina/reader/https://a.test', '/jina/reader/https:/a.test'],
  ];
  for (const [url, expected] of routed) {
    const request = { url };
    assert.equal(rewrite(request), expected, url);
    assert.equal(keyOf(request), url.includes('/jina/key/') ? 'K' : undefined, url);
  }
});

test('what has names elsewhere is found there, whether or not their dialects are served', () => {
  const all = createDialectAddresses({ names: ['v1', 'jina', 'rerank'], pathKeys: false });
  for (const { rewrite: route } of [all, createDialectAddresses({ names: ['rerank'], pathKeys: false })]) {
    assert.equal(route({ url: '/v1/rerank?a=b' }), '/rerank?a=b');
    assert.equal(route({ url: '//jina/v1/rerank/' }), '/rerank');
    assert.equal(route({ url: '/v2/rerank' }), '/v2/rerank');
    assert.equal(route({ url: '/v1/reranked' }), '/v1/reranked');
  }
  assert.equal(all.rewrite({ url: '/jina/key/K/r/a.test' }), `/jina/key/K/r/a.test`);
});

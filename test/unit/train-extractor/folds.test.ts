// Splits: by domain, reproducible, and with overlapping pages detected.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addressOf,
  domainOf,
  findOverlap,
  fingerprintOf,
  foldOf,
  halfOf,
} from '../../../scripts/train-extractor/folds.ts';

const text = (from: number, count: number) => Array.from({ length: count }, (_, i) => `word${from + i}`).join(' ');

test('pages of one registrable domain go to the same fold, whatever the host', () => {
  const domains = ['https://news.example.co.uk/a', 'http://www.example.co.uk/b'].map((url) => domainOf(url, '1'));
  assert.deepEqual(domains, ['example.co.uk', 'example.co.uk']);
  assert.equal(foldOf(domains[0]!, 3), foldOf(domains[1]!, 3));
});

test('a page without a domain is its own group', () => {
  assert.equal(domainOf('hard::somewhere-page.html', '17'), 'page:17');
  assert.equal(domainOf('http://192.0.2.7/x', '18'), '192.0.2.7');
});

test('folds and halves are of similar size and independent of each other', () => {
  const counts = new Map<string, number>();
  for (let i = 0; i < 3000; i++) {
    const part = `${foldOf(`site${i}.example`, 3)}${halfOf(`site${i}.example`)}`;
    counts.set(part, (counts.get(part) ?? 0) + 1);
  }
  assert.equal(counts.size, 6);
  for (const [part, count] of counts) assert.ok(count > 400 && count < 600, `${part}: ${count}`);
});

test('URLs are compared without scheme, www, fragment, trailing slash and case', () => {
  assert.equal(addressOf('https://www.Example.org/Path/?a=1#top'), addressOf('http://example.org/path?a=1'));
  assert.notEqual(addressOf('http://example.org/?p=1'), addressOf('http://example.org/?p=2'));
});

test('training pages that also occur in validation are found by URL and by text', () => {
  const validation = [fingerprintOf('http://a.example/1', text(0, 200)), fingerprintOf('http://b.example/', '')];
  const training = [
    fingerprintOf('https://www.a.example/1/', text(5000, 100)),
    fingerprintOf('http://mirror.example/', text(100, 300)),
    fingerprintOf('http://quotes.example/', `${text(9000, 400)} ${text(20, 13)}`),
    fingerprintOf('http://c.example/', text(7000, 300)),
  ];
  const { byAddress, byText, overlapping } = findOverlap(training, validation);
  assert.deepEqual([byAddress, byText, ...overlapping], [1, 1, 1, 1, 0, 0]);
});

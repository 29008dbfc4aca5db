// Domains whose results come first, higher, lower or not at all.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDomainRanking, type DomainLists } from '../../../src/urls/domain-ranking.ts';

const HOSTS = 'abcdefghij'.split('').map((letter) => `${letter}.test`);
const order = (...lists: DomainLists[]) =>
  createDomainRanking(...lists)!
    .arrange(HOSTS, (host) => host)
    .map((host) => host[0])
    .join('');

test('results move to half or three times their rank, come first, or are left out', () => {
  assert.equal(order({ raise: ['h.test'] }), 'abchdefgij');
  assert.equal(order({ raise: ['b.test'] }), 'bacdefghij');
  assert.equal(order({ lower: ['a.test', 'c.test'] }), 'badefghicj');
  assert.equal(order({ pin: ['j.test', 'd.test'] }), 'djabcefghi');
  assert.equal(order({ block: ['a.test'], pin: ['c.test'], raise: ['b.test'] }), 'cbdefghij');
});

test('a domain stands for its subdomains, the longer one decides, and a key has the last word about the same', () => {
  const ranking = createDomainRanking(
    { block: ['shop.test'], lower: ['test'], pin: ['docs.test'] },
    { raise: ['docs.test'], pin: ['help.shop.test'] },
  )!;
  for (const [host, action] of [
    ['shop.test', 'block'],
    ['www.shop.test', 'block'],
    ['help.shop.test', 'pin'],
    ['docs.test', 'raise'],
    ['else.test', 'lower'],
    ['workshop.example', undefined],
  ] as const)
    assert.equal(ranking.actionOn(host), action, host);
  assert.equal(createDomainRanking(undefined, { block: [] }), undefined);
});

// A query in the words of one provider or another.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseQuery } from '../../../../src/search/query/query.ts';
import { type Dialect, type WrittenConditions, writeQuery } from '../../../../src/search/query/write-query.ts';

const NOTHING: WrittenConditions = { includeDomains: [], excludeDomains: [], categories: [] };
const FULL: Dialect = {
  clauses: [
    'word',
    'phrase',
    'site',
    'filetype',
    'inurl',
    'allinurl',
    'intitle',
    'allintitle',
    'related',
    'imagesize',
    'larger',
  ],
  domains: 'operators',
};
const WORDS: Dialect = { clauses: [], domains: 'none' };

const print = (text: string, dialect: Partial<Dialect> = {}, conditions: Partial<WrittenConditions> = {}): string =>
  writeQuery(parseQuery(text), { ...FULL, ...dialect }, { ...NOTHING, ...conditions });

test('a provider that knows every operator is told all of them', () =>
  assert.equal(
    print(
      'red "two words" -blue -"not that" inurl:docs intitle:"a b" -site:c.com filetype:pdf related:d.com larger:8x6',
    ),
    'red "two words" -blue -"not that" intitle:"a b" inurl:docs -site:c.com filetype:pdf related:d.com larger:8x6',
  ));

test('operands that would be read otherwise are quoted', () => {
  assert.equal(print('inurl:"a|b" inurl:/docs/x-y'), 'inurl:"a|b" inurl:/docs/x-y');
  assert.equal(print('allintitle:"-a" b "site:c OR"'), 'allintitle:"-a" b "site:c" "OR"');
});

test('lists of words come last, because they take what follows', () =>
  assert.equal(
    print('allintitle:a b site:x.com c', {}, { excludeDomains: ['y.com'] }),
    'c site:x.com -site:y.com allintitle:a b',
  ));

test('several sites or file types are alternatives, written as the provider takes them', () => {
  const text = 'tea site:a.com/x site:b.com filetype:pdf filetype:doc';
  assert.equal(print(text), 'tea (site:a.com/x OR site:b.com) (filetype:pdf OR filetype:doc)');
  assert.equal(print(text, { or: 'bare' }), 'tea site:a.com/x OR site:b.com filetype:pdf OR filetype:doc');
  assert.equal(print(text, { or: 'none' }), 'tea');
  assert.equal(print('tea site:a.com -site:b.a.com', { or: 'none' }), 'tea site:a.com -site:b.a.com');
});

test('of operators that are unknown the words stay, and the rest is left out', () =>
  assert.equal(
    writeQuery(
      parseQuery(
        'tea "green leaf" -milk -"black tea" intitle:pot inurl:"a b" site:x.com filetype:pdf larger:8x6 allintitle:x y',
      ),
      WORDS,
    ),
    'tea green leaf pot a b x y',
  ));

test('words that stay without their operator are not taken for others', () =>
  assert.equal(writeQuery(parseQuery('"-x OR site:y" intitle:"(z)"'), WORDS), 'x or site y z'));

test('allintitle is several intitle where only those are known, but never with a minus', () => {
  const dialect: Partial<Dialect> = { clauses: ['word', 'intitle', 'inurl'] };
  assert.equal(print('allintitle:a b', dialect), 'intitle:a intitle:b');
  assert.equal(print('x -allintitle:a b', dialect), 'x');
  assert.equal(print('-allinurl:a', dialect), '-inurl:a');
  assert.equal(print('intitle:"a b" -intitle:"c d"', dialect), 'intitle:a intitle:b');
});

test('the minus goes only where it is understood', () =>
  assert.equal(print('a -b -"c d" -site:e.com', { negated: ['word'] }), 'a -b'));

test('operators have the names that the provider gives them', () =>
  assert.equal(print('a filetype:pdf -filetype:doc', { names: { filetype: 'ext' } }), 'a ext:pdf -ext:doc'));

test('domains are written as sites, for providers that know no other way', () => {
  assert.equal(print('a', {}, { includeDomains: ['x.com', 'y.com'] }), 'a (site:x.com OR site:y.com)');
  assert.equal(print('a', {}, { includeDomains: ['x.com'] }), 'a site:x.com');
  assert.equal(print('a', {}, { excludeDomains: ['x.com', 'y.com'] }), 'a -site:x.com -site:y.com');
  assert.equal(print('a', { domains: 'none' }, { includeDomains: ['x.com'], excludeDomains: ['y.com'] }), 'a');
});

test('categories are written as sites and file types', () => {
  assert.equal(print('a', {}, { categories: ['github'] }), 'a site:github.com');
  assert.equal(print('a', {}, { categories: ['github', 'pdf'] }), 'a (site:github.com OR filetype:pdf)');
  assert.match(print('a', {}, { categories: ['research'] }), /^a \(site:arxiv\.org OR .* OR site:nature\.com OR .*\)$/);
  assert.equal(print('a', { categories: 'none' }, { categories: ['github'] }), 'a');
});

test('a category that cannot be written leaves out the others too', () =>
  assert.equal(print('a', { clauses: ['word', 'site'] }, { categories: ['github', 'pdf'] }), 'a'));

test('of a query that is too long the words at the end are left out, never a part of a clause', () => {
  assert.equal(print('one two three four site:a.com', { maxLength: 20 }), 'one two site:a.com');
  assert.equal(print('one two three four site:a.com', { maxLength: 18 }), 'one two site:a.com');
  assert.equal(print('one two three four site:a.com', { maxLength: 17 }), 'one site:a.com');
  assert.equal(print('one two three four', { maxWords: 3 }), 'one two three');
  assert.equal(print('one "two three four" five', { maxWords: 3 }), 'one');
});

test('what the conditions add leaves room for the words', () => {
  const includeDomains = Array.from({ length: 100 }, (_, number) => `host-${number}.example.com`);
  const text = print('a question of many words', { maxLength: 200 }, { includeDomains });
  assert.match(text, /^a question of many words \(site:host-0\.example\.com OR site:host-1\.example\.com.*\)$/);
  assert.ok(text.length <= 200);
  const words = print('a question of many words', { maxWords: 10 }, { excludeDomains: includeDomains });
  assert.equal(words.split(' ').length, 10);
  assert.match(words, /^a question of many words -site:/);
});

test('nothing to ask is an empty text', () => {
  assert.equal(writeQuery(parseQuery('site:a.com -b'), WORDS), '');
  assert.equal(print('x'.repeat(100), { maxLength: 50 }), '');
});

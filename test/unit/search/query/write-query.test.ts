// Writing a query in the dialect of a provider.
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

const write = (text: string, dialect: Partial<Dialect> = {}, conditions: Partial<WrittenConditions> = {}): string =>
  writeQuery(parseQuery(text), { ...FULL, ...dialect }, { ...NOTHING, ...conditions });

test('a provider that supports every operator gets all of them', () =>
  assert.equal(
    write(
      'red "two words" -blue -"not that" inurl:docs intitle:"a b" -site:c.com filetype:pdf related:d.com larger:8x6',
    ),
    'red "two words" -blue -"not that" intitle:"a b" inurl:docs -site:c.com filetype:pdf related:d.com larger:8x6',
  ));

test('operands that would be misread are quoted', () => {
  assert.equal(write('inurl:"a|b" inurl:/docs/x-y'), 'inurl:"a|b" inurl:/docs/x-y');
  assert.equal(write('allintitle:"-a" b "site:c OR"'), 'allintitle:"-a" b "site:c" "OR"');
});

test('allintitle and allinurl come last, because they take everything that follows', () =>
  assert.equal(
    write('allintitle:a b site:x.com c', {}, { excludeDomains: ['y.com'] }),
    'c site:x.com -site:y.com allintitle:a b',
  ));

test('several sites or file types are alternatives, written as the provider expects', () => {
  const text = 'tea site:a.com/x site:b.com filetype:pdf filetype:doc';
  assert.equal(write(text), 'tea (site:a.com/x OR site:b.com) (filetype:pdf OR filetype:doc)');
  assert.equal(write(text, { or: 'bare' }), 'tea site:a.com/x OR site:b.com filetype:pdf OR filetype:doc');
  assert.equal(write(text, { or: 'none' }), 'tea');
  assert.equal(write('tea site:a.com -site:b.a.com', { or: 'none' }), 'tea site:a.com -site:b.a.com');
});

test('of unsupported operators the words stay, and the rest is dropped', () =>
  assert.equal(
    writeQuery(
      parseQuery(
        'tea "green leaf" -milk -"black tea" intitle:pot inurl:"a b" site:x.com filetype:pdf larger:8x6 allintitle:x y',
      ),
      WORDS,
    ),
    'tea green leaf pot a b x y',
  ));

test('words left without their operator are not read as operators', () =>
  assert.equal(writeQuery(parseQuery('"-x OR site:y" intitle:"(z)"'), WORDS), 'x or site y z'));

test('allintitle becomes several intitle where only that is supported, but never negated', () => {
  const dialect: Partial<Dialect> = { clauses: ['word', 'intitle', 'inurl'] };
  assert.equal(write('allintitle:a b', dialect), 'intitle:a intitle:b');
  assert.equal(write('x -allintitle:a b', dialect), 'x');
  assert.equal(write('-allinurl:a', dialect), '-inurl:a');
  assert.equal(write('intitle:"a b" -intitle:"c d"', dialect), 'intitle:a intitle:b');
});

test('a minus is written only where it is supported', () =>
  assert.equal(write('a -b -"c d" -site:e.com', { negated: ['word'] }), 'a -b'));

test('operators have the names of the provider', () =>
  assert.equal(write('a filetype:pdf -filetype:doc', { names: { filetype: 'ext' } }), 'a ext:pdf -ext:doc'));

test('domains are written as sites, for providers without another way', () => {
  assert.equal(write('a', {}, { includeDomains: ['x.com', 'y.com'] }), 'a (site:x.com OR site:y.com)');
  assert.equal(write('a', {}, { includeDomains: ['x.com'] }), 'a site:x.com');
  assert.equal(write('a', {}, { excludeDomains: ['x.com', 'y.com'] }), 'a -site:x.com -site:y.com');
  assert.equal(write('a', { domains: 'none' }, { includeDomains: ['x.com'], excludeDomains: ['y.com'] }), 'a');
});

test('categories are written as sites and file types', () => {
  assert.equal(write('a', {}, { categories: ['github'] }), 'a site:github.com');
  assert.equal(write('a', {}, { categories: ['github', 'pdf'] }), 'a (site:github.com OR filetype:pdf)');
  assert.match(write('a', {}, { categories: ['research'] }), /^a \(site:arxiv\.org OR .* OR site:nature\.com OR .*\)$/);
  assert.equal(write('a', { categories: 'none' }, { categories: ['github'] }), 'a');
});

test('a category that cannot be written drops the others too', () =>
  assert.equal(write('a', { clauses: ['word', 'site'] }, { categories: ['github', 'pdf'] }), 'a'));

test('a query that is too long loses words at the end, never part of a clause', () => {
  assert.equal(write('one two three four site:a.com', { maxLength: 20 }), 'one two site:a.com');
  assert.equal(write('one two three four site:a.com', { maxLength: 18 }), 'one two site:a.com');
  assert.equal(write('one two three four site:a.com', { maxLength: 17 }), 'one site:a.com');
  assert.equal(write('one two three four', { maxWords: 3 }), 'one two three');
  assert.equal(write('one "two three four" five', { maxWords: 3 }), 'one');
});

test('added conditions leave room for the words', () => {
  const includeDomains = Array.from({ length: 100 }, (_, number) => `host-${number}.example.com`);
  const text = write('a question of many words', { maxLength: 200 }, { includeDomains });
  assert.match(text, /^a question of many words \(site:host-0\.example\.com OR site:host-1\.example\.com.*\)$/);
  assert.ok(text.length <= 200);
  const words = write('a question of many words', { maxWords: 10 }, { excludeDomains: includeDomains });
  assert.equal(words.split(' ').length, 10);
  assert.match(words, /^a question of many words -site:/);
});

test('a query with nothing to write gives an empty text', () => {
  assert.equal(writeQuery(parseQuery('site:a.com -b'), WORDS), '');
  assert.equal(write('x'.repeat(100), { maxLength: 50 }), '');
});
